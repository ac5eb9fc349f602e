import EscrowEgress
import EscrowHost
import EscrowManifest
import Glibc
import Testing

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
}
