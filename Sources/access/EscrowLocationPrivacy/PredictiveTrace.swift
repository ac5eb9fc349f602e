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

    /// Fresh answers that a day pays for, where nobody said otherwise.
    public static let answersADay = 10.0

    /// What is kept between two places.
    public struct State: Sendable, Equatable {
        /// The last answer.
        public var last: Mask.Masked?
        /// The cell that it stands for.
        public var cell: Cell?
        /// Where it was found not to serve.
        public var failed: Cell?
        /// The day, and what was spent on it.
        public var day = 0
        public var spent = 0.0

        /// Nothing was told.
        public init() {}

        /// What was spent of a day.
        public func spent(on today: Int) -> Double { today > day ? 0 : spent }
    }

    /// What is to be kept.
    public var state: State {
        var state = State()
        (state.last, state.cell, state.failed) = (last, cell, failed)
        (state.day, state.spent) = (budget.day, budget.spent)
        return state
    }

    /// Goes on where a trace was left: a test costs half of an answer, and an answer serves within one and a half times as far as
    /// noise lies on average.
    public init(
        _ epsilon: Double, budget limit: Double, key: MaskKey, taking state: State
    ) throws(Mask.Refusal) {
        try self.init(
            epsilon: epsilon, testEpsilon: epsilon / 2, threshold: 3 / epsilon,
            budget: NoiseBudget(limit: limit, day: state.day, spent: state.spent), key: key)
        (last, cell, failed) = (state.last, state.cell, state.failed)
    }

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
        let noise = Self.noise(testEpsilon, using: &draws)
        return Ellipsoid.distance(grid.centre(of: now), answer.coordinates) + noise <= threshold
    }

    /// Laplace noise in one dimension, in metres.
    public static func noise(_ epsilon: Double, using generator: inout some RandomNumberGenerator) -> Double {
        let sign = generator.next() & 1 == 0 ? 1.0 : -1
        return sign * -log(Displacement.uniform(&generator)) / epsilon
    }
}
