/// The places where somebody's life shows, found from their own track: where the nights are, where the working hours are, and
/// where else they stay.
public struct SensitivePlaces: Sendable {
    /// What a place is, as far as times tell.
    public enum Kind: String, Sendable, CaseIterable {
        case home, work
        /// Somewhere that one stayed at, once or often: a clinic, a friend's, a place of worship.
        case stay
    }

    /// One place.
    public struct Place: Sendable, Hashable {
        public let kind: Kind
        public let centre: Coordinates
        /// On how many days one was there.
        public let days: Int
        /// For how many hours in all.
        public let hours: Double
    }

    /// The places, home and work first, then those of most days.
    public let places: [Place]

    /// What lies within so many metres is one place; so many seconds there are a stay; two fixes that are farther apart in time say
    /// nothing of what was between.
    static let (metres, staySeconds, gapSeconds) = (150.0, Int64(1_200), Int64(2 * 3_600))

    /// Finds them in a track, the oldest first; at most so many.
    public init(in track: [TimedPlace], most: Int = 12) {
        var clusters: [Cluster] = []
        for stay in Self.stays(track) {
            let index = clusters.indices.first {
                Ellipsoid.distance(clusters[$0].centre, stay.centre) <= 2 * Self.metres
            }
            if let index { clusters[index].add(stay) } else { clusters.append(Cluster(stay)) }
        }
        func largest(_ time: KeyPath<Cluster, Int64>, but other: Int?) -> Int? {
            clusters.indices.filter { $0 != other && clusters[$0][keyPath: time] > 0 }
                .max { clusters[$0][keyPath: time] < clusters[$1][keyPath: time] }
        }
        let home = largest(\.nightSeconds, but: nil)
        let work = largest(\.workSeconds, but: home)
        let found = clusters.enumerated().map { index, cluster in
            Place(
                kind: index == home ? .home : index == work ? .work : .stay, centre: cluster.centre,
                days: cluster.days.count, hours: Double(cluster.seconds) / 3_600)
        }
        func rank(_ kind: Kind) -> Int { Kind.allCases.firstIndex(of: kind) ?? 0 }
        places = Array(
            found.sorted {
                (rank($0.kind), -$0.days, -$0.hours, $0.centre.latitude)
                    < (rank($1.kind), -$1.days, -$1.hours, $1.centre.latitude)
            }.prefix(most))
    }

    private struct Stay {
        var places: [TimedPlace]
        var centre: Coordinates { Attack.averaged(places.map(\.place)) ?? places[0].place }
        var seconds: Int64 { places[places.count - 1].seconds - places[0].seconds }
    }

    private static func stays(_ track: [TimedPlace]) -> [Stay] {
        var stays: [Stay] = []
        var open: Stay?
        func close() {
            if let stay = open, stay.seconds >= staySeconds { stays.append(stay) }
            open = nil
        }
        for fix in track {
            if let stay = open, let last = stay.places.last, fix.seconds - last.seconds <= gapSeconds,
                Ellipsoid.distance(stay.places[0].place, fix.place) <= metres
            {
                open?.places.append(fix)
            } else {
                close()
                open = Stay(places: [fix])
            }
        }
        close()
        return stays
    }

    private struct Cluster {
        private(set) var centre: Coordinates
        private(set) var seconds: Int64 = 0
        private(set) var nightSeconds: Int64 = 0
        private(set) var workSeconds: Int64 = 0
        private(set) var days: Set<Int64> = []

        init(_ stay: Stay) {
            centre = stay.centre
            add(stay)
        }

        mutating func add(_ stay: Stay) {
            seconds += stay.seconds
            for (from, to) in zip(stay.places, stay.places.dropFirst()) {
                let part = to.seconds - from.seconds
                if Attack.Anchor.home.holds(from.minute, from.seconds) { nightSeconds += part }
                if Attack.Anchor.work.holds(from.minute, from.seconds) { workSeconds += part }
            }
            for fix in stay.places { days.insert(fix.seconds / 86_400) }
        }
    }
}
