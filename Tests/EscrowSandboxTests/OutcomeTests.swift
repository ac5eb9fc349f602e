import EscrowDiagnostics
import EscrowSandbox
import Glibc
import Testing

/// Each end is reported as what it was, by its first cause.
@Suite struct OutcomeTests {
    private func message(_ ran: Ran) -> String? {
        ran.outcome.diagnostic(plugin: "probe", version: "1.2.0")?.message
    }

    @Test func aViolationIsToldInOneSentence() throws {
        guard let ran = try Sandbox().probe("excess", ["burst", "1"]) else { return }
        let when = Int(ran.outcome.whenMs.rounded())
        #expect(
            message(ran)
                == "probe 1.2.0 was stopped: it called socket(AF_INET, SOCK_STREAM), \(when) ms after start; nothing was returned"
        )
        #expect(ran.outcome.reason == "it called socket(AF_INET, SOCK_STREAM)")
        #expect(ran.outcome.kind == "violation")
        #expect(ran.outcome.syscall?.name == "socket")
        // Where a static program's code lies.
        let address = try #require(ran.outcome.address)
        #expect((0x40_0000..<0x80_0000).contains(address), "\(address)")
    }

    @Test(arguments: [
        ("crash", SIGSEGV, "SIGSEGV (a bad memory access)"), ("abort", SIGABRT, "SIGABRT (abort)"),
        ("divide", SIGFPE, "SIGFPE"),
        ("trap", SIGILL, "SIGILL (an illegal instruction, or a trap such as Swift's fatalError)"),
    ])
    func aCrashIsToldAsTheSignalThatItWas(mode: String, signal: Int32, words: String) throws {
        guard let ran = try Sandbox().probe("excess", [mode]) else { return }
        #expect(ran.outcome.status == .signaled(signal))
        #expect(ran.outcome.reason == "it crashed: \(words)")
        let when = Int(ran.outcome.whenMs.rounded())
        #expect(
            message(ran) == "probe 1.2.0 crashed: \(words), \(when) ms after start; nothing was returned")
        #expect(ran.outcome.syscall == nil && ran.outcome.address == nil)
    }

    @Test func anExitCodeIsTold() throws {
        guard let ran = try Sandbox().probe("excess", ["exit", "7"]) else { return }
        #expect(ran.outcome.status == .exited(7))
        let when = Int(ran.outcome.whenMs.rounded())
        #expect(
            message(ran)
                == "probe 1.2.0 failed: it ended with exit code 7, \(when) ms after start; nothing was returned"
        )
    }

    @Test(arguments: [
        ("raise ValueError('no')", Outcome.Status.exited(1)), ("import sys; sys.exit(3)", .exited(3)),
        ("import os; os.abort()", .signaled(SIGABRT)),
        ("import ctypes; ctypes.string_at(0)", .signaled(SIGSEGV)),
        ("def f(n): return f(n + 1)\nf(0)", .exited(1)),
    ])
    func aScriptThatFailsIsNoViolation(script: String, status: Outcome.Status) throws {
        guard let ran = try Sandbox().script("python3", script) else { return }
        // A Python without ctypes says so and fails.
        #expect(
            ran.outcome.status == status || script.contains("ctypes") && ran.log.contains("ModuleNotFound"),
            "\(ran.outcome) \(ran.log)")
        #expect(ran.outcome.syscall == nil)
    }

    /// Of what the kernel counts of a plugin a part is the host's: what the host had in use when the plugin began.
    @Test func aPluginThatFailsWhileTheHostGrowsHasNotUsedUpItsMemory() async {
        // In a process of its own: it is to grow past three quarters of a plugin's limit.
        await #expect(processExitsWith: .success) {
            let (base, step, rounds) = (208 << 20, 8 << 20, 20)
            let memory = try #require(
                mmap(
                    nil, base + rounds * step, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
            memset(memory, 1, base)
            let start = UInt(bitPattern: memory)
            for round in 0..<rounds {
                let growth = Task.detached {
                    let part = UnsafeMutableRawPointer(bitPattern: start)! + base + round * step
                    for page in stride(from: 0, to: step, by: 4096) {
                        part.storeBytes(of: 1, toByteOffset: page, as: UInt8.self)
                        sched_yield()
                    }
                }
                let ran = try Sandbox().probe("excess", ["trap"])
                await growth.value
                // Of a trap no call tells beforehand, when the plugin's own peak could be read.
                let traps = [SIGILL, SIGTRAP].map { Outcome.Status.signaled($0) }
                #expect(ran.map { traps.contains($0.outcome.status) } ?? true, "\(ran?.outcome as Any)")
            }
        }
    }

    @Test(arguments: [
        "fatalError(\"no\")", "precondition(Int.random(in: 0...9) > 9, \"no\")",
        "print([1, 2][Int.random(in: 2...9)])",
        "print(Int8.max + Int8.random(in: 1...9))",
    ])
    func aSwiftProgramThatTrapsIsNoViolation(statement: String) throws {
        guard let program = try SwiftProgram.build(statement) else { return }
        let ran = try Sandbox().run(.executable(fd: program.fd))
        let traps = [SIGILL, SIGTRAP].map { Outcome.Status.signaled($0) }
        #expect(traps.contains(ran.outcome.status), "\(ran.outcome) \(ran.log)")
        #expect(ran.outcome.syscall == nil)
        #expect(ran.outcome.diagnostic(plugin: "p", version: "1.0.0")?.code == .pluginCrashed)
    }
}

/// What comes first is the cause, whatever the host notices later.
@Suite struct FirstCauseTests {
    @Test func aViolationBeforeTheHostReadsTooMuchOutput() throws {
        guard let program = try Probes.program("excess") else { return }
        let process = try Sandbox().launch(
            .executable(fd: program.fd), name: "probe", arguments: ["burst", "5000"],
            limits: .init(outputBytes: 1000))
        // Its stdin closes when it is dead: only then is its output read.
        var closed: SandboxIOError?
        while closed == nil {
            do { try process.write([0]) } catch { closed = error }
        }
        #expect(closed == .closed)
        #expect(throws: SandboxIOError.outputLimit) { _ = try process.read(max: 65_536) }
        process.kill(reason: .protocolError)
        let outcome = process.finish()
        #expect(outcome.status == .violation, "\(outcome)")
        #expect(outcome.usage.outputBytes == 5000)
    }

    @Test func theOutputLimitBeforeAViolation() throws {
        guard let program = try Probes.program("excess") else { return }
        let process = try Sandbox().launch(
            .executable(fd: program.fd), name: "probe", arguments: ["burst-wait", "5000"],
            limits: .init(outputBytes: 1000))
        #expect(throws: SandboxIOError.outputLimit) {
            while true { _ = try process.read(max: 65_536) }
        }
        // It would go on to its violation now, if it were still there.
        try? process.write([0])
        #expect(process.finish().status == .limit(.output))
    }

    @Test func aLimitOfTheCallersBeforeAViolation() throws {
        guard let program = try Probes.program("excess") else { return }
        let process = try Sandbox().launch(
            .executable(fd: program.fd), name: "probe", arguments: ["burst-wait", "1"],
            limits: .init(rows: 7))
        process.end(at: .rows)
        try? process.write([0])
        process.kill(reason: .cancelled)
        let outcome = process.finish()
        #expect(outcome.status == .limit(.rows))
        #expect(outcome.reason == "it reached its limit of 7 rows")
    }

    @Test func anExitAndAViolationAtOnceAreOneOfTheTwo() throws {
        let script = """
            import os, socket, threading
            barrier = threading.Barrier(2)
            def violate():
                barrier.wait()
                socket.socket()
            threading.Thread(target=violate, daemon=True).start()
            barrier.wait()
            os._exit(0)
            """
        let sandbox = try Sandbox()
        for _ in 0..<20 {
            guard let ran = try sandbox.script("python3", script, limits: .init(memoryMiB: 1024)) else {
                return
            }
            switch ran.outcome.status {
            case .violation: #expect(ran.outcome.syscall?.name == "socket")
            case .exited(0): #expect(ran.outcome.syscall == nil)
            default: Issue.record("\(ran.outcome) \(ran.log)")
            }
        }
    }

    @Test func aCrashAndALimitAtOnceAreOneOfTheTwo() throws {
        // The wall limit comes within the time that the program takes to crash.
        let sandbox = try Sandbox()
        for milliseconds in 1...20 {
            let limits = SandboxLimits(wallSeconds: Double(milliseconds) / 10_000)
            guard let ran = try sandbox.probe("excess", ["crash"], limits: limits) else { return }
            #expect(
                [.limit(.wall), .signaled(SIGSEGV)].contains(ran.outcome.status), "\(ran.outcome)")
        }
    }
}
