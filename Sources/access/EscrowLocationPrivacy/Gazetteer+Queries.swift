internal import Glibc

extension Gazetteer {
    /// A place and how far away it is.
    public struct Near: Sendable, Hashable {
        /// The place.
        public let place: Place
        /// The metres to it.
        public let metres: Double
    }

    /// All places at most so many metres away, the nearest first.
    public func within(_ metres: Double, of point: Coordinates) -> [Near] {
        guard metres >= 0 else { return [] }
        var found: [Near] = []
        scan(metres, point) { place in
            let distance = Ellipsoid.distance(place.coordinates, point)
            if distance <= metres { found.append(Near(place: place, metres: distance)) }
        }
        // The file's order decides between places that are equally far: an answer is one answer.
        return found.sorted { ($0.metres, $0.place.number) < ($1.metres, $1.place.number) }
    }

    /// The places whose own disc comes as near as so many metres, in the file's order.
    func settled(within metres: Double, of point: Coordinates) -> [Near] {
        var found: [Near] = []
        // A disc is a model of where people are, so the plane's distances will do.
        let plane = Plane(around: point, reaching: metres + widest)
        func look(_ place: Place) {
            let reach = metres + Self.reach(place)
            guard plane.mayReach(place.coordinates, reach) else { return }
            let distance = plane.distance(to: place.coordinates)
            if distance < reach { found.append(Near(place: place, metres: distance)) }
        }
        // Wide places are few, and the others are near or do not count.
        scan(metres + widest, point, .wide, look)
        scan(metres + Self.narrowest, point, .narrow, look)
        return found.sorted { $0.place.number < $1.place.number }
    }

    /// How far a place reaches at most that is not wide.
    private static let narrowest = (Double(wideBeyond) / density / .pi).squareRoot()

    /// Which places are gone over.
    private enum Scanned { case all, wide, narrow }

    /// Calls a function with all places that may lie so near, and with a few that do not; with more of those where the
    /// function measures itself, as those do that ask for wide places or for the others.
    private func scan(
        _ metres: Double, _ point: Coordinates, _ scanned: Scanned = .all, _ body: (Place) -> Void
    ) {
        let degrees = metres / Plane.shortestDegree
        let (south, north) = (point.latitude - degrees, point.latitude + degrees)
        let rows = Cell.row(max(point.latitude - degrees, -90))...Cell.row(min(point.latitude + degrees, 90))
        for row in rows {
            for column in columns(row, point, metres) {
                guard scanned != .wide else {
                    forEachWide(row: row, column: column, body)
                    continue
                }
                forEach(row: row, column: column, from: south, to: north) { place in
                    if scanned == .narrow {
                        if place.population <= Self.wideBeyond { body(place) }
                    } else if Self.roughly(place.coordinates, point) <= metres * 1.01 + 1 {
                        // The sphere tells what is far away at a tenth of the cost; it errs by less than a hundredth.
                        body(place)
                    }
                }
            }
        }
    }

    /// The columns of a row in which something within so many metres can lie.
    private func columns(_ row: Int, _ point: Coordinates, _ metres: Double) -> [Int] {
        let edge = max((Double(row) - 90).magnitude, (Double(row) - 89).magnitude)
        let angle = metres / 6_335_000
        // How far the circle reaches to either side, seen from the pole (a cap's tangent meridians).
        let reach = sin(min(angle, .pi / 2)) / max(cos(point.radians.latitude), 1e-12)
        guard edge < 90, reach < 1, angle < .pi / 2 else { return Array(0..<360) }
        let degrees = asin(reach) * 180 / .pi + 0.01
        guard degrees < 179 else { return Array(0..<360) }
        let first = Int((point.longitude - degrees + 180).rounded(.down))
        let last = Int((point.longitude + degrees + 180).rounded(.down))
        guard last - first < 359 else { return Array(0..<360) }
        return (first...last).map { ($0 + 360) % 360 }
    }

    /// The distance on a sphere.
    private static func roughly(_ from: Coordinates, _ to: Coordinates) -> Double {
        let (start, end) = (from.radians, to.radians)
        let north = sin((end.latitude - start.latitude) / 2)
        let east = sin((end.longitude - start.longitude) / 2)
        let square = north * north + cos(start.latitude) * cos(end.latitude) * east * east
        return 2 * 6_371_008.8 * asin(min(square.squareRoot(), 1))
    }

    /// The nearest places, at most so many, the nearest first.
    public func nearest(_ count: Int, to point: Coordinates) -> [Near] {
        guard count > 0 else { return [] }
        var reach = 5_000.0
        while true {
            let found = within(reach, of: point)
            if found.count >= count { return Array(found.prefix(count)) }
            // Half the meridian: all of the globe was seen.
            if reach >= 20_100_000 { return found }
            reach = min(reach * 3, 20_100_000)
        }
    }

    /// The nearest place; nil in a gazetteer without any.
    public func nearest(to point: Coordinates) -> Near? { nearest(1, to: point).first }

    /// The people of all places whose point lies at most so many metres away.
    public func population(within metres: Double, of point: Coordinates) -> Int {
        within(metres, of: point).reduce(0) { $0 + $1.place.population }
    }

    /// What stands for a region or a country, and how far it reaches.
    public struct Area: Sendable, Hashable {
        /// Its most populous place.
        public let centre: Coordinates
        /// The metres from there to the farthest of its places.
        public let radius: Double
        /// The people of all its places.
        public let population: Int
        /// The number of its places.
        public let places: Int
    }

    /// The area of one region.
    public func area(ofRegion number: Int) -> Area? {
        area(around: capital(ofRegion: number)) { $0 == number }
    }

    /// The area of all regions of a country.
    public func area(ofCountry country: String) -> Area? {
        let numbers = Set(regions.indices.filter { regions[$0].country == country })
        guard let first = numbers.first else { return nil }
        return area(around: capital(ofCountryOf: first), numbers.contains)
    }

    private func area(around capital: Place?, _ contains: (Int) -> Bool) -> Area? {
        guard let centre = capital?.coordinates else { return nil }
        let inside = places.filter { contains($0.region) }
        return Area(
            centre: centre,
            radius: inside.reduce(0) { max($0, Ellipsoid.distance($1.coordinates, centre)) },
            population: inside.reduce(0) { $0 + $1.population }, places: inside.count)
    }
}
