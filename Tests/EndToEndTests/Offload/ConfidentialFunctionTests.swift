import Foundation
import TemporaryFolder
import Testing

/// The individual need not learn f, if its publisher will not show it (bolt-on data escrow, section 3.3.4): the code is on the
/// server alone, and the device decides by the signed manifest.
@Suite struct ConfidentialFunctionTests {
    /// In the program, and nowhere else.
    static let secret = "fc1c0a3e secret weighting"

    /// Packs a plugin of the samples as a confidential one; the two files that `plugin pack` writes.
    private static func pack(into folder: URL) throws -> (server: String, device: String) {
        let plugin = folder.appending(path: "secret-age")
        try FileManager.default.copyItem(
            at: Escrow.root.appending(path: "Plugins/age-of-contacts"), to: plugin)
        let manifest = plugin.appending(path: "plugin.json")
        // A link to the manifest beside all others.
        try FileManager.default.removeItem(at: manifest)
        let original = Escrow.root.appending(path: "Manifests/age-of-contacts.json")
        let words = try String(contentsOf: original, encoding: .utf8)
            .replacing("org.example.age-of-contacts", with: "org.example.secret-age")
            .replacing(#""egress": [],"#, with: #""egress": [], "server": { "confidential": true },"#)
        try Data(words.utf8).write(to: manifest)
        let program = plugin.appending(path: "age-of-contacts.jq")
        let code = try String(contentsOf: program, encoding: .utf8)
        try Data("# \(secret)\n\(code)".utf8).write(to: program)
        let package = folder.appending(path: "secret-age.escrow").path
        let packed = try Escrow.start(
            ["plugin", "pack", plugin.path, "--key", "samples", "--output", package],
            home: Escrow.packages.appending(path: "publisher"))
        try #require(packed.status == 0, "\(packed.words)")
        let files = packed.output.split(separator: "\n").map(String.init)
        try #require(files == [package, folder.appending(path: "secret-age.device.escrow").path])
        return (files[0], files[1])
    }

    @Test func theCodeRunsOnTheServerAndIsNowhereOnTheDevice() throws {
        let scratch = try TemporaryFolder("confidential")
        let (whole, part) = try Self.pack(into: scratch.url)
        let server = try OffloadServer(plugins: [])
        // A server is given the whole of it, and says so where it is not.
        let refused = try Escrow.start(
            ["registry", "add", part, "--folder", server.folder], home: scratch.url,
            program: OffloadServer.program)
        #expect(refused.words.contains("[E0203]"), "\(refused.words)")
        try server.command(["registry", "add", whole])
        try server.start()

        let escrow = try Escrow()
        let cards = (1...9).map {
            "BEGIN:VCARD\r\nVERSION:4.0\r\nUID:c\($0)\r\nFN:Person \($0)\r\nBDAY:19\(50 + $0)0101\r\nEND:VCARD\r\n"
        }.joined()
        let contacts = try escrow.write("contacts.vcf", cards)
        try #require(try escrow.run("source", "add", "contacts", contacts).status == 0)
        try #require(try escrow.run("server", "add", try server.enrol()).status == 0)
        let installed = try escrow.run("plugin", "install", part, "--yes")
        try #require(installed.status == 0, "\(installed.words)")

        let here = try escrow.run("run", "secret-age", "--app", "org.example.test")
        #expect(here.words.contains("[E1229]"), "\(here.words)")
        let sheet = try escrow.run(
            "run", "secret-age", "--app", "org.example.test", "--server", "home", "--dry-run")
        let said = sheet.output.split { $0.isWhitespace }.joined(separator: " ")
        #expect(said.contains("LEAVES HERE") && said.contains("nobody else vouches"), "\(said)")
        try escrow.allowAtServer("secret-age")
        let there = try escrow.offload("secret-age")
        try #require(there.status == 0, "\(there.words) \(server.log)")
        #expect(try there.json()["contacts"] as? Int == 9)

        func holds(_ folder: URL) throws -> Bool {
            try FileManager.default.subpathsOfDirectory(atPath: folder.path).contains { path in
                let bytes = FileManager.default.contents(atPath: folder.appending(path: path).path)
                return bytes?.range(of: Data(Self.secret.utf8)) != nil
            }
        }
        #expect(try holds(URL(filePath: server.folder)))
        #expect(try !holds(escrow.home))
    }
}
