import EscrowLocationPrivacy
import Foundation
import Testing

/// The draws against their theory, 100,000 of them from a fixed seed, so that the tests give the same figures always: the
/// means are within 2 %, chi-square and Kolmogorov-Smirnov below their limits at one in a thousand.
@Suite struct DisplacementTests {
    static let draws = 100_000

    /// SplitMix64: small, fixed and good enough for statistics.
    struct Seeded: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
            return mixed ^ mixed >> 31
        }
    }

    /// The largest distance between the draws' distribution and the theory's, times the root of their number.
    static func kolmogorov(_ sorted: [Double], _ theory: (Double) -> Double) -> Double {
        let count = Double(sorted.count)
        var largest = 0.0
        for (index, value) in sorted.enumerated() {
            let expected = theory(value)
            largest = max(largest, expected - Double(index) / count, Double(index + 1) / count - expected)
        }
        return largest * count.squareRoot()
    }

    /// Chi-square over 50 parts that are equally likely in theory; 49 degrees of freedom reach 85.4 once in a thousand.
    static func chiSquare(_ values: [Double], _ theory: (Double) -> Double) -> Double {
        var counts = [Int](repeating: 0, count: 50)
        for value in values { counts[min(Int(theory(value) * 50), 49)] += 1 }
        let expected = Double(values.count) / 50
        return counts.reduce(0) { $0 + (Double($1) - expected) * (Double($1) - expected) / expected }
    }

    static func check(_ values: [Double], _ theory: (Double) -> Double) {
        #expect(kolmogorov(values.sorted(), theory) < 1.95)
        #expect(chiSquare(values, theory) < 85.4)
    }

    /// 1/ε = 100 m: the radius is Gamma(2, 100 m).
    @Test func laplaceNoiseHasItsRadius() {
        var generator = Seeded(state: 1)
        let all = (0..<Self.draws).map { _ in Displacement.laplace(0.01, using: &generator) }
        let radii = all.map(\.metres).sorted()
        let mean = radii.reduce(0, +) / Double(radii.count)
        #expect(abs(mean / 200 - 1) < 0.02)
        #expect(abs(radii[radii.count / 2] / 167.8 - 1) < 0.02)
        #expect(abs(radii[radii.count * 95 / 100] / 474.4 - 1) < 0.02)
        Self.check(radii) { 1 - (1 + $0 / 100) * exp(-$0 / 100) }
        Self.check(all.map(\.bearing)) { $0 / 360 }
    }

    @Test func aRingIsFilledEvenly() {
        var generator = Seeded(state: 2)
        let all = (0..<Self.draws).map { _ in Displacement.ring(100, 500, using: &generator) }
        let radii = all.map(\.metres)
        #expect(radii.allSatisfy { (100...500).contains($0) })
        // The mean of 2r³/3 over the ring's area.
        let theory = 2.0 / 3 * (125e6 - 1e6) / (250e3 - 10e3)
        #expect(abs(radii.reduce(0, +) / Double(radii.count) / theory - 1) < 0.02)
        Self.check(radii) { ($0 * $0 - 1e4) / 24e4 }
        Self.check(all.map(\.bearing)) { $0 / 360 }
    }

    /// Directions are not lost where meridians meet: what was drawn lies as far and as evenly around a pole.
    @Test func aDiscAroundAPoleIsFilledEvenly() throws {
        var generator = Seeded(state: 3)
        let pole = try #require(Coordinates(latitude: 90, longitude: 0))
        let all = (0..<20_000).map { _ in Displacement.ring(0, 500, using: &generator).from(pole) }
        Self.check(all.map { $0.longitude }) { ($0 + 180) / 360 }
        Self.check(all.map { Ellipsoid.distance(pole, $0) }) { min($0 * $0 / 25e4, 1) }
    }
}
