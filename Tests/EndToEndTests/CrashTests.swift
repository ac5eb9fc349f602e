import Foundation
import Testing

/// kill -9 at every step of a run: the home stays readable and the ledger true.
///
/// `strace` kills the host at its n-th system call of a kind, so that each step is hit on purpose and not by luck.
@Suite(.timeLimit(.minutes(60))) struct CrashTests {
    static var canTrace: Bool {
        (try? trace(
            ["-e", "inject=getppid:signal=KILL:when=60000"], ["/bin/true"], home: URL(filePath: "/"))) == 0
    }

    static func trace(_ options: [String], _ command: [String], home: URL) throws -> Int32 {
        let process = Process()
        // Signals that the thread which starts it has blocked would stay blocked.
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["--default-signal", "strace", "-qq", "-o", "/dev/null"] + options + command
        var environment = ProcessInfo.processInfo.environment
        environment["ESCROW_HOME"] = home.path
        process.environment = environment
        process.currentDirectoryURL = Escrow.root
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationReason == .uncaughtSignal
            ? 128 + process.terminationStatus : process.terminationStatus
    }

    @Test(arguments: [
        "openat", "write", "pwrite64", "fdatasync", "fsync", "rename", "poll", "close", "memfd_create",
    ])
    func aKilledRunLeavesAReadableHomeAndATrueLedger(call: String) throws {
        guard Self.canTrace else {
            print("SKIP: strace is missing or may not trace here")
            return
        }
        let escrow = try Escrow.withPhoneCheck(for: "org.example.test")
        let command = [Escrow.program.path, "run", "phone-check", "--app", "org.example.test"]
        var killed = 0
        var step = 1
        while true {
            let status = try Self.trace(
                ["-e", "trace=\(call)", "-e", "inject=\(call):signal=KILL:when=\(step)"], command,
                home: escrow.home)
            let verified = try escrow.run("ledger", "verify")
            #expect(verified.status == 0, "killed at \(call) \(step): \(verified.words)")
            if status == 0 { break }
            // Anything else than the kill would come back at every step.
            try #require(status == 128 + SIGKILL, "at \(call) \(step) the run ended with \(status)")
            killed += 1
            // The first calls one by one, later ones in growing steps: a run makes hundreds of some kinds.
            step += max(1, step / 2)
        }
        // The next run goes through, and the ledger says of each interrupted one that nothing was handed over.
        #expect(try escrow.run("run", "phone-check", "--app", "org.example.test").status == 0)
        let entries = try #require(
            try escrow.run("ledger", "list", "--last", "1000", "--format", "json").json()["entries"]
                as? [[String: Any]])
        let runs = { (kind: String) in
            Set(entries.filter { $0["kind"] as? String == kind }.compactMap { $0["run"] as? String })
        }
        #expect(runs("run-intent") == runs("run-end").union(runs("run-interrupted")))
        #expect(runs("run-end").isDisjoint(with: runs("run-interrupted")))
        print("\(call): killed \(killed) times, \(runs("run-interrupted").count) runs were under way")
    }
}
