import Glibc
import Synchronization
import Testing

@testable import EscrowFiles

/// Threads that do one thing after another.
@Suite struct SystemThreadTests {
    /// Stack sizes that nobody else in this process has: a thread is taken again for the same alone.
    private static func starts(_ stackBytes: Int, _ body: @escaping @Sendable () -> Void) {
        #expect(SystemThread.start(name: "test", stackBytes: stackBytes, body))
    }

    private final class Board: Sendable {
        private let condition = Condition()
        private let threads = Mutex<[UInt]>([])

        func note() {
            condition.lock()
            threads.withLock { $0.append(UInt(pthread_self())) }
            condition.broadcast()
            condition.unlock()
        }

        /// The threads that were here, once there were so many.
        func all(_ count: Int) -> [UInt] {
            condition.lock()
            defer { condition.unlock() }
            while threads.withLock(\.count) < count { condition.wait() }
            return threads.withLock { $0 }
        }
    }

    @Test func whatComesSoonHasTheSameThread() {
        let board = Board()
        for number in 1...50 {
            Self.starts(1_003_520) { board.note() }
            _ = board.all(number)
            // It may be on its way to rest: then the next has a thread of its own.
            poll(nil, 0, 1)
        }
        #expect(Set(board.all(50)).count < 50)
    }

    @Test func manyAtATimeAllHaveOne() {
        let board = Board()
        let gate = Condition()
        let isOpen = Mutex(false)
        for _ in 0..<100 {
            Self.starts(999_424) {
                gate.lock()
                while !isOpen.withLock({ $0 }) { gate.wait() }
                gate.unlock()
                board.note()
            }
        }
        gate.lock()
        isOpen.withLock { $0 = true }
        gate.broadcast()
        gate.unlock()
        #expect(Set(board.all(100)).count == 100)
    }

    @Test func aThreadThatWasGivenMoreAtItsEndDoesIt() {
        // Around the second after which it ends.
        for milliseconds: Int32 in [990, 998, 1_000, 1_002, 1_010] {
            let board = Board()
            Self.starts(1_007_616) { board.note() }
            _ = board.all(1)
            poll(nil, 0, milliseconds)
            Self.starts(1_007_616) { board.note() }
            #expect(board.all(2).count == 2)
        }
    }

    @Test func nothingOfItsWorkOutlivesIt() {
        final class Held: Sendable {
            let gone: Board
            init(_ gone: Board) { self.gone = gone }
            deinit { gone.note() }
        }
        let gone = Board()
        do {
            let held = Held(gone)
            Self.starts(1_011_712) { withExtendedLifetime(held) {} }
        }
        #expect(gone.all(1).count == 1)
    }
}
