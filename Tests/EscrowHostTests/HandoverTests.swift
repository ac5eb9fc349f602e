import EscrowDiagnostics
import EscrowEgress
import EscrowManifest
import Glibc
import Synchronization
import TemporaryFolder
import Testing

@testable import EscrowHome
@testable import EscrowHost

/// When an app has its answer: a plugin takes as long as it likes, and the app sees one of the announced moments.
@Suite struct HandoverTests {
    final class TestClock: RunClock, @unchecked Sendable {
        var seconds = 5_000.0

        func wait(until seconds: Double) { self.seconds = max(self.seconds, seconds) }
        func cancel() {}
    }

    @Test(arguments: [1, 30, 45, 600]) func noMoreMomentsThanAnnounced(wallSeconds: Int) {
        let grid = TimeGrid.results(wallSeconds: wallSeconds)
        var seen: Set<Int> = []
        // Every length that a run may have, in steps of a hundredth, and the time that the host may take after it.
        var length = 0.0001
        while length < Double(wallSeconds) + 60 {
            let clock = TestClock()
            let handover = Handover(grid, clock: clock)
            let begun = clock.seconds
            clock.seconds += length
            handover.wait()
            let passed = clock.seconds - begun
            #expect(passed >= length && passed <= max(0.001, length * 1.2) + 1e-6)
            seen.insert(Int((passed * 1e6).rounded()))
            length *= 1.01
        }
        #expect(seen.count == grid.moments.count)
        #expect(log2(Double(seen.count)) <= grid.bits)
    }

    @Test func evenAfterTheLastMomentItIsOneOfAGrid() throws {
        let grid = TimeGrid.results(wallSeconds: 1)
        let last = try #require(grid.moments.last)
        let clock = TestClock()
        let handover = Handover(grid, clock: clock)
        let begun = clock.seconds
        clock.seconds += last + 0.5
        handover.wait()
        #expect(abs(clock.seconds - begun - 2 * last) < 1e-6)
    }

    /// A clock that stands still but for who waits.
    private final class StillClock: RunClock {
        static let begun = 5_000.0
        let waits = Mutex<[Double]>([])

        var seconds: Double { waits.withLock { $0.last ?? Self.begun } }
        func wait(until seconds: Double) { waits.withLock { $0.append(seconds) } }
        func cancel() {}
    }

    /// Whatever a run comes to is handed over at a moment of its grid: here the first one, since no time passes.
    @Test(arguments: [nil, #"error("no")"#]) func aRunWaitsForItsMoment(script: String?) throws {
        let scratch = try TemporaryFolder("escrow-handover")
        let home = try Home.create(at: scratch.path + "/home")
        try KeptPlugin.keep(in: home, script: script)
        let clock = StillClock()
        var runner = Runner(
            host: try Host(home: home), decider: KeptPlugin.Yes())
        runner.clock = { clock }
        let request = RunRequest(app: "org.example.notes", plugin: "data-copy")
        if script == nil {
            _ = try runner.run(request)
        } else {
            #expect(throws: Diagnostic(.pluginFailed, "")) { try runner.run(request) }
        }
        let first = try #require(TimeGrid.results(wallSeconds: 30).moments.first)
        #expect(clock.waits.withLock { $0 } == [StillClock.begun + first])
    }
}
