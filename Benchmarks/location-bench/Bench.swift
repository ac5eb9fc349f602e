import EscrowHashing
import EscrowLocationPrivacy
import Glibc

/// A million draws of each distribution beside its theory, and what one masked place costs with each mechanism.
@main
struct Bench {
    static let draws = 1_000_000
    static let spellings = [
        "none", "fixed(52.5, 13.4)", "truncate(2)", "grid(1000)", "random-perturbation(500)",
        "donut(20%, 500)", "planar-laplace(0.01)", "aggregate(city)", "aggregate(country)", "snap(towns)",
        "adaptive-donut(1000)",
    ]

    static func main() throws {
        var system = SystemRandomNumberGenerator()
        print(
            "| distribution | mean, m | theory | median, m | theory | 95 % below, m | theory | KS | chi-square (49) |"
        )
        print("|---|---|---|---|---|---|---|---|---|")
        report(
            "planar Laplace, 1/ε = 100 m", (200, 167.835, 474.386), { 1 - (1 + $0 / 100) * exp(-$0 / 100) },
            (0..<draws).map { _ in Displacement.laplace(0.01, using: &system).metres })
        report(
            "disc, R = 500 m", (1_000 / 3.0, 353.553, 487.340), { $0 * $0 / 250_000 },
            (0..<draws).map { _ in Displacement.ring(0, 500, using: &system).metres })
        report(
            "ring, r = 100 m, R = 500 m", (344.444, 360.555, 487.852), { ($0 * $0 - 10_000) / 240_000 },
            (0..<draws).map { _ in Displacement.ring(100, 500, using: &system).metres })
        print(
            "\nKolmogorov-Smirnov stays below 1.95 and chi-square below 85.4 but once in a thousand times.\n")

        guard CommandLine.arguments.count == 2, let bytes = read(CommandLine.arguments[1]) else {
            print("usage: location-bench GAZETTEER")
            exit(64)
        }
        let clock = ContinuousClock()
        var loaded: Gazetteer?
        let loading = try clock.measure { loaded = try Gazetteer(bytes) }
        print("reading the gazetteer: \(microseconds(loading)) µs\n")
        guard let gazetteer = loaded else { return }
        // Where people live, and a kilometre or so beside it.
        let points = gazetteer.places.filter { $0.number % 41 == 0 }.map {
            Displacement.ring(0, 2_000, using: &system).from($0.coordinates)
        }
        let key = MaskKey(home: SipHash(), app: "bench", resets: 0)
        // Other work of the machine only ever adds: the least of nine rounds is the mask's own time.
        print("| mechanism | µs a place, least of nine rounds | median |\n|---|---|---|")
        for spelling in spellings {
            let mask = try Mask(try Mechanism(spelling), key: key, gazetteer: gazetteer)
            let rounds = (0..<9).map { _ in
                var sum = 0.0
                let time = clock.measure {
                    for point in points {
                        sum += (try? mask.apply(to: point).coordinates.latitude) ?? 0
                    }
                }
                precondition(sum.isFinite)
                return time / points.count
            }.sorted()
            print("| `\(spelling)` | \(microseconds(rounds[0])) | \(microseconds(rounds[4])) |")
        }
        try ThesisTables(gazetteer: gazetteer, key: key).report()
        try Hampton.report()
    }

    static func report(
        _ name: String, _ theory: (mean: Double, median: Double, high: Double),
        _ distribution: (Double) -> Double, _ values: [Double]
    ) {
        let sorted = values.sorted()
        let count = Double(values.count)
        var largest = 0.0
        var parts = [Double](repeating: 0, count: 50)
        for (index, value) in sorted.enumerated() {
            let expected = distribution(value)
            largest = max(largest, expected - Double(index) / count, Double(index + 1) / count - expected)
            parts[min(Int(expected * 50), 49)] += 1
        }
        let chi = parts.reduce(0) { $0 + ($1 - count / 50) * ($1 - count / 50) / (count / 50) }
        let cells = [
            values.reduce(0, +) / count, theory.mean, sorted[values.count / 2], theory.median,
            sorted[values.count * 95 / 100], theory.high,
        ].map { rounded($0, 1) }
        print(
            "| \(name) | \(cells.joined(separator: " | ")) | \(rounded(largest * count.squareRoot(), 2)) | \(rounded(chi, 1)) |"
        )
    }

    static func rounded(_ value: Double, _ decimals: Int) -> String {
        let scale = pow(10, Double(decimals))
        return "\((value * scale).rounded() / scale)"
    }

    static func microseconds(_ duration: Duration) -> String {
        rounded(duration / .microseconds(1), 2)
    }

    static func read(_ path: String) -> [UInt8]? {
        guard let file = fopen(path, "rb") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 4 << 20)
        let count = fread(&bytes, 1, bytes.count, file)
        return Array(bytes.prefix(count))
    }
}
