internal import Glibc

/// How far and in which direction a point is moved.
public struct Displacement: Sendable, Hashable {
    /// How far.
    public let metres: Double
    /// Degrees clockwise from north.
    public let bearing: Double

    /// A point between two circles, each part of the ring as likely.
    public static func ring(
        _ inner: Double, _ outer: Double, using generator: inout some RandomNumberGenerator
    ) -> Displacement {
        let square = inner * inner + (outer * outer - inner * inner) * uniform(&generator)
        return Displacement(metres: square.squareRoot(), bearing: 360 * uniform(&generator))
    }

    /// Planar Laplace noise: the radius is Gamma(2, 1/ε), the sum of two exponential draws.
    public static func laplace(
        _ epsilon: Double, using generator: inout some RandomNumberGenerator
    ) -> Displacement {
        let metres = -(log(uniform(&generator)) + log(uniform(&generator))) / epsilon
        return Displacement(metres: metres, bearing: 360 * uniform(&generator))
    }

    /// A number above 0 and below 1, in steps of 2⁻⁵³.
    static func uniform(_ generator: inout some RandomNumberGenerator) -> Double {
        (Double(generator.next() >> 11) + 0.5) / 9_007_199_254_740_992
    }

    /// Where one comes from a point.
    public func from(_ point: Coordinates) -> Coordinates {
        Ellipsoid.point(from: point, bearing: bearing, metres: metres)
    }
}
