import Foundation
import Testing

/// A plugin that misbehaves is stopped, the message names plugin and rule, and no part of Ds is in any output.
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

    static func prepare() throws -> Escrow {
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

    @Test(arguments: [
        ("socket", "socket(AF_INET, SOCK_STREAM)"), ("passwd", "openat("), ("fork", "clone("),
        ("late-socket", "socket(AF_INET, SOCK_STREAM)"),
    ])
    func aForbiddenCallEndsWithStatus14AndItsName(mode: String, call: String) throws {
        let outcome = try run(mode)
        #expect(outcome.status == 14, "\(outcome.words)")
        #expect(outcome.output.isEmpty)
        #expect(outcome.words.contains("rogue 1.0.0 was stopped: it called \(call)"), "\(outcome.words)")
    }

    @Test(arguments: ["second-result", "leak-line", "leak-member", "early-exit"])
    func aBrokenRuleOfTheProtocolEndsWithStatus14(mode: String) throws {
        let outcome = try run(mode)
        #expect(outcome.status == 14, "\(outcome.words)")
        #expect(outcome.output.isEmpty)
        #expect(outcome.words.contains("rogue 1.0.0 broke the plugin protocol"), "\(outcome.words)")
    }

    @Test func aResultOfAnotherShapeIsNotReturned() throws {
        let outcome = try run("leak-result")
        #expect(outcome.status == 14, "\(outcome.words)")
        #expect(outcome.output.isEmpty)
    }

    @Test(arguments: [("crash", Int32(16)), ("bad-exit", 16), ("refuse", 16), ("spin", 15), ("memory", 15)])
    func otherEndsHaveTheirOwnStatus(mode: String, status: Int32) throws {
        let outcome = try run(mode)
        #expect(outcome.status == status, "\(outcome.words)")
        #expect(outcome.output.isEmpty)
    }

    @Test func theLogIsKeptAwayUnlessTheIndividualAsks() throws {
        #expect(try run("log").status == 0)
        let asked = try Self.escrow.get().run(
            "run", "rogue", "--app", "org.example.test", "--param", "mode=log", "--log")
        #expect(asked.words.contains(Self.canaries[0]))
    }

    @Test func theLedgerHoldsEveryEndAndNoData() throws {
        _ = try run("socket")
        let escrow = try Self.escrow.get()
        let ledger = try escrow.run("ledger", "list", "--last", "1000", "--format", "json")
        #expect(ledger.output.contains("E0511"))
        #expect(try escrow.run("ledger", "verify").status == 0)
        let files = try #require(
            FileManager.default.enumerator(at: escrow.home, includingPropertiesForKeys: nil))
        for case let file as URL in files {
            guard let content = try? Data(contentsOf: file) else { continue }
            for canary in Self.canaries {
                #expect(content.range(of: Data(canary.utf8)) == nil, "\(file.lastPathComponent) holds data")
            }
        }
    }
}
