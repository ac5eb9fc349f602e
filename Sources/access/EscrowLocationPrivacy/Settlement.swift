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
        Self.people(settled(within: metres, of: point), metres)
    }

    private static func people(_ near: [Near], _ metres: Double) -> Double {
        near.reduce(0) { sum, near in
            let reach = reach(near.place)
            return sum + lens(near.metres, metres, reach) * density * believed
        }
    }

    /// The radius within which about so many people live: nil where there are not so many within 100 km, or within the
    /// metres that are given.
    public func radius(of people: Int, around point: Coordinates, atMost most: Double = farthest) -> Double? {
        // Most questions are answered nearby; what is near is read once for each of these.
        for limit in [2_000.0, 20_000].filter({ $0 < most }) + [most] {
            let near = settled(within: limit, of: point)
            guard Self.people(near, limit) >= Double(people) else { continue }
            var (low, high) = (0.0, limit)
            // To a centimetre: the counts are not that good, but an answer is one answer.
            while high - low > 0.01 {
                let middle = (low + high) / 2
                if Self.people(near, middle) >= Double(people) { high = middle } else { low = middle }
            }
            return high
        }
        return nil
    }

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
