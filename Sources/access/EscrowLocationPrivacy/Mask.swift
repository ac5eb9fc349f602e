/// A mechanism with all that it needs: a pure function of places.
public struct Mask: Sendable {
    /// What is told instead of a place.
    public struct Masked: Sendable, Hashable {
        /// The point, as it is written.
        public let coordinates: Coordinates
        /// How many digits it is written with.
        public let decimals: Decimals
        /// The cell that the place was counted to; given back with the next place, it keeps an answer from changing to and
        /// fro on a border. It is as exact as a cell, so it is the individual's and never sent.
        public let cell: Cell?

        /// Takes up what was told before.
        public init(told point: Coordinates, decimals: Decimals) { self.init(point, decimals) }

        /// The latitude, with no more digits than it means.
        public var latitude: String { Decimals.text(coordinates.latitude, decimals.latitude) }
        /// The longitude, likewise.
        public var longitude: String { Decimals.text(coordinates.longitude, decimals.longitude) }

        init(_ point: Coordinates, _ decimals: Decimals, _ cell: Cell? = nil) {
            coordinates = point.rounded(decimals)
            self.decimals = decimals
            self.cell = cell
        }
    }

    /// Why a place was not masked. Nothing is sent then.
    public enum Refusal: Error, Sendable, Equatable {
        /// The gazetteer knows no streets and no postcodes.
        case unknownLevel(Mechanism.Level)
        /// There is no gazetteer, or it has no place.
        case noGazetteer
        /// There is no such list of places.
        case noList(String)
        /// Fewer people than asked for live within 100 km.
        case tooFewPeople
        /// The donut has no room between its hole and its border.
        case tooNarrow
        /// The day's budget of noise is spent, and there is no answer from before.
        case budgetSpent
    }

    /// The mechanism.
    public let mechanism: Mechanism
    private let key: MaskKey
    private let purpose: UInt64
    private let gazetteer: Gazetteer?
    private let list: PlaceList?
    /// Cells that noise is keyed by, where their width follows from the mechanism alone.
    private let grid: CellGrid

    /// Prepares a mechanism.
    /// - Parameters:
    ///   - gazetteer: where people live; needed by `aggregate`, `adaptive-donut` and `snap(towns)`.
    ///   - lists: other lists that `snap` may name.
    public init(
        _ mechanism: Mechanism, key: MaskKey, gazetteer: Gazetteer? = nil,
        lists: [String: PlaceList] = [:]
    ) throws(Refusal) {
        try self.init(mechanism, key: key, gazetteer: gazetteer, lists: lists, use: "")
    }

    /// `use` keeps noise apart that one mechanism draws for two ends.
    init(
        _ mechanism: Mechanism, key: MaskKey, gazetteer: Gazetteer? = nil,
        lists: [String: PlaceList] = [:], use: String
    ) throws(Refusal) {
        self.mechanism = mechanism
        self.key = key
        purpose = key.purpose(use + mechanism.description)
        self.gazetteer = gazetteer
        switch mechanism {
        case .grid(let metres): grid = CellGrid(metres: metres)
        case .perturbation(let metres): grid = CellGrid(metres: metres / 4)
        case .donut(let hole, let metres): grid = CellGrid(metres: (metres - hole.radius(metres)) / 4)
        case .planarLaplace(let epsilon): grid = CellGrid(metres: 0.5 / epsilon)
        case .adaptiveDonut: grid = CellGrid(metres: Self.adaptiveCell)
        default: grid = CellGrid(metres: 1_000)
        }
        var list: PlaceList?
        switch mechanism {
        case .aggregate(.street), .aggregate(.postcode):
            guard case .aggregate(let level) = mechanism else { break }
            throw .unknownLevel(level)
        case .aggregate, .adaptiveDonut, .snap(Mechanism.towns):
            guard let gazetteer, gazetteer.count > 0 else { throw .noGazetteer }
        case .snap(let name):
            guard let named = lists[name] else { throw .noList(name) }
            list = named
        default: break
        }
        self.list = list
    }

    /// Width of the cells in which a density is asked for.
    private static let adaptiveCell = 100.0
    /// Every adaptive donut leaves room for cells and its hole.
    private static let leastAdaptive = 400.0

    /// Masks a place. The same place gives the same answer; with the `last` cell, so do places near its border.
    public func apply(to point: Coordinates, last: Cell? = nil) throws(Refusal) -> Masked {
        switch mechanism {
        case .none:
            return Masked(point, Decimals(latitude: Decimals.most, longitude: Decimals.most))
        case .fixed(let latitude, let longitude):
            let fixed = Coordinates(latitude, longitude)
            return Masked(fixed, Decimals(latitude: Decimals.most, longitude: Decimals.most))
        case .truncate(let decimals):
            let kept = Decimals(latitude: decimals, longitude: decimals)
            return Masked(
                Coordinates(Self.cut(point.latitude, decimals), Self.cut(point.longitude, decimals)), kept)
        case .grid(let metres):
            let cell = grid.cell(of: point, last: last)
            let centre = grid.centre(of: cell)
            return Masked(centre, Decimals(metres: metres, at: centre.latitude), cell)
        case .aggregate(let level): return try aggregate(point, level)
        case .snap: return try snap(point)
        case .perturbation(let metres): return try ring(point, 0, metres, last)
        case .donut(let hole, let metres): return try ring(point, hole.radius(metres), metres, last)
        case .adaptiveDonut(let people): return try adaptive(point, people, last)
        case .planarLaplace(let epsilon):
            let cell = grid.cell(of: point, last: last)
            var draws = key.draws(purpose, cell)
            let moved = Displacement.laplace(epsilon, using: &draws).from(grid.centre(of: cell))
            return Masked(moved, Decimals(metres: 1 / epsilon, at: moved.latitude), cell)
        }
    }

    private static func cut(_ degrees: Double, _ decimals: Int) -> Double {
        let scaled = degrees * Decimals.powers[decimals]
        // 0.29 times 100 is a little less than 29.
        let whole = scaled.rounded()
        let kept = (scaled - whole).magnitude < 1e-6 ? whole : scaled.rounded(.towardZero)
        return kept / Decimals.powers[decimals]
    }

    private func ring(
        _ point: Coordinates, _ inner: Double, _ outer: Double, _ last: Cell?
    ) throws(Refusal) -> Masked {
        let cell = grid.cell(of: point, last: last)
        return try ring(around: cell, inner, outer)
    }

    /// A point of the ring around a cell's middle, so far inside of its borders that it lies in the ring around every
    /// point of the cell. What is written is what is checked: rounding may not lead out of the ring.
    private func ring(around cell: Cell, _ inner: Double, _ outer: Double) throws(Refusal) -> Masked {
        let centre = grid.centre(of: cell)
        let least = inner > 0 ? inner + grid.reach : 0
        let most = outer - grid.reach
        guard least < most else { throw .tooNarrow }
        var draws = key.draws(purpose, cell)
        for attempt in 0..<200 {
            let moved = Displacement.ring(least, most, using: &draws).from(centre)
            // Where digits are too coarse for a narrow ring, finer ones are tried.
            let width = (most - least) / Decimals.powers[attempt / 64]
            let masked = Masked(moved, Decimals(metres: width, at: moved.latitude), cell)
            let distance = Ellipsoid.distance(centre, masked.coordinates)
            if distance >= least, distance <= most { return masked }
        }
        throw .tooNarrow
    }

    private func adaptive(
        _ point: Coordinates, _ people: Int, _ last: Cell?
    ) throws(Refusal) -> Masked {
        let cell = grid.cell(of: point, last: last)
        let outer = try adaptiveReach(cell, people)
        return try ring(around: cell, outer / 5, outer)
    }

    /// How far an adaptive donut reaches around a place.
    func adaptiveReach(of point: Coordinates) throws(Refusal) -> Double? {
        guard case .adaptiveDonut(let people) = mechanism else { return nil }
        return try adaptiveReach(grid.cell(of: point, last: nil), people)
    }

    private func adaptiveReach(_ cell: Cell, _ people: Int) throws(Refusal) -> Double {
        guard let radius = gazetteer?.radius(of: people, around: grid.centre(of: cell)) else {
            throw .tooFewPeople
        }
        // Wide enough that so many live around every point of the cell.
        return max(radius + grid.reach, Self.leastAdaptive)
    }

    private func aggregate(_ point: Coordinates, _ level: Mechanism.Level) throws(Refusal) -> Masked {
        guard let gazetteer, let near = gazetteer.nearest(to: point) else { throw .noGazetteer }
        let place: Gazetteer.Place?
        switch level {
        case .street, .postcode: throw .unknownLevel(level)
        case .city: place = near.place
        case .region: place = gazetteer.capital(ofRegion: near.place.region)
        case .country:
            place = gazetteer.capital(ofCountryOf: near.place.region)
        }
        guard let place else { throw .noGazetteer }
        return Masked(place.coordinates, Self.townDecimals(place.coordinates))
    }

    private func snap(_ point: Coordinates) throws(Refusal) -> Masked {
        guard let list else {
            guard let near = gazetteer?.nearest(to: point) else { throw .noGazetteer }
            return Masked(near.place.coordinates, Self.townDecimals(near.place.coordinates))
        }
        let nearest = list.nearest(to: point)
        return Masked(nearest, Decimals(metres: list.apart / 4, at: nearest.latitude))
    }

    /// A town's point means the town: a hundred metres.
    private static func townDecimals(_ point: Coordinates) -> Decimals {
        Decimals(metres: 500, at: point.latitude)
    }
}
