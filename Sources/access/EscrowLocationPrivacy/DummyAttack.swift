/// What tells dummies from the one who is followed: attacks on rounds of k points, of which one is true. Each gives those of a round
/// that are left; where none would be, all are.
extension Attack {
    /// Plausibility: where some points of a round lie where people live, those that lie elsewhere are left out.
    public static func settled(
        _ rounds: [[Coordinates]], within metres: Double, _ gazetteer: Gazetteer
    ) -> [[Coordinates]] {
        kept(rounds) { _, point in gazetteer.people(within: metres, of: point) >= 1 }
    }

    /// History: a life comes back to where it was. Of a round those points are left out that were near to a point of less than half
    /// as many other rounds as the best of them.
    public static func returning(_ rounds: [[Coordinates]], within metres: Double) -> [[Coordinates]] {
        let counts = returns(rounds, within: metres)
        return kept(rounds) { place, _ in
            let best = counts[place.round].max() ?? 0
            return counts[place.round][place.point] * 2 >= best
        }
    }

    /// Intersection over time: whoever was there in every round is near to a point of each.
    public static func constant(_ rounds: [[Coordinates]], within metres: Double) -> [[Coordinates]] {
        let counts = returns(rounds, within: metres)
        return kept(rounds) { place, _ in counts[place.round][place.point] == rounds.count - 1 }
    }

    /// How many other rounds have a point so near, for each point.
    private static func returns(_ rounds: [[Coordinates]], within metres: Double) -> [[Int]] {
        rounds.enumerated().map { number, round in
            round.map { point in
                rounds.enumerated().count { other, points in
                    other != number && points.contains { roughly($0, point) <= metres }
                }
            }
        }
    }

    private static func kept(
        _ rounds: [[Coordinates]], _ isKept: ((round: Int, point: Int), Coordinates) -> Bool
    ) -> [[Coordinates]] {
        rounds.enumerated().map { number, round in
            let left = round.enumerated().filter { isKept((number, $0.offset), $0.element) }.map(\.element)
            return left.isEmpty ? round : left
        }
    }
}
