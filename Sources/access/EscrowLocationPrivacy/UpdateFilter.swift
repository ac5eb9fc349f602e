/// Which of a stream of fixes are worth an update: by how exactly they are wanted, and how often.
public struct UpdateFilter: Sendable {
    /// How often.
    public enum Mode: String, Sendable, CaseIterable {
        /// Whenever one has moved by what is wanted exactly.
        case standard
        /// After half a kilometre at least, and five minutes at least.
        case significant
        /// Where one stays: at the arrival, and when one leaves.
        case visits
    }

    /// Why there is an update.
    public enum Reason: Sendable, Equatable {
        case moved
        /// One has stayed since then.
        case arrived(since: Int64)
        /// One stayed so long, and is gone.
        case departed(since: Int64, until: Int64)

        /// One word.
        public var word: String {
            switch self {
            case .moved: "moved"
            case .arrived: "arrived"
            case .departed: "departed"
            }
        }
    }

    private let mode: Mode
    private let desired: Exactness
    private var last: (place: Coordinates, seconds: Int64)?
    /// Where one stays, since when, until when, and whether that was told.
    private var stay: (place: Coordinates, since: Int64, until: Int64, isTold: Bool)?

    static let (significantMetres, significantSeconds) = (500.0, Int64(300))
    /// A visit lies within so many metres, ends beyond so many, and is one after so many seconds.
    static let (stayMetres, leaveMetres, staySeconds) = (150.0, 250.0, Int64(300))

    /// Begins with nothing told. `desired` is how exactly places are wanted.
    public init(_ mode: Mode, desired: Exactness) { (self.mode, self.desired) = (mode, desired) }

    /// Looks at the next fix.
    /// - Parameters:
    ///   - uncertainty: how far off it may be, in metres, where that is known.
    /// - Returns: why it is an update; nil where it is none.
    public mutating func look(
        at place: Coordinates, uncertainty: Double?, seconds: Int64
    ) -> Reason? {
        // What is not as exact as it is wanted says nothing of a move; the first is better than none.
        if let uncertainty, uncertainty > desired.metres, last != nil || mode == .visits { return nil }
        switch mode {
        case .standard: return moved(place, seconds, metres: desired.stepMetres, pause: 0)
        case .significant:
            return moved(
                place, seconds, metres: max(Self.significantMetres, desired.stepMetres),
                pause: Self.significantSeconds)
        case .visits: return visit(place, seconds)
        }
    }

    private mutating func moved(
        _ place: Coordinates, _ seconds: Int64, metres: Double, pause: Int64
    ) -> Reason? {
        if let last {
            guard seconds - last.seconds >= pause, Ellipsoid.distance(last.place, place) >= metres else {
                return nil
            }
        }
        last = (place, seconds)
        return .moved
    }

    private mutating func visit(_ place: Coordinates, _ seconds: Int64) -> Reason? {
        guard var known = stay else {
            stay = (place, seconds, seconds, false)
            return nil
        }
        let metres = Ellipsoid.distance(known.place, place)
        if metres <= Self.stayMetres {
            known.until = seconds
            let isNew = !known.isTold && seconds - known.since >= Self.staySeconds
            known.isTold = known.isTold || isNew
            stay = known
            return isNew ? .arrived(since: known.since) : nil
        }
        // Near the border of a place one has not left it yet.
        guard metres > Self.leaveMetres || !known.isTold else { return nil }
        stay = (place, seconds, seconds, false)
        return known.isTold ? .departed(since: known.since, until: known.until) : nil
    }
}

extension Exactness {
    /// How far from the truth a place may be that is wanted so exactly, in metres.
    public var metres: Double {
        switch self {
        case .none, .country: 100_000
        case .city: 10_000
        case .neighbourhood: Self.neighbourhoodMetres
        case .street: Self.streetMetres
        case .exact: 50
        }
    }

    /// How far one has moved before there is something new to tell.
    var stepMetres: Double { self == .exact ? 0 : metres / 2 }

    /// Digits that a place means that is wanted so exactly.
    public func decimals(at latitude: Double) -> Decimals {
        self == .exact
            ? Decimals(latitude: Decimals.most, longitude: Decimals.most)
            : Decimals(metres: metres, at: latitude)
    }
}
