import EscrowConsent
import EscrowDiagnostics
import EscrowFiles
import EscrowHome
import EscrowHost
import Synchronization

/// Waits for what the individual decides, wherever they do: on a terminal, on the page, by a notification.
///
/// What is asked stands in the home, and what is answered does: so that everybody who may answer can, and this process only
/// looks whether anything changed. While nobody waits it does not look.
final class QuestionDesk: Sendable {
    private let path: String
    private let lock = Condition()
    private let state = Mutex(State())

    private struct State {
        var waiting = 0
        var changes: UInt64 = 0
        var isWatching = false
        /// When one may ask again, of the monotonic clock, after the individual said no.
        var notBefore: [Asker: (time: UInt64, refusals: UInt64)] = [:]
    }

    init(home: String) { path = home }

    /// Whether one was told no a moment ago: they ask nobody anew for a minute, and longer each time.
    func isQuiet(_ asker: Asker) -> Bool {
        let now = monotonicNanoseconds()
        return state.withLock { state in
            asker.bound.contains { state.notBefore[$0].map { $0.time > now } ?? false }
        }
    }

    /// The individual said no.
    func refused(_ asker: Asker) {
        state.withLock { state in
            let refusals = min((state.notBefore[asker]?.refusals ?? 0) + 1, 6)
            let pause: UInt64 = (60 << (refusals - 1)) * 1_000_000_000
            state.notBefore[asker] = (monotonicNanoseconds() + pause, refusals)
            if state.notBefore.count > 1024 {
                state.notBefore = state.notBefore.filter { $0.value.time > monotonicNanoseconds() }
            }
        }
    }

    /// The individual said yes.
    func allowed(_ asker: Asker) { state.withLock { $0.notBefore[asker] = nil } }

    /// Calls `look` at once and after every change in the home, until it returns something, the time is over, or the run is
    /// withdrawn: then nil.
    func wait<Value>(
        until deadline: UInt64, _ cancellation: Runner.Cancellation, look: () throws(Diagnostic) -> Value?
    ) throws(Diagnostic) -> Value? {
        begin()
        defer { finish() }
        let desk = self
        cancellation.whenCancelled { desk.wake() }
        while true {
            let seen = state.withLock { $0.changes }
            if let value = try look() { return value }
            lock.lock()
            var isLate = false
            while !isLate, !cancellation.isCancelled, state.withLock({ $0.changes }) == seen {
                isLate = !lock.wait(until: deadline)
            }
            lock.unlock()
            if isLate || cancellation.isCancelled { return nil }
        }
    }

    private func wake() {
        lock.lock()
        state.withLock { $0.changes += 1 }
        lock.broadcast()
        lock.unlock()
    }

    private func begin() {
        let isFirst = state.withLock { state in
            state.waiting += 1
            defer { state.isWatching = true }
            return !state.isWatching
        }
        guard isFirst else { return }
        if !SystemThread.start(name: "changes", { [self] in watch() }) {
            state.withLock { $0.isWatching = false }
        }
    }

    private func finish() { state.withLock { $0.waiting -= 1 } }

    private func watch() {
        let never = Runner.Cancellation()
        let changes = try? HomeChanges(path, never)
        // What changed before it watched is seen once.
        wake()
        while true {
            let isOver = state.withLock { state in
                if state.waiting == 0 || changes == nil { state.isWatching = false }
                return !state.isWatching
            }
            if isOver { return }
            changes?.wait(seconds: 10)
            wake()
        }
    }
}
