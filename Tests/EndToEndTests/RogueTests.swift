import Foundation
import Testing

/// A plugin that misbehaves as it is told to, for the tests that need one. How each misdeed ends: Tests/Probes/protocol.
@Suite struct RogueTests {
    /// Values that must never be seen outside the plugin.
    static let canaries = ["Canaria Quill", "+1 202 555 0191"]

    static let card = """
        BEGIN:VCARD\r
        VERSION:3.0\r
        UID:canary-1\r
        N:Canaria Quill;Canaria Quill;;;\r
        FN:Canaria Quill\r
        TEL:+1 202 555 0191\r
        END:VCARD\r

        """

    /// An escrow with one contact and the rogue plugin, installed and allowed.
    static let escrow = Result { try prepare() }

    /// `program` names the plugin's executable, and so its processes, as nobody else's are named; `seconds` are how long it may
    /// compute, where that is not what the manifest says.
    static func prepare(card: String = card, program: String = "rogue", seconds: Int? = nil) throws -> Escrow
    {
        let escrow = try Escrow(trusting: false)
        #expect(try escrow.run("source", "add", "contacts", try escrow.write("one.vcf", card)).status == 0)
        #expect(try escrow.run("key", "new", "tester").status == 0)
        let keys = try #require(
            try escrow.run("key", "list", "--format", "json").json()["keys"] as? [[String: Any]])
        let key = try #require(keys.first?["publicKey"] as? String)
        #expect(try escrow.run("trust", "add", "org.escrow.tests.*", key).status == 0)
        let source = escrow.folder.appending(path: "rogue")
        try FileManager.default.copyItem(
            at: Escrow.root.appending(path: "Tests/EndToEndTests/Rogue"), to: source)
        for name in ["Makefile", "plugin.json"] {
            let file = source.appending(path: name)
            let text = try String(contentsOf: file, encoding: .utf8)
            var changed = text.replacing("linux-x86_64/rogue", with: "linux-x86_64/\(program)")
            if let seconds {
                changed = changed.replacing("\"wallSeconds\": 60", with: "\"wallSeconds\": \(seconds)")
                    .replacing("\"cpuSeconds\": 1", with: "\"cpuSeconds\": \(seconds)")
            }
            try Data(changed.utf8).write(to: file)
        }
        let package = escrow.folder.appending(path: "rogue.escrow").path
        let packed = try escrow.run("plugin", "pack", source.path, "--key", "tester", "--output", package)
        try #require(packed.status == 0, "\(packed.words)")
        #expect(try escrow.run("plugin", "install", package, "--yes").status == 0)
        #expect(
            try escrow.run("grant", "allow", "--app", "org.example.test", "--plugin", "rogue").status == 0)
        return escrow
    }

    func run(_ mode: String) throws -> Escrow.Outcome {
        let outcome = try Self.escrow.get().run(
            "run", "rogue", "--app", "org.example.test", "--param", "mode=\(mode)", "--format", "json")
        for canary in Self.canaries {
            #expect(!outcome.everything.contains(canary), "mode \(mode) let data out")
        }
        return outcome
    }

    @Test func anHonestRunReturnsItsResult() throws {
        let outcome = try run("honest")
        #expect(outcome.status == 0, "\(outcome.words)")
        #expect(outcome.output == "{\"n\":1}\n")
    }

    @Test func theLogIsKeptAwayUnlessTheIndividualAsks() throws {
        #expect(try run("log").status == 0)
        let asked = try Self.escrow.get().run(
            "run", "rogue", "--app", "org.example.test", "--param", "mode=log", "--log")
        #expect(asked.words.contains(Self.canaries[0]))
    }
}
