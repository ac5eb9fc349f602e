import EscrowDiagnostics
import EscrowSandbox
import Glibc
import Testing

/// Every limit ends the run, and is reported by its name.
@Suite struct LimitTests {
    private func code(_ ran: Ran) -> String? {
        ran.outcome.diagnostic(plugin: "probe", version: "1.0.0")?.code.rawValue
    }

    @Test func sleepingEndsAtTheWallLimit() throws {
        guard let ran = try Sandbox().probe("excess", ["sleep"], limits: .init(wallSeconds: 0.3)) else {
            return
        }
        #expect(ran.outcome.status == .limit(.wall))
        #expect(ran.outcome.whenMs >= 290)
        #expect(code(ran) == "E0530")
    }

    @Test func spinningEndsAtTheProcessorLimit() throws {
        guard let ran = try Sandbox().probe("excess", ["spin"], limits: .init(cpuSeconds: 1)) else { return }
        #expect(ran.outcome.status == .limit(.cpu))
        #expect(ran.outcome.usage.cpuSeconds >= 0.6)
        #expect(code(ran) == "E0531")
    }

    @Test(arguments: [true, false]) func memoryEndsAtItsLimit(_ usesControlGroups: Bool) throws {
        guard let path = try Probes.path("excess") else { return }
        #expect(try Plain.run([path, "memory", "200"]).output == "DID IT\n")
        let sandbox = try Sandbox(configuration: .init(usesControlGroups: usesControlGroups))
        let ran = try #require(try sandbox.probe("excess", ["memory", "200"], limits: .init(memoryMiB: 64)))
        #expect(ran.outcome.status == .limit(.memory), "\(ran.outcome)")
        #expect(ran.output == "")
        #expect(code(ran) == "E0532")
        let enough = try #require(
            try sandbox.probe("excess", ["memory", "200"], limits: .init(memoryMiB: 256)))
        #expect(enough.outcome.isClean, "\(enough.outcome)")
        #expect(enough.outcome.usage.maxRSSKiB >= 200 << 10)
    }

    @Test func addressSpaceCountsAsMemory() throws {
        guard let ran = try Sandbox().probe("excess", ["reserve", "200"], limits: .init(memoryMiB: 64)) else {
            return
        }
        #expect(ran.outcome.status == .limit(.memory), "\(ran.outcome)")
    }

    @Test func outputEndsAtItsLimit() throws {
        let limits = SandboxLimits(outputBytes: 100_000)
        guard let exact = try Sandbox().probe("excess", ["output", "100000"], limits: limits) else { return }
        #expect(exact.outcome.isClean)
        #expect(exact.output.utf8.count == 100_000)
        let more = try #require(try Sandbox().probe("excess", ["output", "100000000"], limits: limits))
        #expect(more.outcome.status == .limit(.output))
        #expect(code(more) == "E0533")
    }

    @Test func aFloodOfOutputTakesNoMemoryOfTheHost() async throws {
        guard let probe = try Probes.path("excess") else { return }
        // In a process of its own: what other tests take at the same time does not count.
        await #expect(processExitsWith: .exitCode(0)) { [probe = probe as String] in
            let program = try SealedFile(readFile(probe))
            let process = try Sandbox().launch(
                .executable(fd: program.fd), name: "probe", arguments: ["output", "10000000000"],
                limits: .init(outputBytes: 256 << 20))
            #expect(try !process.read(max: 1 << 16).isEmpty)
            let before = try peakKiB()
            #expect(throws: SandboxIOError.outputLimit) {
                while try !process.read(max: 1 << 16).isEmpty {}
            }
            #expect(process.finish().status == .limit(.output))
            let grown = try peakKiB() - before
            #expect(grown < 8 << 10, "\(grown) KiB")
            exit(grown < 8 << 10 ? 0 : 1)
        }
    }

    @Test func logEndsAtItsLimitAndIsCut() throws {
        let limits = SandboxLimits(logBytes: 1000)
        guard let exact = try Sandbox().probe("excess", ["log", "1000"], limits: limits) else { return }
        #expect(exact.outcome.isClean)
        #expect(exact.outcome.log.count == 1000)
        let more = try #require(try Sandbox().probe("excess", ["log", "1000000"], limits: limits))
        #expect(more.outcome.status == .limit(.log))
        #expect(more.outcome.log.count == 1000)
        #expect(code(more) == "E0534")
    }

    private static let threads = """
        import sys, threading
        event = threading.Event()
        for _ in range(int(sys.argv[1])): threading.Thread(target=event.wait, daemon=True).start()
        print("DID IT")
        event.set()
        """

    @Test(arguments: [true, false]) func threadsEndAtTheirLimit(_ usesControlGroups: Bool) throws {
        let sandbox = try Sandbox(configuration: .init(usesControlGroups: usesControlGroups))
        let limits = SandboxLimits(memoryMiB: 2048, processes: 8)
        // Its first thread counts as well.
        guard let enough = try sandbox.script("python3", Self.threads, arguments: ["7"], limits: limits)
        else { return }
        #expect(enough.outcome.isClean, "\(enough.outcome.status) \(enough.log)")
        let more = try #require(
            try sandbox.script("python3", Self.threads, arguments: ["8"], limits: limits))
        #expect(more.outcome.status == .limit(.processes), "\(more.outcome.status) \(more.log)")
        #expect(more.outcome.reason == "it reached its limit of 8 threads")
        #expect(more.output == "")
        #expect(code(more) == "E0535")
    }

    @Test func threadsThatEndedDoNotCount() throws {
        let script = """
            import threading
            for _ in range(300):
                thread = threading.Thread(target=lambda: None)
                thread.start(); thread.join()
            print("DID IT")
            """
        guard let ran = try Sandbox().script("python3", script, limits: .init(memoryMiB: 2048, processes: 2))
        else { return }
        #expect(ran.outcome.isClean, "\(ran.outcome.status) \(ran.log)")
        #expect(ran.output == "DID IT\n")
    }

    @Test func theHostCanEndARunAndTheFirstCauseCounts() throws {
        guard let program = try Probes.program("excess") else { return }
        let process = try Sandbox().launch(.executable(fd: program.fd), name: "probe", arguments: ["sleep"])
        process.kill(reason: .protocolError)
        process.kill(reason: .cancelled)
        #expect(process.finish().status == .killedByHost(.protocolError))
    }

    @Test func aPluginThatLingersIsEnded() throws {
        guard let program = try Probes.program("excess") else { return }
        let process = try Sandbox().launch(.executable(fd: program.fd), name: "probe", arguments: ["sleep"])
        #expect(process.finish(graceSeconds: 0.1).status == .killedByHost(.lingered))
    }

    @Test func writingToAClosedInputIsNoSignal() throws {
        guard let program = try Probes.program("excess") else { return }
        let process = try Sandbox().launch(.executable(fd: program.fd), name: "probe", arguments: ["deaf"])
        #expect(throws: SandboxIOError.closed) {
            try process.write([UInt8](repeating: 0, count: 1 << 20))
        }
        process.kill(reason: .cancelled)
        #expect(process.finish().status == .killedByHost(.cancelled))
    }

    @Test func aLowerLimitOfTheHostsOwnHolds() async throws {
        guard let probe = try Probes.path("excess") else { return }
        await #expect(processExitsWith: .exitCode(0)) { [probe = probe as String] in
            // As after `ulimit -c 0`: below what the sandbox sets, and not to be raised.
            var none = rlimit(rlim_cur: 0, rlim_max: 0)
            try #require(setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none) == 0)
            let program = try SealedFile(readFile(probe))
            let ran = try Sandbox().run(.executable(fd: program.fd), arguments: ["exit", "0"])
            #expect(ran.outcome.isClean, "\(ran.outcome)")
        }
    }

    @Test func limitsOutOfRangeAreRefused() throws {
        let file = try SealedFile([1])
        for limits in [
            SandboxLimits(wallSeconds: 0), .init(wallSeconds: .nan), .init(cpuSeconds: -1),
            .init(memoryMiB: 1 << 40), .init(outputBytes: 0), .init(processes: 0),
        ] {
            #expect {
                _ = try Sandbox().launch(.executable(fd: file.fd), name: "probe", limits: limits)
            } throws: {
                "\($0)".contains("E0519")
            }
        }
    }
}

/// The most memory that this process had in use. proc(5), VmHWM
private func peakKiB() throws -> Int {
    let text = String(decoding: try readFile("/proc/self/status"), as: UTF8.self)
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
    return try #require(Int(line.filter(\.isNumber)))
}
