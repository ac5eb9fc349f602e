internal import Glibc

/// How people are spread around a gazetteer's points: each place is a disc of even density, as wide as its people need.
///
/// GeoNames counts a city and its districts, so the same people twice: half of each count is believed. What lives outside
/// of places of 500 people is not known at all.
extension Gazetteer {
    /// People on a square metre of a place: 2,000 on a square kilometre, a sparse town's.
    static let density = 0.002
    /// The part of a place's count that is believed.
    static let believed = 0.5
    /// How far people are looked for, in metres.
    public static let farthest = 100_000.0

    /// How far from its point a place's people live.
    static func reach(_ place: Place) -> Double { (Double(place.population) / density / .pi).squareRoot() }

    /// Whether a point lies in a place's disc.
    public func isSettled(_ point: Coordinates) -> Bool {
        !settled(within: 0, of: point).isEmpty
    }

    /// The widest disc that there is.
    var widest: Double { (Double(largest) / Self.density / .pi).squareRoot() }

    /// About how many people live at most so many metres away.
    public func people(within metres: Double, of point: Coordinates) -> Double {
        Self.people(discs(within: metres, of: point), metres)
    }

    /// A place's disc: how far away its middle is, and how far it reaches.
    private typealias Disc = (metres: Double, reach: Double)

    private func discs(within metres: Double, of point: Coordinates) -> [Disc] {
        settled(within: metres, of: point).map { ($0.metres, Self.reach($0.place)) }
    }

    private static func people(_ discs: [Disc], _ metres: Double) -> Double {
        discs.reduce(0) { sum, disc in
            sum + lens(disc.metres, metres, disc.reach) * density * believed
        }
    }

    /// The radius within which about so many people live: nil where there are not so many within 100 km, or within the
    /// metres that are given.
    public func radius(of people: Int, around point: Coordinates, atMost most: Double = farthest) -> Double? {
        // Most questions are answered nearby; what is near is read once for each of these.
        for limit in [2_000.0, 8_000, 30_000].filter({ $0 < most }) + [most] {
            let near = discs(within: limit, of: point)
            let there = Self.people(near, limit)
            guard there >= Double(people) else { continue }
            return Self.radius(of: Double(people), among: near, below: limit, there)
        }
        return nil
    }

    /// To a centimetre: the counts are not that good, but an answer is one answer.
    ///
    /// People grow with the square of the radius where they live evenly, so their roots lie nearly on a line: the next guess is where
    /// the line through both ends meets what is asked (the Illinois method), with a halving now and then, lest an end stays.
    private static func radius(
        of people: Double, among discs: [Disc], below limit: Double, _ there: Double
    ) -> Double {
        let wanted = people.squareRoot()
        var (low, high) = (0.0, limit)
        var (under, over) = (-wanted, there.squareRoot() - wanted)
        var (last, round) = (0, 0)
        while high - low > precision {
            round += 1
            let guess =
                round % 4 == 0 ? (low + high) / 2 : low - under * (high - low) / max(over - under, 1e-12)
            let middle = min(max(guess, low + precision / 2), high - precision / 2)
            let value = Self.people(discs, middle).squareRoot() - wanted
            if value >= 0 {
                (high, over) = (middle, value)
                if last > 0 { under /= 2 }
                last = 1
            } else {
                (low, under) = (middle, value)
                if last < 0 { over /= 2 }
                last = -1
            }
        }
        return high
    }

    private static let precision = 0.01

    /// The area that two discs share, in square metres.
    static func lens(_ distance: Double, _ first: Double, _ second: Double) -> Double {
        if distance >= first + second || first <= 0 || second <= 0 { return 0 }
        let small = min(first, second)
        if distance <= (first - second).magnitude { return .pi * small * small }
        func segment(_ own: Double, _ other: Double) -> Double {
            let cosine = (distance * distance + own * own - other * other) / (2 * distance * own)
            let angle = acos(min(max(cosine, -1), 1))
            return own * own * (angle - sin(angle) * cos(angle))
        }
        return segment(first, second) + segment(second, first)
    }
}
