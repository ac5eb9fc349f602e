/// Places that one may be told to be at instead: shops, stops, whatever the individual has a list of.
///
/// No two of them are nearer to each other than `apart`, so each stands for all that lies within half of it at least: an answer
/// tells no more than that.
public struct PlaceList: Sendable, Equatable {
    /// The most places that a list has.
    public static let most = 20_000
    /// What `apart` may be, in metres.
    public static let apartRange = 100.0...100_000.0

    /// From south to north.
    public let places: [Coordinates]
    /// The metres between any two of them at least.
    public let apart: Double

    /// Takes places in any order; of those that are nearer to each other than `apart`, the southernmost stays. Nil without a place,
    /// with more than the most, and for an `apart` that none has.
    public init?(_ all: [Coordinates], apart: Double) {
        guard Self.apartRange.contains(apart) else { return nil }
        var kept: [Coordinates] = []
        for place in Set(all).sorted(by: { ($0.latitude, $0.longitude) < ($1.latitude, $1.longitude) }) {
            let plane = Plane(around: place, reaching: apart)
            var isAlone = true
            for other in kept.reversed() {
                guard isAlone, (place.latitude - other.latitude) * Plane.shortestDegree < apart else { break }
                isAlone = !plane.mayReach(other, apart) || Ellipsoid.distance(other, place) >= apart
            }
            if isAlone { kept.append(place) }
            guard kept.count <= Self.most else { return nil }
        }
        guard !kept.isEmpty else { return nil }
        (places, self.apart) = (kept, apart)
    }

    /// The nearest of them; of equally near ones the southernmost.
    public func nearest(to point: Coordinates) -> Coordinates {
        var (low, high) = (0, places.count)
        while low < high {
            let middle = (low + high) / 2
            if places[middle].latitude < point.latitude { low = middle + 1 } else { high = middle }
        }
        var best = (place: places[min(low, places.count - 1)], metres: Double.infinity)
        var plane = Plane(around: point, reaching: .infinity)
        // Both ways from the point's own latitude, the nearer parallel first, until none can be nearer.
        var (south, north) = (low - 1, low)
        while true {
            let below = south >= 0 ? point.latitude - places[south].latitude : .infinity
            let above = north < places.count ? places[north].latitude - point.latitude : .infinity
            guard min(below, above) * Plane.shortestDegree <= best.metres, min(below, above) < .infinity
            else { break }
            let place = below <= above ? places[south] : places[north]
            if below <= above { south -= 1 } else { north += 1 }
            guard plane.mayReach(place, best.metres) else { continue }
            let metres = Ellipsoid.distance(place, point)
            if (metres, place.latitude, place.longitude)
                < (best.metres, best.place.latitude, best.place.longitude)
            {
                best = (place, metres)
                plane = Plane(around: point, reaching: metres)
            }
        }
        return best.place
    }
}
