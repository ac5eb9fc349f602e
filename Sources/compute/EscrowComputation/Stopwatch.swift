/// Measures the parts of a run with the monotonic clock.
public struct Stopwatch {
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
    private var last: ContinuousClock.Instant

    public init() {
        start = clock.now
        last = start
    }

    /// Milliseconds since the last lap, or since the start.
    public mutating func lap() -> Double {
        let now = clock.now
        defer { last = now }
        return Self.milliseconds(last.duration(to: now))
    }

    /// Milliseconds since the start.
    public var total: Double { Self.milliseconds(start.duration(to: clock.now)) }

    private static func milliseconds(_ duration: Duration) -> Double {
        let parts = duration.components
        return Double(parts.seconds) * 1_000 + Double(parts.attoseconds) / 1e15
    }
}
