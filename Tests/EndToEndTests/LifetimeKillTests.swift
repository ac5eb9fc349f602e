import Foundation
import Glibc
import Testing

/// kill -9 of the host, at many points of a run: the plugin dies with it, and nothing of the data is on disk.
@Suite(.timeLimit(.minutes(60))) struct LifetimeKillTests {
    /// At random moments: while it starts, while the plugin computes.
    @Test func aKilledHostTakesItsPluginAlongAndLeavesNoData() throws {
        let lifetime = try Lifetime()
        var under = 0
        for turn in 0..<40 {
            let begun = lifetime.intents()
            let (process, output) = try lifetime.start("spin")
            poll(nil, 0, Int32.random(in: 0...400))
            if turn % 2 == 0 {
                // Not before the plugin is there: children before the record of the intent are the host's own.
                while process.isRunning,
                    lifetime.intents().isSubset(of: begun) || lifetime.processes().count < 2
                {
                    poll(nil, 0, 1)
                }
            }
            if lifetime.processes().count > 1 { under += 1 }
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            #expect(try output.fileHandleForReading.readToEnd() ?? Data() == Data())
            lifetime.expectNoProcess("turn \(turn)")
        }
        try lifetime.expectNothingOnDisk("after 40 kills", temporaryFiles: true)
        _ = try lifetime.expectTrueLedger("after 40 kills")
        #expect(under >= 10, "the plugin was running in \(under) turns only")
        print("killed 40 times, \(under) times with the plugin under way")
    }

    /// At each step: `strace` kills the host at its n-th call of a kind.
    @Test(arguments: ["clone", "pipe2", "poll", "read", "write", "fdatasync", "memfd_create", "execveat"])
    func aHostKilledAtAnyCallLeavesNoProcessAndNoData(call: String) throws {
        guard CrashTests.canTrace else {
            print("SKIP: strace is missing or may not trace here")
            return
        }
        let lifetime = try Lifetime()
        let command = [Escrow.program.path] + Lifetime.arguments("honest")
        var step = 1
        var killed = 0
        while true {
            // With its threads: the spawner's clone, the supervisor's poll.
            let status = try CrashTests.trace(
                ["-f", "-e", "trace=\(call)", "-e", "inject=\(call):signal=KILL:when=\(step)"], command,
                home: lifetime.escrow.home)
            lifetime.expectNoProcess("killed at \(call) \(step)")
            if status == 0 { break }
            killed += 1
            step += max(1, step / 2)
        }
        try lifetime.expectNothingOnDisk("killed at \(call)", temporaryFiles: true)
        _ = try lifetime.expectTrueLedger("killed at \(call)")
        print("\(call): killed \(killed) times")
    }

    /// A plugin that waits for its input for ever, in a host that serves an app.
    @Test func aKilledServiceTakesWaitingPluginsAlong() throws {
        let lifetime = try Lifetime()
        let process = Process()
        process.executableURL = Escrow.program
        process.arguments = ["host", "--stdio"]
        var environment = ProcessInfo.processInfo.environment
        environment["ESCROW_HOME"] = lifetime.escrow.home.path
        process.environment = environment
        let input = Pipe()
        let output = Pipe()
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        for id in 1...4 {
            let line = """
                {"id":\(id),"run":{"app":"org.example.test","compute":"rogue","arguments":{"mode":"spin"}}}

                """
            try input.fileHandleForWriting.write(contentsOf: Data(line.utf8))
        }
        while process.isRunning, lifetime.processes().count < 4 { poll(nil, 0, 1) }
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        lifetime.expectNoProcess("after kill -9 of the service")
        try lifetime.expectNothingOnDisk("after kill -9 of the service", temporaryFiles: true)
        _ = try lifetime.expectTrueLedger("after kill -9 of the service")
    }
}
