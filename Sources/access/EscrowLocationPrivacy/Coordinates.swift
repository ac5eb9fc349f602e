/// A point on the globe, in degrees of WGS 84.
public struct Coordinates: Sendable, Hashable {
    /// From −90 to 90.
    public let latitude: Double
    /// From −180 up to, but not including, 180.
    public let longitude: Double

    /// Takes finite degrees, of latitude from −90 to 90 and of longitude from −360 to 360; nil for others.
    public init?(latitude: Double, longitude: Double) {
        guard latitude.magnitude <= 90, longitude.magnitude <= 360 else { return nil }
        self.init(latitude, longitude)
    }

    /// Takes degrees that a computation gave: longitude is turned into its range.
    init(_ latitude: Double, _ longitude: Double) {
        // Adding zero makes −0 a 0: one point has one value.
        self.latitude = min(max(latitude, -90), 90) + 0
        let turned = longitude - 360 * ((longitude + 180) / 360).rounded(.down)
        // What lies a rounding error west of 180° west becomes it.
        self.longitude = (turned >= 180 ? -180 : turned) + 0
    }

    /// Latitude and longitude in radians.
    var radians: (latitude: Double, longitude: Double) {
        (latitude * .pi / 180, longitude * .pi / 180)
    }

    /// Rounded to so many decimals, as the receiver reads it.
    public func rounded(_ decimals: Decimals) -> Coordinates {
        Coordinates(
            Decimals.value(Decimals.units(latitude, decimals.latitude), decimals.latitude),
            Decimals.value(Decimals.units(longitude, decimals.longitude), decimals.longitude))
    }
}

/// How many digits behind the point a pair of coordinates is written with: no more than it means.
public struct Decimals: Sendable, Hashable {
    /// Digits of the latitude.
    public var latitude: Int
    /// Digits of the longitude: fewer towards the poles, where a degree is short.
    public var longitude: Int

    /// The most digits that are ever written: a tenth of a metre.
    public static let most = 6

    /// Takes both counts.
    public init(latitude: Int, longitude: Int) {
        self.latitude = min(max(latitude, 0), Self.most)
        self.longitude = min(max(longitude, 0), Self.most)
    }

    /// Digits for something that is true within so many metres: the last one stands for at most a quarter of them.
    public init(metres: Double, at latitude: Double) {
        let shrink = max(Ellipsoid.metresPerDegreeEast(latitude), 1)
        self.init(
            latitude: Self.digits(Ellipsoid.metresPerDegreeNorth, metres / 4),
            longitude: Self.digits(shrink, metres / 4))
    }

    private static func digits(_ degree: Double, _ step: Double) -> Int {
        var digits = 0
        var width = degree
        while width > step, digits < most {
            width /= 10
            digits += 1
        }
        return digits
    }

    /// Whole units of the last digit.
    static func units(_ degrees: Double, _ decimals: Int) -> Int {
        Int((degrees * powers[decimals]).rounded(.toNearestOrAwayFromZero))
    }

    static func value(_ units: Int, _ decimals: Int) -> Double { Double(units) / powers[decimals] }

    static let powers: [Double] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000]

    /// A number with exactly so many decimals, whatever language or locale: `-0.05`.
    static func text(_ degrees: Double, _ decimals: Int) -> String {
        let units = units(degrees, decimals)
        let digits = String(units.magnitude)
        let padded = String(repeating: "0", count: max(decimals + 1 - digits.count, 0)) + digits
        let sign = units < 0 ? "-" : ""
        guard decimals > 0 else { return sign + padded }
        return sign + padded.dropLast(decimals) + "." + padded.suffix(decimals)
    }
}
