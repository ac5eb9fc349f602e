/// What is told of a place at a step of the ladder.
public struct Disclosure: Sendable, Equatable {
    /// The points that are sent, each in a request of its own, in an order that is new each time.
    public let points: [Mask.Masked]
    /// Which of them is the individual's; the others are dummies. Never sent.
    public let truth: Int
    /// Two letters of ISO 3166 for each: the country that its nearest town lies in.
    public let countries: [String]

    /// Masks a place without a memory of what was told before: the same place gives the same points.
    public init?(
        of point: Coordinates, as telling: Telling, key: MaskKey, gazetteer: Gazetteer,
        lists: [String: PlaceList] = [:], using generator: inout some RandomNumberGenerator
    ) throws(Mask.Refusal) {
        var memory = TellingMemory()
        try self.init(
            of: point, as: telling, key: key, gazetteer: gazetteer, lists: lists, memory: &memory,
            using: &generator)
    }

    /// Masks a place. The memory of what was told before keeps an answer at the border of a cell, dummies in their lives, and
    /// planar Laplace within the day's budget.
    /// - Parameters:
    ///   - lists: those that `snap` may name.
    ///   - budget: what planar Laplace may spend in a day; nil asks for no budget.
    ///   - service: who is told, which says among how many one hides; nil takes the listing's K.
    /// - Returns: nil where nothing is to be told.
    public init?(
        of point: Coordinates, as telling: Telling, key: MaskKey, gazetteer: Gazetteer,
        lists: [String: PlaceList] = [:], memory: inout TellingMemory, budget: Double? = nil, day: Int = 0,
        service: ServiceType? = nil,
        using generator: inout some RandomNumberGenerator
    ) throws(Mask.Refusal) {
        if telling == .neighbourhood,
            let anonymisation = Self.neighbourhood(service, around: point, gazetteer)
        {
            let requests = try anonymisation.requests(
                for: point, key: key, gazetteer: gazetteer,
                lives: memory.lives(anonymisation.people - 1, at: point, key, gazetteer), last: memory.cells,
                using: &generator)
            memory.cells = requests.cells
            (points, truth) = (requests.points, requests.truth)
        } else {
            guard let mechanism = telling.mechanism ?? telling.step.mechanism else { return nil }
            truth = 0
            if case .planarLaplace(let epsilon) = mechanism, let budget {
                var trace = try PredictiveTrace(
                    epsilon, budget: budget, key: key, taking: memory.trace ?? PredictiveTrace.State())
                let told = try trace.release(point, on: day).told
                memory.trace = trace.state
                guard let told else { throw .budgetSpent }
                points = [told]
            } else {
                let told = try Mask(mechanism, key: key, gazetteer: gazetteer, lists: lists)
                    .apply(to: point, last: memory.cells?.place)
                memory.cells = told.cell.map { Anonymisation.Cells(density: $0, place: $0) }
                points = [told]
            }
        }
        // Of what is told, not of the place: nothing more is told by it.
        countries = points.map { gazetteer.country(of: $0.coordinates) ?? "" }
    }

    /// Algorithm 1 with t = A, so that one is never nearer than a fifth of A, however many live there. Nil where a service is sent no
    /// dummies.
    static func neighbourhood(
        _ service: ServiceType?, around point: Coordinates, _ gazetteer: Gazetteer
    ) -> Anonymisation? {
        let metres = Exactness.neighbourhoodMetres
        var neighbours = 0
        if service != nil {
            // Asked for the middle of a wide cell, so that k says no more of a place than that.
            let grid = CellGrid(metres: 5_000)
            neighbours = gazetteer.population(
                within: KValue.around, of: grid.centre(of: grid.cell(of: point, last: nil)))
        }
        return Anonymisation(
            people: KValue.people(for: service, accuracy: metres, neighbours: neighbours),
            closeness: metres, accuracy: metres)
    }
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
    /// The first-level division that the nearest town lies in, as GeoNames has it: `NO.46`.
    public func region(of point: Coordinates) -> String? {
        nearest(to: point).map { "\(regions[$0.place.region].country).\(regions[$0.place.region].code)" }
    }

    /// The country of the nearest town.
    public func country(of point: Coordinates) -> String? {
        nearest(to: point).map { regions[$0.place.region].country }
    }
}
