/// What is done to every value of one column before any part of a query sees it.
///
/// At most one of each technique, applied in the order of the members below. A transform never changes a column's
/// type, and a null stays null.
public struct ColumnTransform: Sendable, Hashable {
    /// The value is left out: every row has null.
    public var isDropped = false
    /// `deresolve(c, hour)`: a moment or a date keeps its parts down to this one.
    public var resolution: Resolution?
    /// `round(c, 1)`: a number is rounded to so many decimals, half away from zero; −3 rounds to thousands.
    public var decimals: Int?
    /// `truncate(c, 1)`: a text keeps so many leading characters (Unicode scalars).
    public var length: Int?
    /// `hash(c, per-app)`: a text or whole number becomes a pseudonym, the same for the same value, for one app and one
    /// publisher only.
    public var isHashed = false
    /// `strip(c)`: a picture is handed out without what it says of itself beside its pixels.
    public var isStripped = false

    /// How finely a moment is told.
    public enum Resolution: String, Sendable, Hashable, CaseIterable, Comparable {
        case minute, hour, day, month, year

        public static func < (left: Resolution, right: Resolution) -> Bool { left.rank < right.rank }

        private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }

    public static let decimalsRange = -12...12
    public static let lengthRange = 1...1_000

    public init() {}

    public static let drop: ColumnTransform = {
        var transform = ColumnTransform()
        transform.isDropped = true
        return transform
    }()

    public var isIdentity: Bool { self == ColumnTransform() }

    /// Whether this tells no more than the other in any respect: a partial order.
    public func isAtLeastAsCoarse(as other: ColumnTransform) -> Bool {
        if isDropped || other.isIdentity { return true }
        guard !other.isDropped else { return false }
        return Self.covers(resolution, other.resolution, <) && Self.covers(decimals, other.decimals, >)
            && Self.covers(length, other.length, >) && (isHashed || !other.isHashed)
            && (isStripped || !other.isStripped)
    }

    /// Whether `own` is as coarse as `other`; `isFiner` compares two settings.
    private static func covers<Value: Equatable>(
        _ own: Value?, _ other: Value?, _ isFiner: (Value, Value) -> Bool
    ) -> Bool {
        guard let other else { return true }
        guard let own else { return false }
        return own == other || isFiner(other, own)
    }

    /// Both transforms together: in each respect the coarser of the two.
    public func joined(with other: ColumnTransform) -> ColumnTransform {
        if isDropped || other.isDropped { return .drop }
        var both = self
        both.resolution = [resolution, other.resolution].compactMap(\.self).max()
        both.decimals = [decimals, other.decimals].compactMap(\.self).min()
        both.length = [length, other.length].compactMap(\.self).min()
        both.isHashed = isHashed || other.isHashed
        both.isStripped = isStripped || other.isStripped
        return both
    }

    /// The transforms as they are spelled, with a column's name put in: `round(latitude, 1)`.
    public func spelled(_ column: String) -> [String] {
        if isDropped { return ["drop(\(column))"] }
        var terms: [String] = []
        if let resolution { terms.append("deresolve(\(column), \(resolution.rawValue))") }
        if let decimals { terms.append("round(\(column), \(decimals))") }
        if let length { terms.append("truncate(\(column), \(length))") }
        if isHashed { terms.append("hash(\(column), per-app)") }
        if isStripped { terms.append("strip(\(column))") }
        return terms
    }
}
