internal import Glibc

/// A trace under a budget: where the last answer still serves it is given again, and only a test is paid for
/// (Chatzikokolakis, Palamidessi and Stronati, "A predictive differentially-private mechanism for mobility traces", 2014).
public struct PredictiveTrace: Sendable {
    /// ε of a new answer, for each metre.
    public let epsilon: Double
    /// ε of a test.
    public let testEpsilon: Double
    /// How far, in metres, an answer may be from the truth and still serve.
    public let threshold: Double
    /// What may be spent.
    public private(set) var budget: NoiseBudget
    private let mask: Mask
    private let key: MaskKey
    private let purpose: UInt64
    private let grid: CellGrid
    private var last: Mask.Masked?
    private var cell: Cell?
    /// Where the last answer was found not to serve, and a new one could not be paid for: no second test is.
    private var failed: Cell?

    /// What became of a place.
    public enum Release: Sendable, Equatable {
        /// A new answer.
        case fresh(Mask.Masked)
        /// The last answer serves.
        case kept(Mask.Masked)
        /// The day's budget is spent: the last answer, if there was one, is all that is told.
        case spent(Mask.Masked?)

        /// What is told.
        public var told: Mask.Masked? {
            switch self {
            case .fresh(let masked), .kept(let masked): masked
            case .spent(let masked): masked
            }
        }
    }

    /// Begins a trace.
    public init(
        epsilon: Double, testEpsilon: Double, threshold: Double, budget: NoiseBudget, key: MaskKey
    ) throws(Mask.Refusal) {
        (self.epsilon, self.testEpsilon, self.threshold) = (epsilon, testEpsilon, threshold)
        (self.budget, self.key) = (budget, key)
        purpose = key.purpose("test")
        grid = CellGrid(metres: 0.5 / epsilon)
        mask = try Mask(.planarLaplace(epsilon: epsilon), key: key)
    }

    /// Answers for the next place.
    public mutating func release(_ point: Coordinates, on day: Int) throws(Mask.Refusal) -> Release {
        let now = grid.cell(of: point, last: cell)
        if let last {
            // In the same cell there is nothing new to tell, nor to test.
            if now == cell { return .kept(last) }
            if now != failed {
                guard budget.spend(testEpsilon, on: day) else { return .spent(last) }
                if serves(last, now) {
                    cell = now
                    return .kept(last)
                }
                failed = now
            }
        }
        guard budget.spend(epsilon, on: day) else { return .spent(last) }
        let masked = try mask.apply(to: point, last: now)
        (last, cell, failed) = (masked, now, nil)
        return .fresh(masked)
    }

    /// Whether an answer still serves, with noise of its own that is the same for the same cell and answer.
    private func serves(_ answer: Mask.Masked, _ now: Cell) -> Bool {
        let units =
            UInt64(bitPattern: Int64(Decimals.units(answer.coordinates.latitude, Decimals.most)))
            &* 0x9E37_79B9_7F4A_7C15
            ^ UInt64(bitPattern: Int64(Decimals.units(answer.coordinates.longitude, Decimals.most)))
        var draws = key.draws(purpose ^ units, now)
        let sign = draws.next() & 1 == 0 ? 1.0 : -1
        let noise = sign * -log(Displacement.uniform(&draws)) / testEpsilon
        return Ellipsoid.distance(grid.centre(of: now), answer.coordinates) + noise <= threshold
    }
}
