import EscrowLocationPrivacy
import Glibc

/// Attacks on a whole life, by somebody who knows each way that the individual ever goes: stronger than any map of streets.
enum LifeAttack {
    /// How many moments and ways are looked at: more say no more, and cost.
    private static let (mostMoments, mostNodes, candidates) = (300, 2_000, 24)

    /// Map matching: of all courses along the ways that nobody has to fly for, the one that lies nearest to what was told
    /// (Viterbi; Newson and Krumm 2009 with distances instead of a network of streets).
    /// - Parameter reach: how far from the truth one is told, in metres.
    /// - Returns: a guess for each of the last moments; empty where there is nothing to guess by.
    static func matched(
        _ told: [TimedPlace], ways: [Coordinates], reach: Double, fastest: Double = 40
    ) -> [(seconds: Int64, told: Coordinates, guess: Coordinates)] {
        let nodes = thinned(ways, reach: reach)
        let moments = told.suffix(mostMoments)
        guard !nodes.isEmpty, let first = moments.first else { return [] }
        let plane = Plane(first.place)
        let flat = nodes.map(plane.flat)
        typealias Step = (node: Int, cost: Double, before: Int)
        var columns: [[Step]] = []
        for (number, moment) in moments.enumerated() {
            let here = plane.flat(moment.place)
            let near = flat.indices.map { (node: $0, metres: Plane.metres(flat[$0], here)) }
                .sorted { $0.metres < $1.metres }.prefix(candidates)
            let seconds = number == 0 ? 0 : moment.seconds - moments[moments.startIndex + number - 1].seconds
            let far = Double(max(seconds, 0)) * fastest + 200
            columns.append(
                near.map { candidate in
                    let emission = pow(candidate.metres / max(reach, 1), 2)
                    guard let column = columns.last else { return (candidate.node, emission, -1) }
                    var best: (cost: Double, before: Int) = (.infinity, 0)
                    for (index, step) in column.enumerated() {
                        let jump = Plane.metres(flat[step.node], flat[candidate.node])
                        // A longer way costs a little, one that nobody can go costs more than any noise.
                        let cost = step.cost + jump / 50_000 + (jump > far ? 100 : 0)
                        if cost < best.cost { best = (cost, index) }
                    }
                    return (candidate.node, best.cost + emission, best.before)
                })
        }
        guard
            var index = columns.last?.indices.min(by: {
                columns[columns.count - 1][$0].cost < columns[columns.count - 1][$1].cost
            })
        else { return [] }
        var guesses: [(seconds: Int64, told: Coordinates, guess: Coordinates)] = []
        for (column, moment) in zip(columns, moments).reversed() {
            guesses.append((moment.seconds, moment.place, nodes[column[index].node]))
            index = column[index].before
        }
        return guesses.reversed()
    }

    /// Intersection: where somebody can be who is so near to each of these places, each told so often. Where no point is near to
    /// all, those that are near to most.
    static func intersection(
        _ told: [Coordinates: Int], reach: Double
    ) -> (middle: Coordinates, squareKilometres: Double)? {
        guard let first = told.max(by: { ($0.value, $1.key.latitude) < ($1.value, $0.key.latitude) })?.key
        else { return nil }
        let plane = Plane(first)
        let discs = told.map { (centre: plane.flat($0.key), weight: $0.value) }
        let side = 40
        let step = reach / Double(side)
        var best: (weight: Int, points: [(Double, Double)]) = (0, [])
        for row in -side...side {
            for column in -side...side {
                let point = (Double(row) * step, Double(column) * step)
                guard Plane.metres(point, (0, 0)) <= reach else { continue }
                let weight = discs.reduce(0) {
                    $0 + (Plane.metres($1.centre, point) <= reach ? $1.weight : 0)
                }
                if weight > best.weight { best = (weight, []) }
                if weight == best.weight { best.points.append(point) }
            }
        }
        let count = Double(best.points.count)
        guard count > 0 else { return nil }
        let middle = best.points.reduce((0.0, 0.0)) { ($0.0 + $1.0 / count, $0.1 + $1.1 / count) }
        return plane.point(middle).map { ($0, count * step * step / 1e6) }
    }

    /// One place of each cell that is fine enough.
    private static func thinned(_ ways: [Coordinates], reach: Double) -> [Coordinates] {
        let digits = Decimals(metres: max(reach / 4, 20), at: ways.first?.latitude ?? 0)
        var seen: Set<Coordinates> = []
        return Array(ways.reversed().filter { seen.insert($0.rounded(digits)).inserted }.prefix(mostNodes))
    }

    /// Metres north and east of a place, near enough to it.
    private struct Plane {
        let origin: Coordinates
        let east: Double
        private static let north = 111_195.0

        init(_ origin: Coordinates) {
            self.origin = origin
            east = max(Ellipsoid.metresPerDegreeEast(origin.latitude), 1)
        }

        func flat(_ place: Coordinates) -> (Double, Double) {
            var turn = place.longitude - origin.longitude
            if turn > 180 { turn -= 360 } else if turn < -180 { turn += 360 }
            return ((place.latitude - origin.latitude) * Self.north, turn * east)
        }

        func point(_ flat: (Double, Double)) -> Coordinates? {
            Coordinates(
                latitude: origin.latitude + flat.0 / Self.north, longitude: origin.longitude + flat.1 / east)
        }

        static func metres(_ one: (Double, Double), _ other: (Double, Double)) -> Double {
            let (north, east) = (one.0 - other.0, one.1 - other.1)
            return (north * north + east * east).squareRoot()
        }
    }
}
