internal import Glibc

/// How a place is told: a step of the ladder, or one mechanism by its name. Manifests, grants and the individual's rules speak
/// of it in one spelling: `city`, or `planar-laplace(0.001)`.
public struct Telling: Sendable, Hashable {
    /// The least step of the ladder that tells as much.
    public let step: Exactness
    /// What masks the place instead of the ladder's own mask.
    public let mechanism: Mechanism?

    /// The ladder's own mask.
    public init(_ step: Exactness) { (self.step, mechanism) = (step, nil) }

    /// A mechanism of one's own.
    public init(_ mechanism: Mechanism) { (step, self.mechanism) = (mechanism.step, mechanism) }

    /// The nearest of a list's places, which lie so far apart: the farther, the less it tells.
    public init(snap list: String, apart metres: Double) {
        (step, mechanism) = (Mechanism.step(metres: metres), Mechanism.snap(list: list))
    }

    /// The list of the individual's that it needs; nil for one that needs none.
    public var list: String? {
        if case .snap(let list)? = mechanism, list != Mechanism.towns { list } else { nil }
    }

    /// Nil for what names neither a step nor a mechanism with parts. The mechanism `none` is the step `exact`. Of a list nothing is
    /// known here but that its places lie a hundred metres apart.
    public init?(_ spelling: String) {
        if let step = Exactness(rawValue: spelling) {
            self.init(step)
        } else if spelling.contains("("), let mechanism = try? Mechanism(spelling), mechanism.isKnown {
            self.init(mechanism)
        } else {
            return nil
        }
    }

    public static let none = Telling(Exactness.none)
    public static let country = Telling(Exactness.country)
    public static let city = Telling(Exactness.city)
    public static let neighbourhood = Telling(Exactness.neighbourhood)
    public static let street = Telling(Exactness.street)
    public static let exact = Telling(Exactness.exact)

    /// As files have it.
    public var spelling: String { mechanism?.description ?? step.rawValue }

    /// What is told, as half a sentence.
    public var words: String { mechanism?.words ?? step.words }

    /// An upper bound for what it carries, in bits.
    public var bits: Double { mechanism.map { min($0.bits, Exactness.exact.bits) } ?? step.bits }

    /// Whether it tells no more than another one: the same, or a lower step, or a mechanism where the ladder's step may be told.
    public func isWithin(_ other: Telling) -> Bool {
        self == other || step < other.step || (step == other.step && other.mechanism == nil)
    }

    /// The one that tells less; of two mechanisms of one step that of fewer bits.
    public static func least(_ one: Telling, _ other: Telling) -> Telling {
        if one.isWithin(other) { return one }
        if other.isWithin(one) { return other }
        return (one.bits, one.spelling) <= (other.bits, other.spelling) ? one : other
    }
}

extension Mechanism {
    /// The least step of the ladder that tells as much. What only adds noise is no step below a city.
    public var step: Exactness {
        switch self {
        case .none: .exact
        case .fixed: .country
        case .truncate(let decimals): Self.step(metres: 111_000 / Decimals.powers[decimals])
        case .grid(let metres), .perturbation(let metres), .donut(_, let metres): Self.step(metres: metres)
        case .aggregate(.country): .country
        case .aggregate(.city), .aggregate(.region), .snap(Self.towns): .city
        case .aggregate(.street), .aggregate(.postcode): .exact
        case .snap: Self.step(metres: PlaceList.apartRange.lowerBound)
        case .adaptiveDonut: .street
        case .planarLaplace(let epsilon): Self.step(metres: 1 / epsilon)
        }
    }

    static func step(metres: Double) -> Exactness {
        if metres >= Exactness.city.metres { return .city }
        if metres >= Exactness.neighbourhood.metres { return .neighbourhood }
        return metres >= Exactness.street.metres ? .street : .exact
    }

    /// Whether the host can mask by it: the gazetteer knows no streets.
    public var isKnown: Bool {
        switch self {
        case .aggregate(.street), .aggregate(.postcode): false
        default: true
        }
    }

    /// How many cells or places there are, in bits.
    var bits: Double {
        func cells(_ metres: Double) -> Double { log2(5.1e14 / (metres * metres)) }
        return switch self {
        case .none: Exactness.exact.bits
        case .fixed: 0
        case .truncate(let decimals): log2(64_800 * Decimals.powers[decimals] * Decimals.powers[decimals])
        case .grid(let metres): cells(metres)
        case .perturbation(let metres): cells(metres / 4)
        case .donut(let hole, let metres): cells((metres - hole.radius(metres)) / 4)
        case .adaptiveDonut: cells(100)
        case .planarLaplace(let epsilon): cells(0.5 / epsilon)
        case .aggregate(.country): Exactness.country.bits
        case .aggregate(.region): 12
        case .aggregate, .snap(Self.towns): Exactness.city.bits
        case .snap: cells(PlaceList.apartRange.lowerBound)
        }
    }
}
