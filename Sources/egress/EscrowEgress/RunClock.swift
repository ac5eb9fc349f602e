import Dispatch
import Synchronization

/// Time as a run's outside is timed by.
public protocol RunClock: Sendable {
    /// Seconds since some fixed moment; it never goes back.
    var seconds: Double { get }
    /// Waits until then, or until `cancel`.
    func wait(until seconds: Double)
    /// Ends the waiting, and every later one: the individual ended the run. Any thread may call it, and it does not wait.
    func cancel()
}

/// The machine's own.
public final class MonotonicClock: RunClock {
    private let isCancelled = Mutex(false)
    private let cancelled = DispatchSemaphore(value: 0)

    /// One for each run: it is cancelled for good.
    public init() {}

    public var seconds: Double { Double(DispatchTime.now().uptimeNanoseconds) / 1e9 }

    public func wait(until seconds: Double) {
        let rest = seconds - self.seconds
        guard rest > 0, !isCancelled.withLock({ $0 }) else { return }
        if cancelled.wait(timeout: .now() + rest) == .success { cancelled.signal() }
    }

    public func cancel() {
        isCancelled.withLock { $0 = true }
        cancelled.signal()
    }
}
