/// What a mechanism masks that a publisher chose: not the place, but what the app may be told anyway. So any number of spellings
/// tells no more than one: whatever is averaged or intersected leads to the basis, never to the place.
public struct Basis: Sendable, Equatable {
    /// Where it lies.
    public let place: Coordinates
    /// How far from the truth that may be, in metres.
    public let metres: Double

    /// First the place is masked as `telling` says: by the ladder's own mask of the step, or a mechanism that a rule names. What is far
    /// coarser than that is drawn around that answer, once for all mechanisms that are as coarse: else many of them would average
    /// down to an answer that is finer than each.
    /// - Parameter memory: of what `telling` told before.
    public init(
        of point: Coordinates, as telling: Telling, for mechanism: Mechanism, key: MaskKey,
        gazetteer: Gazetteer, lists: [String: PlaceList] = [:], memory: inout TellingMemory,
        budget: Double? = nil, day: Int = 0
    ) throws(Mask.Refusal) {
        var (place, metres) = (point, 0.0)
        // How far it lies off by noise: an outer draw that reaches no farther adds nothing.
        var reach = 0.0
        if let own = telling.mechanism {
            var generator = SystemRandomNumberGenerator()
            let told = try Disclosure(
                of: point, as: telling, key: key, gazetteer: gazetteer, lists: lists, memory: &memory,
                budget: budget, day: day, using: &generator)
            // A mechanism tells one point.
            guard let answer = told?.points.first else { throw .budgetSpent }
            place = answer.coordinates
            metres = telling.radius(of: place, gazetteer)
            reach = try own.scale(at: place, key, gazetteer).map(Self.rung) ?? 0
        } else if telling.step != .exact, let mask = telling.step.mechanism {
            // Of a neighbourhood the true one's donut alone: dummies are for those who are sent them.
            let told = try Mask(mask, key: key, gazetteer: gazetteer)
                .apply(to: point, last: memory.cells?.place)
            memory.cells = told.cell.map { .init(density: memory.cells?.density ?? $0, place: $0) }
            place = told.coordinates
            metres = telling.radius(of: place, gazetteer)
            reach = telling.reach ?? 0
        }
        if let scale = try mechanism.scale(at: place, key, gazetteer) {
            let outer = Self.rung(scale)
            if outer > reach {
                let isTruth = telling == .exact
                let told = try Mask(
                    .donut(.percent(Anonymisation.hole), metres: outer), key: key, use: "basis"
                )
                .apply(to: place, last: isTruth ? memory.cells?.place : nil)
                if isTruth { memory.cells = told.cell.map { .init(density: $0, place: $0) } }
                place = told.coordinates
                metres += outer
            }
        }
        (self.place, self.metres) = (place, metres)
    }

    /// 1, 2, 5, 10 and so on, upwards: a spelling does not choose its noise.
    static func rung(_ metres: Double) -> Double {
        var decade = 1.0
        while decade < Self.farthest {
            for rung in [decade, 2 * decade, 5 * decade] where rung >= metres { return rung }
            decade *= 10
        }
        return Self.farthest
    }

    /// Planar Laplace of the least ε reaches as far.
    private static let farthest = 500_000.0
}

extension Mechanism {
    /// How far its answers lie about from the truth, in metres; nil for what is no noise and no cell of a publisher's choice.
    func scale(at place: Coordinates, _ key: MaskKey, _ gazetteer: Gazetteer) throws(Mask.Refusal) -> Double?
    {
        switch self {
        case .none, .fixed, .aggregate, .snap: nil
        case .truncate(let decimals): 111_000 / Decimals.powers[decimals]
        case .grid(let metres), .perturbation(let metres), .donut(_, let metres): metres
        // A disc's answers lie two thirds of its radius away on average, those of planar Laplace 2/ε.
        case .planarLaplace(let epsilon): 3 / epsilon
        case .adaptiveDonut: try Mask(self, key: key, gazetteer: gazetteer).adaptiveReach(of: place)
        }
    }
}
