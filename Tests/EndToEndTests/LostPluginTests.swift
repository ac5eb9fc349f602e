import Foundation
import Glibc
import Testing

/// A plugin that a tracer holds at its end: the app has its answer all the same, the ledger says what happened, and the host serves
/// on.
@Suite struct LostPluginTests {
    /// A process of the tests, with its two pipes.
    private struct Peer {
        let process = Process()
        let input = Pipe()
        let output = Pipe()

        init(_ program: URL, _ arguments: [String], home: URL? = nil) throws {
            process.executableURL = program
            process.arguments = arguments
            if let home {
                process.environment = ProcessInfo.processInfo.environment.merging([
                    "ESCROW_HOME": home.path
                ]) { $1 }
            }
            process.standardInput = input
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            try process.run()
        }

        func say(_ line: String) throws {
            try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
        }

        /// The next line; empty at the end.
        func hear() -> String {
            var bytes = Data()
            while let byte = try? output.fileHandleForReading.read(upToCount: 1), !byte.isEmpty,
                byte != Data("\n".utf8)
            {
                bytes += byte
            }
            return String(decoding: bytes, as: UTF8.self)
        }

        /// Not by the end of its input: another process of the tests may have that as well.
        func end() {
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
    }

    /// The process whose program has this name and which listens for SIGUSR1; it is waited for. A process that is parked for the
    /// next run has the name too, and does not listen yet.
    private static func find(_ marker: String) throws -> Int32 {
        while true {
            for name in try FileManager.default.contentsOfDirectory(atPath: "/proc") {
                let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(name)/exe")
                guard let pid = Int32(name), program?.contains(marker) == true else { continue }
                let status = try? String(contentsOfFile: "/proc/\(name)/status", encoding: .utf8)
                let caught = status?.split(separator: "\n").first { $0.hasPrefix("SigCgt:") }
                let signals = caught.flatMap { UInt64($0.dropFirst(7).drop { $0 == "\t" }, radix: 16) } ?? 0
                if signals & 1 << UInt64(SIGUSR1 - 1) != 0 { return pid }
            }
            poll(nil, 0, 5)
        }
    }

    @Test(.timeLimit(.minutes(10))) func itsAppHasAnAnswer() throws {
        guard geteuid() == 0, access("/usr/bin/python3", X_OK) == 0 else {
            print("SKIP: only root may trace a plugin, and by python3")
            return
        }
        let lifetime = try Lifetime()
        let host = try Peer(Escrow.program, ["host", "--stdio"], home: lifetime.escrow.home)
        defer { host.end() }
        #expect(host.hear().contains("escrow-host"))
        func ask(_ id: Int, _ mode: String) throws {
            try host.say(
                #"{"id":\#(id),"run":{"app":"org.example.test","compute":"rogue","arguments":{"mode":"\#(mode)"}}}"#
            )
        }
        try ask(1, "signal")
        let pid = try Self.find(lifetime.marker)
        let tracer = try Peer(
            URL(filePath: "/usr/bin/python3"),
            [Escrow.root.appending(path: "Tests/Support/hold_at_end.py").path, "\(pid)"])
        defer { tracer.end() }
        guard tracer.hear() == "traced" else {
            print("SKIP: no process may be traced here")
            return
        }
        // It breaks the protocol when it is told to.
        kill(pid, SIGUSR1)
        #expect(tracer.hear() == "held")
        // One failure like all others, for the app.
        let answer = host.hear()
        #expect(answer.hasPrefix(#"{"id":1,"error":{"code":"E0543""#), "\(answer)")
        #expect(access("/proc/\(pid)", F_OK) == 0)
        let ends = try lifetime.escrow.entries("run-end")
        #expect(ends.map { $0["code"] as? String } == ["E0518"])
        // The host goes on.
        try ask(2, "honest")
        #expect(host.hear().hasPrefix(#"{"id":2,"result":"#))
    }
}
