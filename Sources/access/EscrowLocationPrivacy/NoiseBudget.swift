/// How much may be told in a day by noise: ε is added up, and when the day's is spent nothing new is told.
public struct NoiseBudget: Sendable, Hashable {
    /// What a day has.
    public let limit: Double
    /// The last day on which something was spent, counted by whoever keeps the clock.
    public private(set) var day = 0
    /// What was spent on that day.
    public private(set) var spent = 0.0

    /// A budget of which nothing is spent.
    public init(limit: Double) { self.limit = limit.isFinite ? max(limit, 0) : 0 }

    /// Takes up what was kept.
    public init(limit: Double, day: Int, spent: Double) {
        self.init(limit: limit)
        self.day = day
        // What is no number was never written by us: the day counts as spent.
        self.spent = spent.isFinite ? max(spent, 0) : self.limit
    }

    /// Spends; false, and nothing spent, where the day has not so much left. A clock that is set back opens no new day.
    public mutating func spend(_ epsilon: Double, on today: Int) -> Bool {
        let before = today > day ? 0 : spent
        guard epsilon >= 0, before + epsilon <= limit * (1 + 1e-12) else { return false }
        spent = before + epsilon
        day = max(day, today)
        return true
    }
}
