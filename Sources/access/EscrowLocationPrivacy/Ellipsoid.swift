internal import Glibc

/// Distances and directions on WGS 84, by T. Vincenty, "Direct and inverse solutions of geodesics on the ellipsoid",
/// Survey Review 23 (1975): right within a millimetre, at the poles and at ±180° as anywhere.
public enum Ellipsoid {
    static let equator = 6_378_137.0
    static let flattening = 1 / 298.257223563
    static let pole = equator * (1 - flattening)
    /// The most that one degree of latitude is long, at the poles.
    static let metresPerDegreeNorth = 111_694.0

    /// How long a degree of longitude is at a latitude.
    public static func metresPerDegreeEast(_ latitude: Double) -> Double {
        let angle = latitude * .pi / 180
        let square = flattening * (2 - flattening)
        let sine = sin(angle)
        return equator / (1 - square * sine * sine).squareRoot() * cos(angle) * .pi / 180
    }

    /// The metres of the shortest way between two points.
    ///
    /// For points within about half a degree of being antipodes, where the iteration does not end, the sphere's distance is
    /// returned, which is within 0.6 % of it: no mask reaches so far.
    public static func distance(_ from: Coordinates, _ to: Coordinates) -> Double {
        let (start, end) = (from.radians, to.radians)
        let difference = end.longitude - start.longitude
        let first = atan((1 - flattening) * tan(start.latitude))
        let second = atan((1 - flattening) * tan(end.latitude))
        let (sine1, cosine1) = (sin(first), cos(first))
        let (sine2, cosine2) = (sin(second), cos(second))
        var lambda = difference
        for _ in 0..<100 {
            let (sineLambda, cosineLambda) = (sin(lambda), cos(lambda))
            let across = cosine2 * sineLambda
            let along = cosine1 * sine2 - sine1 * cosine2 * cosineLambda
            let sineSigma = (across * across + along * along).squareRoot()
            guard sineSigma > 0 else { return 0 }
            let cosineSigma = sine1 * sine2 + cosine1 * cosine2 * cosineLambda
            let sigma = atan2(sineSigma, cosineSigma)
            let sineAlpha = cosine1 * cosine2 * sineLambda / sineSigma
            let squareAlpha = 1 - sineAlpha * sineAlpha
            // On the equator there is no middle latitude.
            let middle = squareAlpha > 1e-15 ? cosineSigma - 2 * sine1 * sine2 / squareAlpha : 0
            let part = flattening / 16 * squareAlpha * (4 + flattening * (4 - 3 * squareAlpha))
            let next =
                difference + (1 - part) * flattening * sineAlpha
                * (sigma + part * sineSigma * (middle + part * cosineSigma * (2 * middle * middle - 1)))
            if (next - lambda).magnitude < 1e-12 {
                let (scale, turn) = series(squareAlpha)
                return pole * scale * (sigma - correction(turn, sineSigma, cosineSigma, middle))
            }
            guard next.magnitude <= 2 * .pi else { break }
            lambda = next
        }
        let cosine =
            sin(start.latitude) * sin(end.latitude)
            + cos(start.latitude) * cos(end.latitude) * cos(difference)
        return 6_371_008.8 * acos(min(max(cosine, -1), 1))
    }

    /// Where one comes from a point in a direction, in degrees clockwise from north, after so many metres.
    public static func point(
        from: Coordinates, bearing: Double, metres: Double
    ) -> Coordinates {
        let start = from.radians
        let alpha = bearing * .pi / 180
        let (sineAlpha1, cosineAlpha1) = (sin(alpha), cos(alpha))
        let reduced = atan((1 - flattening) * tan(start.latitude))
        let (sine1, cosine1) = (sin(reduced), cos(reduced))
        let sigma1 = atan2(sine1, cosine1 * cosineAlpha1)
        let sineAlpha = cosine1 * sineAlpha1
        let squareAlpha = 1 - sineAlpha * sineAlpha
        let (scale, turn) = series(squareAlpha)
        let base = metres / (pole * scale)
        var sigma = base
        var middle = cos(2 * sigma1 + sigma)
        for _ in 0..<100 {
            middle = cos(2 * sigma1 + sigma)
            let next = base + correction(turn, sin(sigma), cos(sigma), middle)
            let change = (next - sigma).magnitude
            sigma = next
            if change < 1e-13 { break }
        }
        middle = cos(2 * sigma1 + sigma)
        let (sineSigma, cosineSigma) = (sin(sigma), cos(sigma))
        let across = sine1 * sineSigma - cosine1 * cosineSigma * cosineAlpha1
        let latitude = atan2(
            sine1 * cosineSigma + cosine1 * sineSigma * cosineAlpha1,
            (1 - flattening) * (sineAlpha * sineAlpha + across * across).squareRoot())
        let lambda = atan2(
            sineSigma * sineAlpha1, cosine1 * cosineSigma - sine1 * sineSigma * cosineAlpha1)
        let part = flattening / 16 * squareAlpha * (4 + flattening * (4 - 3 * squareAlpha))
        let difference =
            lambda - (1 - part) * flattening * sineAlpha
            * (sigma + part * sineSigma * (middle + part * cosineSigma * (2 * middle * middle - 1)))
        return Coordinates(
            latitude * 180 / .pi, (start.longitude + difference) * 180 / .pi)
    }

    /// The direction in which one leaves a point for another: the sphere's, which is within a fifth of a degree of it.
    static func bearing(_ from: Coordinates, _ to: Coordinates) -> Double {
        let (start, end) = (from.radians, to.radians)
        let difference = end.longitude - start.longitude
        return atan2(
            sin(difference) * cos(end.latitude),
            cos(start.latitude) * sin(end.latitude)
                - sin(start.latitude) * cos(end.latitude) * cos(difference)) * 180 / .pi
    }

    /// Vincenty's A and B.
    private static func series(_ squareAlpha: Double) -> (Double, Double) {
        let square = squareAlpha * (equator * equator - pole * pole) / (pole * pole)
        let scale = 1 + square / 16_384 * (4_096 + square * (-768 + square * (320 - 175 * square)))
        let turn = square / 1_024 * (256 + square * (-128 + square * (74 - 47 * square)))
        return (scale, turn)
    }

    /// Vincenty's Δσ.
    private static func correction(
        _ turn: Double, _ sine: Double, _ cosine: Double, _ middle: Double
    ) -> Double {
        let square = 2 * middle * middle - 1
        let outer = turn / 6 * middle * (4 * sine * sine - 3) * (4 * middle * middle - 3)
        return turn * sine * (middle + turn / 4 * (cosine * square - outer))
    }
}
