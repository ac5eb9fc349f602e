/// How exactly a place is told: the ladder that manifests, grants and the individual's rules speak of, the least first.
public enum Exactness: String, Sendable, Hashable, CaseIterable, Comparable {
    /// Nothing is told.
    case none
    /// The country's largest town.
    case country
    /// The nearest town.
    case city
    /// A place within a kilometre, by Algorithm 1.
    case neighbourhood
    /// A place within a hundred metres.
    case street
    /// The place itself.
    case exact

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    public static func < (left: Exactness, right: Exactness) -> Bool { left.rank < right.rank }

    /// k of a neighbourhood: so many people live within its kilometre, or so many requests are sent.
    public static let people = 10
    /// How far from the truth a neighbourhood and a street may be, in metres.
    static let (neighbourhoodMetres, streetMetres) = (1_000.0, 100.0)

    /// What is told, as half a sentence.
    public var words: String {
        switch self {
        case .none: "nothing of where you are"
        case .country: "the largest town of the country that you are in"
        case .city: "the town nearest to you"
        case .neighbourhood: "a place within about 1000 m of yours"
        case .street: "a place within about 100 m of yours"
        case .exact: "exactly where you are"
        }
    }

    /// An upper bound for what a pair of coordinates told so carries, in bits: how many there are of countries, of towns, of
    /// cells that noise is keyed by, or of pairs of six decimals.
    public var bits: Double {
        switch self {
        case .none: 0
        case .country: 8
        case .city: 18
        case .neighbourhood: 34
        case .street: 41
        case .exact: 56
        }
    }
}

/// A kind of service, and how exactly it needs to know a place (the thesis, 3.3, 5.1 and 5.5).
public enum ServiceType: String, Sendable, Hashable, CaseIterable {
    /// Where on the globe: language, licences, news of a country.
    case region
    /// The weather, news and events of a town: an attribute of the place is enough.
    case weather
    case news
    /// Shops, articles or stops around a place, within some bounds.
    case nearby
    /// Meeting people, or finding what is around the corner.
    case social
    case delivery
    /// The way from here to there, and help in need.
    case navigation
    case emergency

    /// As exactly as it needs it; a manifest may ask for less, never for more.
    public var exactness: Exactness {
        switch self {
        case .region: .country
        case .weather, .news: .city
        case .nearby, .social: .neighbourhood
        case .delivery: .street
        case .navigation, .emergency: .exact
        }
    }
}
