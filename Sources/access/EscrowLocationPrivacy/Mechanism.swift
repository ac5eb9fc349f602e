/// A way to make a place less exact before it is used or sent. docs/location-privacy.md says where each comes from and
/// what each leaks.
public enum Mechanism: Sendable, Hashable {
    /// `none`: the place as it is.
    case none
    /// `fixed(52.5, 13.4)`: always this place, wherever the individual is.
    case fixed(latitude: Double, longitude: Double)
    /// `truncate(2)`: digits behind these are cut off.
    case truncate(decimals: Int)
    /// `grid(1000)`: the middle of a cell of at most so many metres.
    case grid(metres: Double)
    /// `aggregate(city)`: the point that stands for a region.
    case aggregate(Level)
    /// `random-perturbation(500)`: a random point within so many metres.
    case perturbation(metres: Double)
    /// `donut(100, 500)` or `donut(20%, 500)`: a random point at least so far away, and at most so far.
    case donut(Inner, metres: Double)
    /// `adaptive-donut(1000)`: a donut that so many people live in.
    case adaptiveDonut(people: Int)
    /// `planar-laplace(0.01)`: noise with density falling by so much a metre; twice its inverse away on average.
    case planarLaplace(epsilon: Double)
    /// `snap(towns)`: the nearest of a list of places.
    case snap(list: String)

    /// What a place is aggregated to.
    public enum Level: String, Sendable, Hashable, CaseIterable {
        case street, postcode, city, region, country
    }

    /// How far a donut's hole reaches.
    public enum Inner: Sendable, Hashable {
        /// So many metres.
        case metres(Double)
        /// So many hundredths of the outer radius.
        case percent(Int)

        /// In metres, given the outer radius.
        func radius(_ outer: Double) -> Double {
            switch self {
            case .metres(let metres): metres
            case .percent(let percent): outer * Double(percent) / 100
            }
        }
    }

    /// What a radius or a width may be, in metres: up to it, areas on the ellipsoid are those of the plane within 0.01 %.
    public static let metresRange = 1.0...100_000.0
    /// What `truncate` may leave.
    public static let decimalsRange = 0...5
    /// What `epsilon` may be, for each metre: noise of 2 m to 200 km on average.
    public static let epsilonRange = 0.000_01...1.0
    /// What `adaptive-donut` may ask for.
    public static let peopleRange = 2...1_000_000
    /// How many hundredths of a donut its hole may be across.
    public static let percentRange = 1...90
    /// The list of `snap` that the gazetteer itself has: places of more than 500 people.
    public static let towns = "towns"
}
