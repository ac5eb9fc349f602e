import Foundation
import Glibc
import Testing

/// SIGINT and SIGTERM at any point of `escrow run` end it cleanly: by that signal, with a true ledger, no process, no
/// half-written file, and the terminal as it was.
@Suite(.timeLimit(.minutes(60))) struct LifetimeSignalTests {
    @Test(arguments: [SIGINT, SIGTERM]) func atAnyMomentARunEndsCleanly(signal: Int32) throws {
        let lifetime = try Lifetime()
        var bySignal = 0
        for turn in 0..<60 {
            let begun = lifetime.intents()
            let (process, output) = try lifetime.start("spin")
            // Half of them at any moment of the start, half once the plugin is there. Children before the record of the
            // intent are those by which the host tries out what the kernel can do.
            if turn % 2 == 0 {
                poll(nil, 0, Int32.random(in: 0...300))
            } else {
                while process.isRunning,
                    lifetime.intents().isSubset(of: begun) || lifetime.processes().count < 2
                {
                    poll(nil, 0, 1)
                }
            }
            kill(process.processIdentifier, signal)
            process.waitUntilExit()
            #expect(process.terminationReason == .uncaughtSignal, "turn \(turn)")
            #expect(process.terminationStatus == signal, "turn \(turn)")
            if process.terminationReason == .uncaughtSignal { bySignal += 1 }
            #expect(try output.fileHandleForReading.readToEnd() ?? Data() == Data())
            lifetime.expectNoProcess("turn \(turn)")
        }
        try lifetime.expectNothingOnDisk("after 60 signals")
        let ends = try lifetime.expectTrueLedger("after 60 signals")
        let withdrawn = ends.filter { ["E0542", "E0495"].contains($0["code"] as? String) }
        #expect(bySignal == 60)
        #expect(withdrawn.count >= 20, "\(ends.compactMap { $0["code"] as? String })")
        #expect(ends.allSatisfy { $0["outcome"] as? String == "nothing returned" })
        print("\(bySignal) of 60 runs ended by the signal, \(withdrawn.count) with an end in the ledger")
    }

    /// At each step of the first thread: `strace` sends the signal at its n-th call of a kind.
    @Test(arguments: ["openat", "write", "fdatasync", "rename", "read", "close", "memfd_create"])
    func atAnyCallARunEndsCleanly(call: String) throws {
        guard CrashTests.canTrace else {
            print("SKIP: strace is missing or may not trace here")
            return
        }
        let lifetime = try Lifetime()
        let command = [Escrow.program.path] + Lifetime.arguments("honest")
        var step = 1
        var ended = 0
        while true {
            let status = try CrashTests.trace(
                ["-e", "trace=\(call)", "-e", "inject=\(call):signal=INT:when=\(step)"], command,
                home: lifetime.escrow.home)
            lifetime.expectNoProcess("SIGINT at \(call) \(step)")
            try lifetime.expectNoHalfWrittenFile("SIGINT at \(call) \(step)")
            if status == 0 { break }
            #expect(status == 128 + SIGINT, "SIGINT at \(call) \(step)")
            ended += 1
            step += max(1, step / 2)
        }
        try lifetime.expectNothingOnDisk("SIGINT at \(call)")
        _ = try lifetime.expectTrueLedger("SIGINT at \(call)")
        print("\(call): ended \(ended) times")
    }

    /// Ctrl-C at the question, and while the plugin computes.
    @Test(arguments: ["question", "computing"]) func controlCLeavesTheTerminalAsItWas(moment: String) throws {
        let lifetime = try Lifetime()
        if moment == "question" {
            let grants = try #require(
                try lifetime.escrow.run("grant", "list", "--format", "json").json()["grants"]
                    as? [[String: Any]])
            let id = try #require(grants.first?["id"] as? String)
            #expect(try lifetime.escrow.run("grant", "revoke", id).status == 0)
        }
        var main: Int32 = -1
        var side: Int32 = -1
        try #require(openpty(&main, &side, nil, nil, nil) == 0)
        defer {
            close(main)
            close(side)
        }
        var before = termios()
        tcgetattr(side, &before)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            ["--default-signal", "setsid", "--ctty", "--wait", Escrow.program.path]
            + Lifetime.arguments("spin")
        var environment = ProcessInfo.processInfo.environment
        environment["ESCROW_HOME"] = lifetime.escrow.home.path
        process.environment = environment
        let terminal = FileHandle(fileDescriptor: side, closeOnDealloc: false)
        process.standardInput = terminal
        process.standardOutput = terminal
        process.standardError = terminal
        try process.run()
        if moment == "question" {
            var text: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 4096)
            while !String(decoding: text, as: UTF8.self).contains("allow? ") {
                let count = read(main, &buffer, buffer.count)
                try #require(count > 0)
                text += buffer.prefix(count)
            }
        } else {
            // The host tries out what the kernel can do by processes of its own, before there is a run to be ended.
            while process.isRunning, try !lifetime.hasIntent() || lifetime.processes().count < 3 {
                poll(nil, 0, 1)
            }
        }
        var controlC: UInt8 = 3
        #expect(write(main, &controlC, 1) == 1)
        process.waitUntilExit()
        #expect(process.terminationStatus != 0)
        var after = termios()
        tcgetattr(side, &after)
        #expect(withUnsafeBytes(of: before) { Array($0) } == withUnsafeBytes(of: after) { Array($0) })
        lifetime.expectNoProcess(moment)
        try lifetime.expectNothingOnDisk(moment)
        let ends = try lifetime.expectTrueLedger(moment)
        #expect(ends.compactMap { $0["code"] as? String } == (moment == "question" ? [] : ["E0542"]))
    }
}
