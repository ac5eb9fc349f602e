import Foundation
import Testing

@testable import EscrowGroupAnswers

@Suite("Noise in parts") struct DiscreteNoiseTests {
    /// 40,000 sums of parts against the probabilities of discrete Laplace, by chi-square; their
    /// variance near theory: six and more of its standard deviations.
    @Test(arguments: [(2.0, Int64(1), 3), (1.0, 4, 10), (4.0, 1, 40)])
    func thePartsAddUpToDiscreteLaplace(epsilon: Double, bound: Int64, parts: Int) {
        let noise = DiscreteNoise(epsilon: epsilon, bound: bound, parts: parts)
        var random = SystemRandomNumberGenerator()
        let draws = 40_000
        var counts: [Int64: Int] = [:]
        var squares = 0.0
        for _ in 0..<draws {
            let sum = (0..<parts).reduce(Int64(0)) { sum, _ in sum + noise.part(using: &random) }
            counts[sum, default: 0] += 1
            squares += Double(sum * sum)
        }
        let a = exp(-epsilon / Double(2 * bound))
        let variance = 2 * a / ((1 - a) * (1 - a))
        #expect(abs(squares / Double(draws) / variance - 1) < 0.09, "the variance")
        var (square, degrees, rest, expectedRest) = (0.0, 0.0, draws, Double(draws))
        for value in Int64(-60)...60 {
            let expected = Double(draws) * (1 - a) / (1 + a) * pow(a, Double(abs(value)))
            guard expected >= 20 else { continue }
            let count = counts[value] ?? 0
            square += (Double(count) - expected) * (Double(count) - expected) / expected
            (degrees, rest, expectedRest) = (degrees + 1, rest - count, expectedRest - expected)
        }
        square += (Double(rest) - expectedRest) * (Double(rest) - expectedRest) / max(expectedRest, 1)
        // The normal approximation of Wilson and Hilferty: 6 is passed once in a thousand million
        // times, and by noise that is 5 % too wide each time.
        let z = (pow(square / degrees, 1.0 / 3) - (1 - 2 / (9 * degrees))) / (2 / (9 * degrees)).squareRoot()
        #expect(z < 6, "\(square) at \(degrees)")
    }

    @Test func residuesAddAsWholeNumbersDo() {
        for left in [Int64(0), 1, -1, 5, -5, 1 << 59, -(1 << 59)] {
            for right in [Int64(0), 1, -1, 7, 1 << 59, -(1 << 59)] where abs(left + right) < 1 << 60 {
                let sum = Residues.sum(Residues.of(left), Residues.of(right))
                #expect(Residues.value(of: sum) == left + right)
                #expect(Residues.difference(sum, Residues.of(right)) == Residues.of(left))
            }
        }
        #expect(Residues.of(.min) < Residues.modulus)
    }
}
