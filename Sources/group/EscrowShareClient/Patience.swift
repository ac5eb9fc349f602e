/// How long calls to several servers may take together, so that one that is slow keeps nobody from the others' answers.
public struct Patience: Sendable {
    /// How many servers' answers are enough: the rest is waited for as long again as they took, and a grace.
    public let enough: Int
    public let grace: Duration
    /// When all must be over.
    public let end: ContinuousClock.Instant

    public init(enough: Int, grace: Duration = .seconds(2), until end: ContinuousClock.Instant) {
        self.enough = enough
        self.grace = grace
        self.end = end
    }

    /// What came of calls.
    public struct Answers: Sendable {
        /// In the order of the calls.
        public let outcomes: [Call.Outcome]
        /// Servers that were reached, and waited for no longer: what was left of their calls counts as unreachable.
        public let slow: Set<ServerAddress>

        public init(outcomes: [Call.Outcome], slow: Set<ServerAddress>) {
            self.outcomes = outcomes
            self.slow = slow
        }
    }

    /// When calls that began at `start` are cut, once enough servers have answered all of theirs.
    func end(from start: ContinuousClock.Instant, answeredAt now: ContinuousClock.Instant)
        -> ContinuousClock.Instant
    {
        min(end, now + (now - start) + grace)
    }
}
