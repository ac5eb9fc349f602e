internal import Glibc

/// What somebody can do who has what was told of places: the usual attacks, so that one can see what they come to.
public enum Attack {
    /// The middle of all places: noise that is drawn anew each time averages away.
    public static func averaged(_ places: [Coordinates]) -> Coordinates? {
        guard let first = places.first else { return nil }
        // On a plane that touches the first: what is averaged lies close together.
        let east = max(Ellipsoid.metresPerDegreeEast(first.latitude), 1)
        var (north, right) = (0.0, 0.0)
        for place in places {
            north += (place.latitude - first.latitude) * Ellipsoid.metresPerDegreeNorth
            var turn = place.longitude - first.longitude
            if turn > 180 { turn -= 360 } else if turn < -180 { turn += 360 }
            right += turn * east
        }
        let count = Double(places.count)
        return Coordinates(
            first.latitude + north / count / Ellipsoid.metresPerDegreeNorth,
            first.longitude + right / count / east)
    }

    /// What one looks for in a life.
    public enum Anchor: String, Sendable, CaseIterable {
        /// Where the nights are.
        case home
        /// Where working hours are, on five days of the week.
        case work

        /// Whether a minute of a day belongs to its hours.
        public func holds(_ minute: Int, _ seconds: Int64) -> Bool {
            // 1970 began on a Thursday.
            let weekday = (seconds / 86_400 + 3) % 7
            return switch self {
            case .home: minute >= 22 * 60 || minute < 6 * 60
            case .work: (9 * 60..<17 * 60).contains(minute) && weekday < 5
            }
        }
    }

    /// Guesses at an anchor: the place that was told most often in its hours, and the middle of the densest cluster of such.
    public static func guesses(_ anchor: Anchor, in trace: [TimedPlace], bandwidth: Double) -> [Coordinates] {
        let places = trace.filter { anchor.holds($0.minute, $0.seconds) }.map(\.place)
        var counts: [Coordinates: Int] = [:]
        for place in places { counts[place, default: 0] += 1 }
        // Of equally many the southernmost and westernmost: an answer is one answer.
        let sorted = counts.sorted {
            ($1.value, $0.key.latitude, $0.key.longitude) < ($0.value, $1.key.latitude, $1.key.longitude)
        }
        guard let often = sorted.first?.key else { return [] }
        var densest: (weight: Int, places: [(Coordinates, Int)]) = (0, [])
        // Where a cluster is, one of the places that were told most often is in it.
        for candidate in sorted.prefix(50) {
            let near = sorted.prefix(2_000).filter {
                roughly($0.key, candidate.key) <= bandwidth
            }.map { ($0.key, $0.value) }
            let weight = near.reduce(0) { $0 + $1.1 }
            if weight > densest.weight { densest = (weight, near) }
        }
        let middle = averaged(densest.places.flatMap { Array(repeating: $0.0, count: $0.1) })
        return [often] + (middle.map { [$0] } ?? [])
    }

    static func roughly(_ from: Coordinates, _ to: Coordinates) -> Double {
        let north = (from.latitude - to.latitude) * Ellipsoid.metresPerDegreeNorth
        let east = (from.longitude - to.longitude) * Ellipsoid.metresPerDegreeEast(from.latitude)
        return (north * north + east * east).squareRoot()
    }

    /// Which of the points that were told at a time can be one life: each is reached from one of the time before without
    /// going faster than so many metres a second. Where none can, all may be.
    public static func plausible(
        _ rounds: [(seconds: Int64, points: [Coordinates])], fastest: Double = 50
    ) -> [[Coordinates]] {
        var left: [[Coordinates]] = []
        for (index, round) in rounds.enumerated() {
            guard let before = left.last else {
                left.append(round.points)
                continue
            }
            let reach = Double(max(round.seconds - rounds[index - 1].seconds, 0)) * fastest
            let possible = round.points.filter { point in
                before.contains { Ellipsoid.distance($0, point) <= reach + 2 * Exactness.neighbourhoodMetres }
            }
            left.append(possible.isEmpty ? round.points : possible)
        }
        return left
    }

    /// Among how many people somebody is hidden who is known to be so near to a guess, in bits: 0 for one alone.
    public static func bits(hiddenBy gazetteer: Gazetteer, around guess: Coordinates, metres: Double)
        -> Double
    {
        log2(max(gazetteer.people(within: metres, of: guess), 1))
    }
}
