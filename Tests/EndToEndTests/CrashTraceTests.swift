import Foundation
import Testing

/// A crash of the host, which may hold the person's data at that moment, leaves nothing of it behind and starts no program.
@Suite struct CrashTraceTests {
    /// Signals after which Swift's runtime would print what the process holds.
    private static let crashes = [SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]

    /// A program that Swift is linked into looks for `swift-backtrace` beside the name by which it was called. Called by its name
    /// alone, that is the folder that the person is in.
    @Test func aCrashStartsNoProgramOfTheFolderThatThePersonIsIn() throws {
        let escrow = try Escrow()
        let folder = escrow.folder.appending(path: "download")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let hostile = folder.appending(path: "swift-backtrace")
        try Data("#!/bin/sh\necho >\(folder.path)/started\n".utf8).write(to: hostile)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: hostile.path)
        let terminal = try TypedTerminal(
            ["-c", #"exec -a escrow "$0" sql"#, Escrow.program.path], home: escrow.home, showsOutput: true,
            program: URL(filePath: "/bin/bash"), in: folder, with: ["SWIFT_BACKTRACE": ""])
        try terminal.expect("escrow> ")
        let before = terminal.shown
        kill(terminal.pid, SIGSEGV)
        #expect(try terminal.end().status == SIGSEGV)
        #expect(terminal.shown == before)
        #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "started").path))
    }

    /// `enable=yes` has the runtime take these signals off a terminal as well.
    @Test func theServiceTakesNoSignalOfACrashAndLeavesNoCore() throws {
        let escrow = try Escrow()
        let service = try RunningService(
            escrow, with: ["SWIFT_BACKTRACE": "enable=yes,swift-backtrace=/usr/bin/true"])
        let about = "/proc/\(service.identifier)"
        let status = try String(contentsOfFile: "\(about)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("SigCgt:") })
        let caught = try #require(UInt64(line.dropFirst(7).trimmingCharacters(in: .whitespaces), radix: 16))
        for signal in Self.crashes { #expect(caught & 1 << UInt64(signal - 1) == 0, "signal \(signal)") }
        let limits = try String(contentsOfFile: "\(about)/limits", encoding: .utf8)
        let core = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") })
        let (soft, hard) = (
            core.split(whereSeparator: \.isWhitespace)[4], core.split(whereSeparator: \.isWhitespace)[5]
        )
        #expect(soft == (hard == "0" ? "0" : "1"))
        let filter = try String(contentsOfFile: "\(about)/coredump_filter", encoding: .utf8)
        #expect(filter.trimmingCharacters(in: .whitespacesAndNewlines) == "00000000")
    }
}
