import Foundation
import Glibc
import Testing

/// A command whose output has no room says so once, and ends with status 1; one whose reader has seen enough ends quietly.
@Suite struct FullDiskTests {
    private func run(_ escrow: Escrow, _ arguments: [String], into output: Any) throws -> (Int32, String) {
        let process = Process()
        process.executableURL = Escrow.program
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(["ESCROW_HOME": escrow.home.path]) {
            $1
        }
        process.currentDirectoryURL = Escrow.root
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        let words = Pipe()
        process.standardError = words
        try process.run()
        let said = try words.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        // As shells tell it: 128 more than the signal.
        let status = process.terminationStatus + (process.terminationReason == .exit ? 0 : 128)
        return (status, String(decoding: said, as: UTF8.self))
    }

    static let commands = [
        ["ledger", "export"], ["ledger", "list", "--format", "json"], ["ledger", "list"],
        ["egress", "export"],
        ["grant", "export"], ["schema"], ["preferences", "purposes"], ["explain", "E0725"],
        ["doctor"], ["run", "phone-check", "--app", "org.example.notes", "--quiet"],
    ]

    /// A home in which each of the commands has something to print.
    private func escrow() throws -> Escrow {
        try PreferencesTests.escrow(#"{"id": "own", "effect": "permit", "prompt": "skip"}"#)
    }

    @Test func onAFullDiskEachCommandSaysSo() throws {
        let escrow = try escrow()
        for command in Self.commands {
            let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
            let (status, words) = try run(escrow, command, into: full)
            #expect(status == 1, "\(command): \(words)")
            #expect(
                words == """
                    error[E0725]: the output could not be written: No space left on device
                    help: make room, or write it somewhere else, and run the command again

                    """, "\(command): \(words)")
        }
    }

    @Test func whereTheReaderIsGoneEachCommandEndsAsOneOfAPipeDoes() throws {
        let escrow = try escrow()
        for command in Self.commands {
            let pipe = Pipe()
            try pipe.fileHandleForReading.close()
            let (status, words) = try run(escrow, command, into: pipe)
            #expect(status == 128 + SIGPIPE && words.isEmpty, "\(command): \(status) \(words)")
        }
    }
}
