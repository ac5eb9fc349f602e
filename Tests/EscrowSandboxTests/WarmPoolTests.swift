import CEscrowLauncher
import Glibc
import Testing

@testable import EscrowSandbox

/// Processes that are ready before they are asked for, each for one run alone.
@Suite struct WarmPoolTests {
    /// A pool, and a probe that is launched from it.
    final class Bench {
        let pool: WarmPool
        let program: SealedFile
        var limits = SandboxLimits.standard

        /// nil (after a SKIP line) where there is no compiler.
        init?(probe: String = "keep", _ settings: WarmPool.Settings = .init()) throws {
            guard let program = try Probes.program(probe) else { return nil }
            self.program = program
            pool = WarmPool(sandbox: try Sandbox(), settings: settings)
        }

        deinit { pool.close() }

        func launch(_ arguments: [String], identity: String = "a", name: String = "probe") throws
            -> SandboxedProcess
        {
            try pool.launch(
                .executable(fd: program.fd), identity: identity, name: name, arguments: arguments,
                limits: limits)
        }

        func run(
            _ arguments: [String] = ["state"], _ input: String = "", identity: String = "a",
            name: String = "probe"
        ) throws -> Ran {
            try launch(arguments, identity: identity, name: name).finishRun(input: Array(input.utf8))
        }
    }

    @Test func eachRunHasAProcessOfItsOwnAndFindsNothingOfAnother() throws {
        guard let bench = try Bench() else { return }
        var processes: Set<Substring> = []
        for turn in 0..<20 {
            let secret = "secret-\(turn)"
            let ran = try bench.run(["state"], secret)
            #expect(ran.outcome.isClean)
            let words = ran.output.split(separator: " ")
            #expect(words.count == 6 && words[3] == "nothing" && words[5] == "\(secret)\n", "\(ran.output)")
            #expect(processes.insert(words[1]).inserted)
            eventually("something is parked") { bench.pool.counts.parked > 0 }
        }
        #expect(bench.pool.counts.warm == 19)
        #expect(bench.pool.counts.cold == 1)
    }

    @Test func theWallLimitBeginsWhenARunTakesTheProcess() throws {
        guard let bench = try Bench(probe: "excess") else { return }
        bench.limits.wallSeconds = 0.3
        #expect(try bench.run(["sleep"]).outcome.status == .limit(.wall))
        eventually("two are parked") { bench.pool.counts.parked == 2 }
        pass(seconds: 0.5)
        let ran = try bench.run(["sleep"])
        #expect(ran.outcome.status == .limit(.wall))
        #expect(ran.outcome.whenMs >= 290)
        let counts = bench.pool.counts
        #expect(counts == .init(parked: counts.parked, warm: 1, cold: 1, dead: 0))
    }

    @Test func aPoolThatRestsStillHasAProcessForTheNextRun() throws {
        guard let bench = try Bench(.init(restSeconds: 0.4)) else { return }
        #expect(try bench.run().outcome.isClean)
        // The first is not waited for, the second is.
        eventually("one is parked") { bench.pool.counts.parked == 1 }
        pass(seconds: 0.1)
        #expect(bench.pool.counts.parked == 1)
        eventually("two are parked") { bench.pool.counts.parked == 2 }
        #expect(try bench.run().outcome.isClean)
        #expect(try bench.run().outcome.isClean)
        #expect(bench.pool.counts.warm == 2)
    }

    @Test func whatAParkedProcessWroteBelongsToTheRunThatTakesIt() throws {
        guard let bench = try Bench() else { return }
        for turn in 0..<3 {
            let ran = try bench.run(["early"], "\(turn)")
            #expect(ran.output.hasPrefix("early process "))
            #expect(ran.output.hasSuffix(" got \(turn)\n"))
            #expect(ran.log == "early log")
            eventually("two are parked") { bench.pool.counts.parked == 2 }
        }
        #expect(bench.pool.counts.warm == 2)
    }

    @Test func aViolationWhileParkedIsToldByNameAndNotTriedForEver() throws {
        guard let bench = try Bench() else { return }
        for _ in 0..<12 {
            let outcome = try bench.run(["violate"]).outcome
            #expect(outcome.status == .violation)
            #expect(outcome.syscall?.name == "socket")
            pass(seconds: 0.01)
        }
        // Three, or at the third all that were parked at that time.
        #expect(bench.pool.counts.dead <= 6)
        eventually("none is parked any more") {
            _ = try? bench.run(["violate"])
            return bench.pool.counts.parked == 0
        }
    }

    @Test func aProgramThatEndsBeforeItReadsIsToldAsSuch() throws {
        guard let bench = try Bench() else { return }
        for _ in 0..<8 {
            #expect(try bench.run(["die"]).outcome.status == .exited(5))
            pass(seconds: 0.01)
        }
    }

    /// The state of a process, as proc_pid_stat(5) spells it.
    private func state(of process: SandboxedProcess) -> Character? {
        let text = process.procDirectory.flatMap { readSmallFile($0 + "/stat") }
        return text?.split(separator: ")").last?.split(separator: " ").first?.first
    }

    @Test(arguments: ["state", "spin"]) func aParkedProcessIsStoppedUntilARunTakesIt(_ what: String) throws {
        guard let bench = try Bench(.init(least: 1, most: 1)) else { return }
        // What spins is to reach it; what ends by itself is not, however long it waits for its turn.
        bench.limits.wallSeconds = what == "spin" ? 1 : 100
        let process = try bench.launch([what])
        process.kill(reason: .cancelled)
        // Where this thread was kept waiting, what spins was at its limit before.
        #expect([.killedByHost(.cancelled), .limit(.wall)].contains(process.finish().status))
        eventually("one is parked") { bench.pool.counts.parked > 0 }
        let parked = try #require(bench.pool.worker.parked.first)
        eventually("it is stopped") { state(of: parked) == "T" }
        let ran = try bench.run([what], "a")
        #expect(bench.pool.counts.warm == 1 && bench.pool.counts.dead == 0)
        // It goes on: to its own end, or to the limit of the run that took it.
        #expect(ran.outcome.status == (what == "state" ? .exited(0) : .limit(.wall)))
        #expect(ran.output.hasSuffix(what == "state" ? " got a\n" : ""))
    }

    @Test func aParkedProcessThatIsStoppedCanBeEnded() throws {
        guard let bench = try Bench(.init(least: 1, most: 1)) else { return }
        #expect(try bench.run().outcome.isClean)
        eventually("one is parked") { bench.pool.counts.parked > 0 }
        let parked = try #require(bench.pool.worker.parked.first)
        eventually("it is stopped") { state(of: parked) == "T" }
        bench.pool.empty()
        #expect(parked.run.outcome(until: nil)?.status == .killedByHost(.cancelled))
    }

    @Test func theNextRunGoesThroughWhenAParkedProcessIsKilled() throws {
        guard let bench = try Bench() else { return }
        #expect(try bench.run().outcome.isClean)
        eventually("two are parked") { bench.pool.counts.parked == 2 }
        for process in bench.pool.worker.parked {
            let pidfd = eventually("it has a pidfd") { () -> Int32? in
                let number = process.run.state.withLock { $0.pidfd }
                return number >= 0 ? number : nil
            }
            #expect(escrow_kill(try #require(pidfd)) == 0)
            _ = process.run.outcome(until: nil)
        }
        let ran = try bench.run(["state"], "x")
        #expect(ran.outcome.isClean && ran.output.hasSuffix(" got x\n"))
        #expect(bench.pool.counts.dead == 2)
        eventually("some are parked again") { bench.pool.counts.parked > 0 }
        #expect(try bench.run().outcome.isClean)
        #expect(bench.pool.counts.warm == 1)
    }

    @Test func whatWasVerifiedAnewIsNeverRunFromWhatWasParkedBefore() throws {
        guard let bench = try Bench() else { return }
        #expect(try bench.run(identity: "a").outcome.isClean)
        eventually("two are parked") { bench.pool.counts.parked == 2 }
        let stale = bench.pool.worker.parked
        #expect(try bench.run(identity: "b").outcome.isClean)
        for process in stale { #expect(process.run.outcome(until: nil)?.status == .killedByHost(.cancelled)) }
        #expect(try bench.run(["early"], identity: "b").output.hasPrefix("early"))
        bench.limits.memoryMiB = 64
        #expect(try bench.run(["early"], identity: "b").outcome.limits.memoryMiB == 64)
        #expect(bench.pool.counts.warm == 0)
    }

    @Test func whatIsDiscardedIsEnded() throws {
        guard let bench = try Bench() else { return }
        let ends: [(WarmPool) -> Void] = [
            { $0.discard { $0 == "probe" } }, { $0.empty() }, { $0.close() },
        ]
        for (turn, end) in ends.enumerated() {
            #expect(try bench.run().outcome.isClean)
            eventually("two are parked") { bench.pool.counts.parked == 2 }
            let parked = bench.pool.worker.parked
            bench.pool.discard { $0 == "another" }
            #expect(bench.pool.counts.parked == 2)
            end(bench.pool)
            for process in parked {
                #expect(process.run.outcome(until: nil)?.status == .killedByHost(.cancelled))
            }
            #expect(bench.pool.counts == .init(parked: 0, warm: 0, cold: turn + 1, dead: 0))
        }
        // A closed pool runs, cold, and parks nothing.
        #expect(try bench.run().outcome.isClean)
        #expect(bench.pool.counts.parked == 0)
    }

    @Test func onlyProgramsInRecentUseAreKept() throws {
        guard let bench = try Bench(.init(programs: 1, idleSeconds: 3600)) else { return }
        for name in ["one", "two", "one"] {
            #expect(try bench.run(name: name).outcome.isClean)
            eventually("two are parked") { bench.pool.counts.parked == 2 }
        }
        #expect(bench.pool.counts.cold == 3)
        guard let idle = try Bench(.init(idleSeconds: 0)) else { return }
        #expect(try idle.run().outcome.isClean)
        eventually("none is parked") { idle.pool.worker.names.isEmpty }
    }

    @Test(arguments: [(2, 0, 2), (2, 1, 1), (2, 2, 2), (2, 9, 2), (4, 3, 3), (1, 1, 1)])
    func whileRunsGoOnOneForEachIsEnough(depth: Int, running: Int, wanted: Int) {
        #expect(WarmPool.wanted(depth: depth, running: running) == wanted)
    }

    @Test func memoryIsBounded() throws {
        guard let bench = try Bench(.init(memoryMiB: 300)) else { return }
        for name in ["one", "two"] {
            #expect(try bench.run(name: name).outcome.isClean)
            eventually("one is parked, and it is \(name)") {
                let parked = bench.pool.worker.parked
                return parked.count == 1 && bench.pool.worker.names == [name]
            }
        }
    }

    @Test func aThousandWarmRunsLeaveNothingBehind() async throws {
        guard let path = try Probes.path("echo") else { return }
        // In a process of its own, where nobody else opens descriptors or has children.
        await #expect(processExitsWith: .success) { [path = path as String] in
            let program = try SealedFile(readFile(path))
            func opened() -> Int { (0..<1024).filter { fcntl($0, F_GETFD) >= 0 }.count }
            func round(_ count: Int) throws {
                let pool = WarmPool(sandbox: try Sandbox())
                for _ in 0..<count {
                    let process = try pool.launch(
                        .executable(fd: program.fd), identity: "a", name: "probe")
                    #expect(process.finishRun(input: [0x78]).output == "x")
                    eventually("one is parked") { pool.counts.parked > 0 }
                }
                #expect(pool.counts.warm == count - 1)
                pool.close()
            }
            let before = opened()
            try round(1000)
            // A supervisor's thread may still be on its way out, and lets go of its descriptors last. Swift's own runtime
            // opens a few at a time of its choosing; one left behind by each run would be a thousand.
            eventually("all descriptors are closed") { opened() < before + 8 }
            var status: Int32 = 0
            #expect(waitpid(-1, &status, WNOHANG) == -1 && errno == ECHILD)
        }
    }

    @Test func noParkedProcessOutlivesAKilledHost() async throws {
        guard let path = try Probes.path("keep"), let directory = Probes.directory else { return }
        let note = "\(directory)/parked-\(getpid())"
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, note = note as String] in
            let program = try SealedFile(readFile(path))
            let pool = WarmPool(sandbox: try Sandbox())
            _ = try pool.launch(.executable(fd: program.fd), identity: "a", name: "probe").finishRun(input: []
            )
            let pids = eventually("two have started") { () -> [Int32]? in
                let pids = pool.worker.parked.map { escrow_pid($0.run.state.withLock { $0.pidfd }) }
                return pids.count == 2 && !pids.contains(0) ? pids : nil
            }
            let text = Array((pids ?? []).map(String.init).joined(separator: " ").utf8)
            let file = open(note, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
            #expect(write(file, text, text.count) == text.count)
            kill(getpid(), SIGKILL)
        }
        let pids = String(decoding: try readFile(note), as: UTF8.self).split(separator: " ")
        unlink(note)
        #expect(pids.count == 2)
        for pid in pids {
            // Init reaps it in its own time; dead it is as a zombie as well.
            eventually("process \(pid) is dead") {
                let stat = (try? readFile("/proc/\(pid)/stat")).map { String(decoding: $0, as: UTF8.self) }
                return stat == nil || stat?.contains(") Z") == true
            }
        }
    }
}

/// Lets time go by, where that itself is what the test is about.
private func pass(seconds: Double) { poll(nil, 0, Int32(seconds * 1000)) }
