internal import Glibc

/// Distances from one point to others nearby, at a tenth of what the ellipsoid's cost: those of the plane that touches it halfway
/// between both. Within 200 km and below 80° of latitude they are right within a thousandth, beyond it the ellipsoid's are taken.
struct Plane {
    /// A degree of latitude is nowhere shorter.
    static let shortestDegree = 110_570.0

    private let origin: Coordinates
    /// No degree of longitude that is crossed on the way to a point in reach is shorter.
    private let leastEast: Double
    private let isFlat: Bool

    /// Prepares for points that are at most so many metres away.
    init(around origin: Coordinates, reaching metres: Double) {
        self.origin = origin
        let edge = origin.latitude.magnitude + metres / Self.shortestDegree
        leastEast = edge < 90 ? Ellipsoid.metresPerDegreeEast(edge) : 0
        isFlat = edge < 80 && metres <= 200_000
    }

    /// The degrees to a point, the shorter way around.
    private func degrees(to point: Coordinates) -> (north: Double, east: Double) {
        var east = point.longitude - origin.longitude
        if east > 180 { east -= 360 } else if east < -180 { east += 360 }
        return (point.latitude - origin.latitude, east)
    }

    /// Whether a point may be so near; what is not is told without a sine.
    func mayReach(_ point: Coordinates, _ metres: Double) -> Bool {
        let (north, east) = degrees(to: point)
        return north.magnitude * Self.shortestDegree <= metres && east.magnitude * leastEast <= metres
    }

    /// The metres to a point.
    func distance(to point: Coordinates) -> Double {
        guard isFlat else { return Ellipsoid.distance(origin, point) }
        let (north, east) = degrees(to: point)
        let cosine = cos((origin.latitude + north / 2) * .pi / 180)
        let eccentricity = Ellipsoid.flattening * (2 - Ellipsoid.flattening)
        let square = 1 - eccentricity * (1 - cosine * cosine)
        // The radii of curvature across the meridian and along it.
        let across = Ellipsoid.equator / square.squareRoot()
        let along = across * (1 - eccentricity) / square
        let (up, right) = (along * north * .pi / 180, across * cosine * east * .pi / 180)
        return (up * up + right * right).squareRoot()
    }
}
