import EscrowHashing
import EscrowLocationPrivacy
import Glibc

/// What donuts and aggregation cost who looks for clusters, and what they give who is in one: the trade-off of Hampton et al.,
/// "Mapping health data", 2010, on simulated cases. A square of ten kilometres has 500 cases anywhere and 50 more within 500 m of
/// a point; each case is a person with noise of their own. Clusters are looked for by Kulldorff's circles.
struct Hampton {
    /// The masks that are compared; squares stand for census tracts, which the gazetteer does not know.
    static let spellings = [
        "none", "donut(50, 250)", "donut(100, 500)", "donut(200, 1000)", "donut(400, 2000)",
        "grid(1000)", "grid(2000)", "grid(5000)",
    ]
    static let (side, cases, clustered, width) = (10_000.0, 500, 50, 500.0)
    /// People on a square kilometre, as in the gazetteer's model of a town.
    static let density = 2_000.0
    static let rounds = 100

    /// Splitmix64: the same cases for each mask and in each run.
    struct Seeded: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var value = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
            value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
            return value ^ (value >> 31)
        }
    }

    /// Metres from the middle of the square.
    struct Spot {
        var (east, north) = (0.0, 0.0)
        func distance(_ other: Spot) -> Double { hypot(east - other.east, north - other.north) }
    }

    static let origin = (latitude: 45.0, longitude: 7.0)
    static let (degreeEast, degreeNorth) = (Ellipsoid.metresPerDegreeEast(45), 111_132.0)

    static func report() throws {
        print(
            "\n| mask | people nearer than the answer, median | clusters found of \(rounds) | of its cases inside | of others outside |"
        )
        print("|---|---|---|---|---|")
        for spelling in spellings {
            let mechanism = try Mechanism(spelling)
            var people: [Double] = []
            var null: [Double] = []
            for round in 0..<rounds {
                let (spots, _) = try simulated(UInt64(round), cluster: false)
                let masked = try mask(spots, mechanism, UInt64(round))
                null.append(scan(masked).likelihood)
            }
            let limit = null.sorted()[rounds * 95 / 100]
            var (found, inside, outside) = (0, 0.0, 0.0)
            for round in 0..<rounds {
                let (spots, centre) = try simulated(UInt64(1_000 + round), cluster: true)
                let masked = try mask(spots, mechanism, UInt64(1_000 + round))
                for (spot, told) in zip(spots, masked) {
                    let metres = spot.distance(told)
                    people.append(density * .pi * metres * metres / 1_000_000)
                }
                let best = scan(masked)
                guard best.likelihood > limit, best.centre.distance(centre) <= best.radius + width else {
                    continue
                }
                found += 1
                let hit = masked.map { $0.distance(best.centre) <= best.radius }
                inside += Double(hit.suffix(clustered).count { $0 }) / Double(clustered)
                outside += Double(hit.prefix(cases).count { !$0 }) / Double(cases)
            }
            let middle = people.sorted()[people.count / 2]
            let share = { (sum: Double) in found == 0 ? "" : "\(Int((sum / Double(found) * 100).rounded())) %"
            }
            print(
                "| `\(spelling)` | \(Int(middle.rounded())) | \(found) | \(share(inside)) | \(share(outside)) |"
            )
        }
    }

    /// Cases, those of the cluster last, and the cluster's middle, which lies well inside.
    static func simulated(_ seed: UInt64, cluster: Bool) throws -> ([Spot], Spot) {
        var random = Seeded(state: seed)
        func anywhere(_ half: Double) -> Spot {
            Spot(
                east: Double.random(in: -half..<half, using: &random),
                north: Double.random(in: -half..<half, using: &random))
        }
        let centre = anywhere(side / 4)
        var spots = (0..<cases).map { _ in anywhere(side / 2) }
        for _ in 0..<clustered {
            guard cluster else {
                spots.append(anywhere(side / 2))
                continue
            }
            let (metres, angle) = (
                width * Double.random(in: 0..<1, using: &random).squareRoot(),
                Double.random(in: 0..<2 * .pi, using: &random)
            )
            spots.append(
                Spot(east: centre.east + metres * sin(angle), north: centre.north + metres * cos(angle)))
        }
        return (spots, centre)
    }

    /// What is told of each case.
    static func mask(_ spots: [Spot], _ mechanism: Mechanism, _ round: UInt64) throws -> [Spot] {
        try spots.enumerated().map { number, spot in
            let key = MaskKey(home: SipHash(UInt64(number), round), app: "bench", resets: 0)
            guard
                let place = Coordinates(
                    latitude: origin.latitude + spot.north / degreeNorth,
                    longitude: origin.longitude + spot.east / degreeEast)
            else { return spot }
            let told = try Mask(mechanism, key: key).apply(to: place).coordinates
            return Spot(
                east: (told.longitude - origin.longitude) * degreeEast,
                north: (told.latitude - origin.latitude) * degreeNorth)
        }
    }

    /// The likeliest circle by Kulldorff's scan statistic for cases that are anywhere as likely.
    static func scan(_ spots: [Spot]) -> (likelihood: Double, centre: Spot, radius: Double) {
        let radii = [500.0, 1_000, 1_500, 2_000]
        let all = Double(spots.count)
        var best = (likelihood: 0.0, centre: Spot(), radius: 0.0)
        for row in -12...12 {
            for column in -12...12 {
                let centre = Spot(east: Double(column) * 250, north: Double(row) * 250)
                var counts = [Int](repeating: 0, count: radii.count)
                for spot in spots {
                    let distance = spot.distance(centre)
                    for (index, radius) in radii.enumerated() where distance <= radius { counts[index] += 1 }
                }
                for (count, radius) in zip(counts, radii) {
                    let (inside, expected) = (Double(count), all * .pi * radius * radius / (side * side))
                    guard inside > expected, inside < all else { continue }
                    let value =
                        inside * log(inside / expected) + (all - inside)
                        * log((all - inside) / (all - expected))
                    if value > best.likelihood { best = (value, centre, radius) }
                }
            }
        }
        return best
    }
}
