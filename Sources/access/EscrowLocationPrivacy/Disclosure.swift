/// What is told of a place at a step of the ladder.
public struct Disclosure: Sendable, Equatable {
    /// The points that are sent, each in a request of its own, in an order that is new each time.
    public let points: [Mask.Masked]
    /// Which of them is the individual's; the others are dummies. Never sent.
    public let truth: Int
    /// Two letters of ISO 3166 for each: the country that its nearest town lies in.
    public let countries: [String]

    /// Masks a place. The same place gives the same points.
    /// - Returns: nil where nothing is to be told.
    public init?(
        of point: Coordinates, as exactness: Exactness, key: MaskKey, gazetteer: Gazetteer,
        using generator: inout some RandomNumberGenerator
    ) throws(Mask.Refusal) {
        if exactness == .neighbourhood, let anonymisation = Self.neighbourhood {
            let requests = try anonymisation.requests(
                for: point, key: key, gazetteer: gazetteer, using: &generator)
            (points, truth) = (requests.points, requests.truth)
        } else {
            guard let mechanism = exactness.mechanism else { return nil }
            let mask = try Mask(mechanism, key: key, gazetteer: gazetteer)
            (points, truth) = ([try mask.apply(to: point)], 0)
        }
        // Of what is told, not of the place: nothing more is told by it.
        countries = points.map { gazetteer.country(of: $0.coordinates) ?? "" }
    }

    /// Algorithm 1 with t = A, so that one is never nearer than a fifth of A, however many live there.
    static let neighbourhood = Anonymisation(
        people: Exactness.people, closeness: Exactness.neighbourhoodMetres,
        accuracy: Exactness.neighbourhoodMetres)
}

extension Exactness {
    /// What masks a place at this step; nil where nothing is told. A neighbourhood's is what Algorithm 1 begins with.
    public var mechanism: Mechanism? {
        switch self {
        case .none: nil
        case .country: .aggregate(.country)
        case .city: .aggregate(.city)
        case .neighbourhood: .donut(.percent(Anonymisation.hole), metres: Self.neighbourhoodMetres)
        case .street: .donut(.percent(Anonymisation.hole), metres: Self.streetMetres)
        case .exact: Mechanism.none
        }
    }
}

extension Gazetteer {
    /// The country of the nearest town.
    public func country(of point: Coordinates) -> String? {
        nearest(to: point).map { regions[$0.place.region].country }
    }
}
