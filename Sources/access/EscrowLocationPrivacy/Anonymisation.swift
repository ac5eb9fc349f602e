/// Algorithm 1 of the thesis, as its text (4.2.2) has it: a donut around the place where enough people live nearby, and
/// where too few do, k requests of which one is true. docs/location-privacy.md says how its listing differs.
public struct Anonymisation: Sendable, Equatable {
    /// k: among how many people one is hidden; `K` of the listing.
    public var people = 10
    /// t: a donut is never smaller, in metres; `Rmin` of the listing.
    public var closeness = 10.0
    /// A: how far from the truth a place may be for the service to be of use, in metres; `Rmax` of the listing.
    public var accuracy = 100.0

    /// What k may be: each is a request.
    public static let peopleRange = 2...100
    /// The hole of its donuts, in hundredths of their radius.
    static let hole = 20

    /// Takes the listing's constants.
    public init() {}

    /// Takes constants; nil for a k out of range, or when 1 ≤ t ≤ A ≤ 100,000 does not hold.
    public init?(people: Int, closeness: Double, accuracy: Double) {
        guard Self.peopleRange.contains(people), Mechanism.metresRange.contains(closeness),
            Mechanism.metresRange.contains(accuracy), closeness <= accuracy
        else { return nil }
        (self.people, self.closeness, self.accuracy) = (people, closeness, accuracy)
    }

    /// What is to be asked.
    public struct Requests: Sendable, Equatable {
        /// The points, in the order in which they are sent: each on a connection of its own.
        public let points: [Mask.Masked]
        /// Which of them is the true one: only its answer is kept. Never sent.
        public let truth: Int
        /// The cells that it was computed for; given back with the next place. Never sent.
        public let cells: Cells
    }

    /// In which cells a density was asked for, and the place was masked.
    public struct Cells: Sendable, Hashable {
        public let density: Cell
        public let place: Cell

        /// Takes both.
        public init(density: Cell, place: Cell) { (self.density, self.place) = (density, place) }
    }

    /// The points to send for a place. The same place gives the same points, in an order that is new each time. Dummies are where
    /// `lives` has them, so that they fit with where they were before; without, in the nearest places.
    public func requests(
        for point: Coordinates, key: MaskKey, gazetteer: Gazetteer, lives: DummyLives? = nil,
        last: Cells? = nil,
        using generator: inout some RandomNumberGenerator
    ) throws(Mask.Refusal) -> Requests {
        // Density changes slowly: it is asked for where all points of a cell ask alike.
        let grid = CellGrid(metres: max(accuracy / 4, 1))
        let cell = grid.cell(of: point, last: last?.density)
        let centre = grid.centre(of: cell)
        let found = gazetteer.radius(of: people, around: centre, atMost: accuracy)
        if let found, found <= accuracy {
            let outer = Self.rounded(max(found, closeness), atMost: accuracy)
            let masked = try donut(outer, key, gazetteer).apply(to: point, last: last?.place)
            return Requests(
                points: [masked], truth: 0, cells: Cells(density: cell, place: masked.cell ?? cell))
        }
        let mask = try donut(accuracy, key, gazetteer)
        var points = [try mask.apply(to: point, last: last?.place)]
        for neighbour in lives?.places(when: centre) ?? neighbours(centre, cell, key, gazetteer) {
            points.append(try mask.apply(to: neighbour))
        }
        guard points.count == people else { throw .tooFewPeople }
        var order = Array(points.indices)
        order.shuffle(using: &generator)
        return Requests(
            points: order.map { points[$0] }, truth: order.firstIndex(of: 0) ?? 0,
            cells: Cells(density: cell, place: points[0].cell ?? cell))
    }

    private func donut(_ metres: Double, _ key: MaskKey, _ gazetteer: Gazetteer) throws(Mask.Refusal) -> Mask
    {
        try Mask(.donut(.percent(Self.hole), metres: metres), key: key, gazetteer: gazetteer)
    }

    /// Two digits, upwards: how far a donut reaches tells how many people live there, so it tells it coarsely.
    static func rounded(_ metres: Double, atMost limit: Double) -> Double {
        var step = 1.0
        while metres / step > 100 { step *= 10 }
        return min((metres / step).rounded(.up) * step, limit)
    }

    /// The k − 1 nearest neighbours that the gazetteer can name: somebody in each of the nearest places, always the same.
    private func neighbours(
        _ centre: Coordinates, _ cell: Cell, _ key: MaskKey, _ gazetteer: Gazetteer
    ) -> [Coordinates] {
        let purpose = key.purpose("neighbour")
        return gazetteer.nearest(people - 1, to: centre).map { near in
            var draws = key.draws(purpose &+ UInt64(near.place.number), cell)
            return Displacement.ring(0, Gazetteer.reach(near.place), using: &draws)
                .from(near.place.coordinates)
        }
    }
}
