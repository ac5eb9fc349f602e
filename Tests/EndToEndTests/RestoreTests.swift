import Foundation
import Glibc
import Testing

/// What a restore brings back, and what it leaves where it is killed.
@Suite struct RestoreTests {
    private let backups = BackupTests()
    /// A home and a backup of it, for what is restored from it again and again.
    private static let backedUp = Result {
        let echo = try BackupTests.inUse()
        return (echo: echo, file: try BackupTests().back(echo))
    }

    /// What stands in the folder beside the home, and is no home.
    private func leftovers(_ echo: Echo, of name: String) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(atPath: echo.escrow.folder.path)
            .filter { $0.hasPrefix(name + ".") && $0.hasSuffix(".new") }
            .map { echo.escrow.folder.appending(path: $0) }
    }

    private func files(_ folder: URL) -> Int {
        (try? FileManager.default.subpathsOfDirectory(atPath: folder.path).count) ?? 0
    }

    /// Starts a restore, and kills it once so many files and folders are there.
    private func kill(_ echo: Echo, _ file: String, to name: String, at count: Int) throws {
        let process = Process()
        process.executableURL = Escrow.program
        process.arguments = [
            "restore", file, "--passphrase-file", echo.escrow.folder.appending(path: "secret").path,
        ]
        process.environment = ProcessInfo.processInfo.environment.merging([
            "ESCROW_HOME": echo.escrow.folder.appending(path: name).path
        ]) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        while process.isRunning {
            if let folder = try leftovers(echo, of: name).first, files(folder) >= count { break }
            // Most of the time it makes a key of the passphrase, which needs the processor more than this loop does.
            poll(nil, 0, 1)
        }
        Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    @Test(arguments: [0, 1, 3, 6, 10])
    func aRestoreThatIsKilledLeavesNothingForLong(count: Int) throws {
        let (echo, file) = try Self.backedUp.get()
        let name = "next-\(count)"
        try kill(echo, file, to: name, at: count)
        let home = echo.escrow.folder.appending(path: name)
        // It may have been done before it was killed: then it is whole.
        if FileManager.default.fileExists(atPath: home.path) {
            #expect(try Escrow.start(["ledger", "verify"], home: home).status == 0)
            #expect(try leftovers(echo, of: name).isEmpty)
            return
        }
        try #require(try leftovers(echo, of: name).count == 1)
        if count % 2 == 0 {
            let doctor = try Escrow.start(["doctor"], home: home)
            #expect(doctor.output.contains("removed 1 unfinished homes beside it"), "\(doctor.everything)")
            #expect(try leftovers(echo, of: name).isEmpty)
        }
        let (outcome, _) = try backups.restore(echo, file, to: name)
        #expect(outcome.status == 0, "\(outcome.words)")
        #expect(try leftovers(echo, of: name).isEmpty)
    }

    /// Somebody else's restore is not tidied away beneath it, nor what only looks like one.
    @Test func whatAProcessIsAtAndWhatIsSomethingElseStays() throws {
        let echo = try BackupTests.inUse()
        let file = try backups.back(echo)
        let folder = echo.escrow.folder
        for name in ["next.12.new", "next.x.new", "next.13.new.old", "other.14.new"] {
            try FileManager.default.createDirectory(
                at: folder.appending(path: name), withIntermediateDirectories: true)
        }
        try Data("mine".utf8).write(to: folder.appending(path: "next.15.new"))
        let held = open(folder.appending(path: "next.12.new").path, O_RDONLY | O_DIRECTORY)
        #expect(flock(held, LOCK_EX | LOCK_NB) == 0)
        #expect(try backups.restore(echo, file, to: "next").0.status == 0)
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        for name in ["next.12.new", "next.x.new", "next.13.new.old", "other.14.new", "next.15.new"] {
            #expect(left.contains(name), "\(name) is gone")
        }
        close(held)
        _ = try Escrow.start(["doctor"], home: folder.appending(path: "next"))
        #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "next.12.new").path))
    }

    private func grants(_ home: URL) throws -> [[String: Any]] {
        try #require(
            try Escrow.start(["grant", "list", "--format", "json"], home: home).json()["grants"]
                as? [[String: Any]])
    }

    @Test func whatTheBackupCannotKnowOfIsUndecidedAndTheRestMarked() throws {
        let echo = try BackupTests.inUse()
        for (app, scope) in [("org.example.few", ["--runs", "3"]), ("org.example.no", [])] {
            let verb = scope.isEmpty ? "deny" : "allow"
            let outcome = try Escrow.start(
                ["grant", verb, "--app", app, "--plugin", "echo"] + scope, home: echo.escrow.home)
            try #require(outcome.status == 0, "\(outcome.words)")
        }
        let budget = try Escrow.start(
            ["grant", "allow", "--app", "org.example.budget", "--plugin", "echo", "--bits-per-day", "100"],
            home: echo.escrow.home)
        try #require(budget.status == 0, "\(budget.words)")
        let file = try backups.back(echo)
        // What happens after the backup, and is not in it.
        let always = try #require(
            try grants(echo.escrow.home).first { $0["app"] as? String == BackupTests.app })
        let id = try #require(always["id"] as? String)
        #expect(try echo.escrow.run("grant", "revoke", id).status == 0)

        let (outcome, home) = try backups.restore(echo, file, to: "old")
        #expect(outcome.status == 0, "\(outcome.words)")
        #expect(
            outcome.words.contains(
                "allowed as it was then: 2 decisions; what you took back since is back: escrow grant list"))
        #expect(
            outcome.words.contains("undecided again: 1 decisions for so many runs, which may be used up"))
        let after = try grants(home)
        #expect(after.first { $0["id"] as? String == id }?["restoredAt"] is String)
        #expect(!after.contains { $0["app"] as? String == "org.example.few" })
        #expect(after.first { $0["app"] as? String == "org.example.no" }?["restoredAt"] is NSNull)
        #expect(try Escrow.start(["grant", "show", id], home: home).output.contains("from a backup"))
        #expect(try Escrow.start(["run", "echo", "--app", "org.example.few"], home: home).status == 11)
        #expect(try Escrow.start(["run", "echo", "--app", "org.example.no"], home: home).status == 10)
        let entries = try #require(
            try Escrow.start(["ledger", "list", "--format", "json"], home: home).json()["entries"]
                as? [[String: Any]])
        let restored = try #require(
            entries.last { $0["kind"] as? String == "restored" }?["fields"] as? [String: Any])
        #expect(restored["kept"] as? Int == 2 && (restored["undecided"] as? [String])?.count == 1)
        // Nobody knows what of today was used since.
        let usage = try String(contentsOf: home.appending(path: "egress-usage.json"), encoding: .utf8)
        #expect(usage.contains("9223372036854775807"))
        try Data(
            #"{"escrow-preferences": 1, "rules": [{"id": "day", "effect": "forbid", "when": {"bytesToday": {"atLeast": 1000000}}}]}"#
                .utf8
        ).write(to: home.appending(path: "preferences.json"))
        let today = try Escrow.start(["run", "echo", "--app", BackupTests.app], home: home)
        #expect(today.status == 10 && today.words.contains("E1111"), "\(today.words)")
    }

    /// Where the ledger's heads lie elsewhere too, they tell that something happened since.
    @Test func whereLaterRecordsAreKnownOfAllThatWasAllowedIsUndecided() throws {
        let echo = try BackupTests.inUse()
        let copy = echo.escrow.folder.appending(path: "heads").path
        try Data("{\"ledger\": {\"copy\": \"\(copy)\"}}".utf8).write(
            to: echo.escrow.home.appending(path: "config.json"))
        // The first time the copy is not there yet: it is made on purpose.
        #expect(try echo.escrow.run("ledger", "repair").status == 0)
        let file = try backups.back(echo)
        _ = try echo.see(BackupTests.app)
        let (outcome, home) = try backups.restore(echo, file, to: "old")
        #expect(outcome.status == 0, "\(outcome.words)")
        #expect(
            outcome.words.contains(
                "the ledger lacks records that were made since, so 1 decisions that allowed something are undecided again"
            ), "\(outcome.words)")
        #expect(try grants(home).isEmpty)
        #expect(try Escrow.start(["run", "echo", "--app", BackupTests.app], home: home).status == 11)
    }

    @Test func onATerminalItIsAskedAbout() throws {
        let echo = try BackupTests.inUse()
        let file = try backups.back(echo)
        let secret = echo.escrow.folder.appending(path: "secret").path
        let home = echo.escrow.folder.appending(path: "old")
        for (answer, status) in [("no", Int32(10)), ("yes", 0)] {
            let terminal = try TypedTerminal(
                ["restore", file, "--passphrase-file", secret], home: home)
            try terminal.expect("restore it? [yes / no]")
            terminal.type(answer)
            let end = try terminal.end()
            #expect(end.status == status, "\(terminal.shown)")
            #expect(terminal.shown.contains("the backup is from 20"))
            #expect(terminal.shown.contains("E1127") == (status != 0))
            #expect(FileManager.default.fileExists(atPath: home.path) == (status == 0))
        }
        #expect(try leftovers(echo, of: "old").isEmpty)
    }
}
