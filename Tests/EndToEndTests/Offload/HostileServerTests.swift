import Foundation
import SoftwareTPM
import TemporaryFolder
import Testing

/// A server that lies. `escrow-remote` only passes bytes on, so a program in its place can say whatever a server could: each lie is
/// stopped, has its name and is recorded, and nothing is returned.
@Suite struct HostileServerTests {
    /// What it does, and what it is called.
    static let lies: [(lie: String, code: String)] = [
        ("says nothing", "E1225"), ("begins another plugin", "E1209"), ("is no message", "E1209"),
        ("refuses for no known reason", "E1209"), ("is gone at once", "E1208"),
        ("sends half a frame", "E1208"),
        ("sends an endless frame", "E1208"), ("begins twice", "E1209"), ("refuses after it began", "E1209"),
        ("is gone midway", "E1208"), ("ends the call midway", "E1208"),
        ("says complete without an end", "E1208"),
        ("says what a host says", "E1209"), ("returns another shape", "E05"), ("returns no JSON", "E05"),
        ("returns twice", "E05"), ("returns before it read", "E05"), ("read more than it was sent", "E1209"),
        ("unreads", "E1209"), ("returns too much", "E05"), ("returns a line without end", "E05"),
        ("asks for rows again", "E0527"), ("asks for an asset never offered", "E05"),
        ("asks for an endpoint never declared", "E05"),
        ("sends endless progress", "E053"), ("never ends", "E"), ("speaks after its end", "E"),
        ("ends before its output", "E05"), ("ends badly after a result", "E05"),
        ("ends in an unknown way", "E1209"), ("names a limit of no kind", "E"),
        ("ends with a call of no table", "E05"),
    ]

    /// A home that knows a server. Nobody asks it: the liar answers in its place.
    private static let enrolled = Result { () throws -> Escrow in
        let server = try OffloadServer()
        let escrow = try Escrow.offloading(to: try server.enrol())
        withExtendedLifetime(server) {}
        return escrow
    }

    @Test(arguments: lies) func eachLieIsStoppedNamedAndRecorded(lie: String, code: String) throws {
        let escrow = try Escrow(copying: try Self.enrolled.get())
        let program = try Self.program(lie, in: escrow)
        let outcome = try Escrow.start(
            ["run", "phone-check", "--app", "org.example.test", "--format", "json", "--server", "home"],
            home: escrow.home, program: program)
        #expect(outcome.status != 0 && outcome.status != 1, "\(lie): \(outcome.everything)")
        #expect(outcome.output.isEmpty)
        #expect(outcome.words.contains("[\(code)"), "\(lie): \(outcome.words)")
        #expect(!outcome.everything.contains("Person"))
        let ledger = try escrow.run("ledger", "list", "--format", "json").output
        #expect(ledger.contains("nothing returned"))
        #expect(!ledger.contains("\"returned\""))
    }

    /// What a server is told before it said that it begins: the host's first words to the plugin, and no row.
    @Test func beforeAServerBeginsItHearsNoRow() throws {
        let heard = try Self.heard(from: try Escrow(copying: try Self.enrolled.get()))
        #expect(heard.hasPrefix("frame 4 "))
        #expect(heard.contains(#"{"escrow":1"#))
        #expect(heard.split(separator: "frame ").count == 1)
        #expect(!heard.contains("Person") && !heard.contains("+1212"))
    }

    @Test(.enabled(if: SoftwareTPM.isHere, "swtpm is not installed"))
    func aServerThatMustProveWhatItRunsHearsNothingBefore() throws {
        let tpm = try SoftwareTPM()
        let server = try OffloadServer()
        let requirement = server.scratch.url.appending(path: "requirement.json").path
        try server.command(["attest", "--tpm", tpm.words, "--out", requirement])
        let escrow = try Escrow.offloading(to: try server.enrol())
        try #require(try escrow.run("server", "require", "home", requirement).status == 0)
        try escrow.allowAtServer()
        #expect(try Self.heard(from: escrow).isEmpty)
    }

    private static func heard(from escrow: Escrow) throws -> String {
        let program = try program("listens before it begins", in: escrow)
        let outcome = try Escrow.start(
            ["run", "phone-check", "--app", "org.example.test", "--format", "json", "--server", "home"],
            home: escrow.home, program: program)
        #expect(outcome.words.contains("[E1208]"), "\(outcome.words)")
        let heard = program.deletingLastPathComponent().appending(path: "heard")
        return String(decoding: try Data(contentsOf: heard), as: UTF8.self)
    }

    /// `escrow` in a folder of its own, with the liar beside it.
    private static func program(_ lie: String, in escrow: Escrow) throws -> URL {
        let folder = escrow.folder.appending(path: "programs")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let liar = Escrow.root.appending(path: "Tests/EndToEndTests/Offload/hostile-remote.py")
        for (file, name) in [(Escrow.program, "escrow"), (liar, "escrow-remote")] {
            let program = folder.appending(path: name)
            do { try FileManager.default.linkItem(at: file, to: program) } catch {
                // Another process copies: what this one has open for writing, in a child that was just forked, cannot start.
                let copy = try Process.run(URL(filePath: "/bin/cp"), arguments: [file.path, program.path])
                copy.waitUntilExit()
                try #require(copy.terminationStatus == 0)
            }
        }
        try Data(lie.utf8).write(to: folder.appending(path: "lie"))
        return folder.appending(path: "escrow")
    }
}
