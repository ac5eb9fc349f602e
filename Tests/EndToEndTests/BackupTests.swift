import Foundation
import Testing

/// A backup of the whole home, restored as the same device and as another one.
@Suite struct BackupTests {
    static let app = "org.example.one"
    static let secret = "correct horse battery staple"

    /// A home in use: a plugin that is told all identifiers and reads pseudonyms, allowed, run once.
    static func inUse() throws -> Echo {
        let echo = try Echo()
        let installed = try echo.install(
            IdentifierTests.asking(IdentifierTests.all, purpose: "advertising") + [
                ("\"name\": \"latitude\", \"type\": \"real\"", "\"name\": \"id\", \"type\": \"text\""),
                (", { \"name\": \"timestamp\", \"type\": \"timestamp\" }", ""),
                ("\"Location\": [\"latitude\", \"timestamp\"]", "\"Contacts\": [\"hash(id, per-app)\"]"),
                ("SELECT latitude, timestamp FROM Location", "SELECT id FROM Contacts"),
            ])
        try #require(installed.status == 0, "\(installed.words)")
        try echo.allow(app)
        _ = try echo.see(app)
        return echo
    }

    func back(_ echo: Echo, to name: String = "backup") throws -> String {
        let file = echo.escrow.folder.appending(path: name).path
        let secret = try echo.escrow.write("secret", Self.secret + "\n")
        let outcome = try echo.escrow.run("backup", file, "--passphrase-file", secret)
        try #require(outcome.status == 0, "\(outcome.words)")
        #expect(outcome.words.contains("backed up "))
        return file
    }

    func restore(_ echo: Echo, _ file: String, to name: String, _ more: String...) throws -> (
        Escrow.Outcome, URL
    ) {
        let home = echo.escrow.folder.appending(path: name)
        let secret = echo.escrow.folder.appending(path: "secret").path
        return (
            try Escrow.start(["restore", file, "--passphrase-file", secret] + more, home: home), home
        )
    }

    /// What the plugin sees in another home.
    func see(_ home: URL) throws -> Echo.Sight {
        let outcome = try Escrow.start(["run", "echo", "--app", Self.app, "--format", "json"], home: home)
        try #require(outcome.status == 0, "\(outcome.words)")
        let text = try JSONDecoder().decode(String.self, from: Data(outcome.output.utf8))
        return try JSONDecoder().decode(Echo.Sight.self, from: Data(text.utf8))
    }

    @Test func onTheSameDeviceAllIsAsItWas() throws {
        let echo = try Self.inUse()
        let before = try echo.see(Self.app)
        let file = try back(echo)
        let (outcome, home) = try restore(echo, file, to: "same")
        #expect(outcome.status == 0, "\(outcome.words)")
        #expect(outcome.words.contains("all identifiers are as they were"))
        // Grants, keys, plugins and sources are there, for the plugin runs.
        let after = try see(home)
        #expect(after.hello.params == before.hello.params)
        #expect(Set(after.rows) == Set(before.rows) && !after.rows.isEmpty)
        #expect(try Escrow.start(["ledger", "verify"], home: home).status == 0)
        let ledger = try Escrow.start(["ledger", "list", "--format", "json"], home: home).output
        #expect(
            ledger.contains("\"backed-up\"") && ledger.contains("\"restored\"") && ledger.contains("the same")
        )
        // The backup itself is encrypted.
        let bytes = try Data(contentsOf: URL(filePath: file))
        for word in ["org.example.one", "PRIVATE", "identifiers", "grants"] {
            #expect(bytes.range(of: Data(word.utf8)) == nil, "\(word)")
        }
    }

    @Test func onAnotherDeviceWhatBelongsToADeviceIsNew() throws {
        let echo = try Self.inUse()
        let before = try echo.see(Self.app)
        let (outcome, home) = try restore(echo, try back(echo), to: "other", "--other-device")
        #expect(outcome.status == 0, "\(outcome.words)")
        #expect(outcome.words.contains("this is another device"))
        let after = try see(home)
        #expect(after.hello.params["me"] == before.hello.params["me"])
        #expect(after.hello.params["us"] != before.hello.params["us"])
        #expect(after.hello.params["ads"] != before.hello.params["ads"])
        #expect(Set(after.rows) == Set(before.rows))
        #expect(try see(home).hello.params == after.hello.params)
        // The old device knows nothing of it.
        #expect(try echo.see(Self.app).hello.params == before.hello.params)
    }

    @Test func whatCannotBeRestoredLeavesNothingBehind() throws {
        let echo = try Echo()
        let file = try back(echo)
        let bytes = try Data(contentsOf: URL(filePath: file))
        for (name, change) in [
            ("altered", { (bytes: inout Data) in bytes[bytes.count / 2] ^= 1 }),
            ("short", { (bytes: inout Data) in bytes.removeLast() }),
        ] {
            var copy = bytes
            change(&copy)
            let damaged = echo.escrow.folder.appending(path: "damaged-\(name)")
            try copy.write(to: damaged)
            let (outcome, home) = try restore(echo, damaged.path, to: "nothing")
            #expect(outcome.status == 1)
            #expect(
                outcome.words == """
                    error[E1171]: the passphrase is wrong, or the backup was altered or cut off; nothing was restored
                    help: type the passphrase again, or use another copy of the backup

                    """, "\(outcome.words)")
            #expect(!FileManager.default.fileExists(atPath: home.path))
        }
        #expect(try restore(echo, "/etc/passwd", to: "nothing").0.words.contains("E1170"))
        _ = try echo.escrow.write("secret", "another one altogether")
        #expect(try restore(echo, file, to: "nothing").0.words.contains("E1171"))
        let left = try FileManager.default.contentsOfDirectory(atPath: echo.escrow.folder.path)
        #expect(left.filter { $0.hasPrefix("nothing") }.isEmpty, "\(left)")
    }

    @Test func aHomeOrAFileThatIsThereIsLeftAlone() throws {
        let echo = try Echo()
        let file = try back(echo)
        let secret = echo.escrow.folder.appending(path: "secret").path
        let again = try echo.escrow.run("backup", file, "--passphrase-file", secret)
        #expect(again.status == 64 && again.words.contains("E1174"), "\(again.words)")
        let (taken, _) = try restore(echo, file, to: "home")
        #expect(taken.status != 0 && taken.words.contains("E0011"), "\(taken.words)")
        let folder = echo.escrow.folder.appending(path: "full")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("mine".utf8).write(to: folder.appending(path: "keepsake"))
        #expect(try restore(echo, file, to: "full").0.words.contains("E0012"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["keepsake"])
        let empty = echo.escrow.folder.appending(path: "empty")
        try FileManager.default.createDirectory(at: empty, withIntermediateDirectories: true)
        #expect(try restore(echo, file, to: "empty").0.status == 0)
    }

    @Test func aPassphraseIsNeverAnArgument() throws {
        let echo = try Echo()
        let file = echo.escrow.folder.appending(path: "backup").path
        // No terminal, and nothing said where it comes from.
        let none = try echo.escrow.run("backup", file)
        #expect(none.status == 64 && none.words.contains("E1173"), "\(none.words)")
        let short = try echo.escrow.write("secret", "short\n")
        #expect(
            try echo.escrow.run("backup", file, "--passphrase-file", short).words.contains("12 characters"))
        #expect(!FileManager.default.fileExists(atPath: file))
        let piped = try echo.escrow.run("backup", file, "--passphrase-fd", "0", input: Self.secret)
        #expect(piped.status == 0, "\(piped.words)")
        _ = try echo.escrow.write("secret", Self.secret)
        #expect(try restore(echo, file, to: "same").0.status == 0)
        let help = try echo.escrow.run("backup", "--help").output
        #expect(help.contains("--passphrase-file") && !help.contains("--passphrase <"))
    }
}
