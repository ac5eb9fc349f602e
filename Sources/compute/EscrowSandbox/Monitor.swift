import EscrowFiles

/// A value behind a lock, with waiting: the sandbox uses threads of its own and no runtime's executor.
final class Monitor<State>: @unchecked Sendable {
    private let condition = Condition()
    private var state: State

    init(_ state: State) { self.state = state }

    /// Runs the body with the lock held; then wakes all who wait.
    func withLock<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        condition.lock()
        defer {
            condition.broadcast()
            condition.unlock()
        }
        return try body(&state)
    }

    /// Runs the body if nobody holds the lock.
    func tryLock(_ body: (inout State) -> Void) {
        guard condition.tryLock() else { return }
        body(&state)
        condition.broadcast()
        condition.unlock()
    }

    /// Waits until the body gives a value, or until the deadline (nanoseconds of the monotonic clock) has passed.
    func wait<Result>(until deadline: UInt64? = nil, for body: (inout State) -> Result?) -> Result? {
        condition.lock()
        defer { condition.unlock() }
        while true {
            if let result = body(&state) { return result }
            if let deadline {
                if !condition.wait(until: deadline) { return body(&state) }
            } else {
                condition.wait()
            }
        }
    }
}
