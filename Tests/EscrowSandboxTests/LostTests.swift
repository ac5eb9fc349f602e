import CEscrowLauncher
import EscrowDiagnostics
import Foundation
import Glibc
import Testing

@testable import EscrowSandbox

/// A plugin that a tracer holds at its end: its run is told as lost, and the host goes on.
@Suite(.serialized) struct LostTests {
    private static let tracer = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent()
        .appending(path: "Support/hold_at_end.py").path

    /// A tracer at work; nil (after a SKIP line) where nobody may trace plugins.
    private struct Tracer {
        let process = Process()
        let input = Foundation.Pipe()
        let output = Foundation.Pipe()

        init?(of pid: Int32) throws {
            guard geteuid() == 0, access("/usr/bin/python3", X_OK) == 0 else {
                print("SKIP: only root may trace a plugin, and by python3")
                return nil
            }
            process.executableURL = URL(filePath: "/usr/bin/python3")
            process.arguments = [LostTests.tracer, "\(pid)"]
            process.standardInput = input
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            try process.run()
            guard line() == "traced" else {
                print("SKIP: no process may be traced here")
                return nil
            }
        }

        /// The next line of its output.
        func line() -> String {
            var bytes = Data()
            while let byte = try? output.fileHandleForReading.read(upToCount: 1), !byte.isEmpty,
                byte != Data("\n".utf8)
            {
                bytes += byte
            }
            return String(decoding: bytes, as: UTF8.self)
        }

        func release() {
            guard process.isRunning else { return }
            // Not by the end of its input: another process of the tests may have that as well.
            try? input.fileHandleForWriting.write(contentsOf: Data("\n".utf8))
            process.waitUntilExit()
        }
    }

    @Test(.timeLimit(.minutes(60))) func aTracerHoldsItAtItsEnd() throws {
        guard let program = try Probes.program("echo") else { return }
        var configuration = SandboxConfiguration.default
        configuration.patience = 0.2
        let sandbox = try Sandbox(configuration: configuration)
        let process = try sandbox.launch(.executable(fd: program.fd), name: "held")
        // It is past its exec when it answers.
        try process.write([UInt8](repeating: 0x78, count: 65_536))
        var echoed = 0
        while echoed < 65_536 { echoed += try process.read(max: 65_536).count }
        let pid = process.run.state.withLock { escrow_pid($0.pidfd) }
        guard let tracer = try Tracer(of: pid) else { return process.kill(reason: .cancelled) }
        defer { tracer.release() }
        process.kill(reason: .cancelled)
        #expect(tracer.line() == "held")
        // Whoever reads waits no longer than the run.
        while try !process.read(max: 64).isEmpty {}
        let outcome = process.finish()
        #expect(outcome.status == .lost(.traced))
        #expect(!outcome.isClean)
        let diagnostic = try #require(outcome.diagnostic(plugin: "held", version: "1.0.0"))
        #expect(diagnostic.code == .pluginDoesNotEnd)
        #expect(diagnostic.exitStatus == .fault)
        #expect(access("/proc/\(pid)", F_OK) == 0)
        #expect(LostProcesses.current.contains(pid))
        #expect(LostProcesses.find().contains(.init(pid: pid, hold: .traced)))
        // The host goes on.
        #expect(try sandbox.probe("echo", input: Array("x\n".utf8))?.outcome.isClean == true)
        tracer.release()
        // It is reaped as soon as it ends; the time limit of the test is the only deadline.
        while LostProcesses.current.contains(pid) { poll(nil, 0, 10) }
        #expect(!LostProcesses.find().contains { $0.pid == pid })
    }

    @Test func soManyLostOnesAreEnough() throws {
        guard let program = try Probes.program("echo") else { return }
        var configuration = SandboxConfiguration.default
        configuration.mostLost = 0
        let sandbox = try Sandbox(configuration: configuration)
        let prepared = try sandbox.prepare(.executable(fd: program.fd), arguments: [], limits: .standard)
        do throws(Diagnostic) {
            _ = try sandbox.start(prepared)
            Issue.record("it was started")
        } catch { #expect(error.code == .pluginDoesNotEnd) }
    }
}
