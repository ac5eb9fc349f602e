import Foundation
import Testing

@testable import EscrowGroupAnswers

/// How far apart the probabilities of an outcome are for two answers of one member, to somebody who knows the noise of some
/// parts: by the distribution itself, every outcome one by one.
@Suite("What noise hides") struct PrivacyTests {
    /// The probabilities of 0, 1, 2 … for what is left unknown: the difference of two negative binomial numbers of an order.
    static func probabilities(order: Double, decay: Double, outcomes: Int) -> [Double] {
        let a = exp(-decay)
        // What is beyond has a share below e^−60 in each of them.
        let terms = outcomes + Int(60 / decay)
        var one = [pow(1 - a, order)]
        for number in 1..<terms {
            one.append(one[number - 1] * a * (Double(number - 1) + order) / Double(number))
        }
        return (0..<outcomes).map { distance in
            var sum = 0.0
            for number in 0..<(terms - distance) { sum += one[number] * one[number + distance] }
            return sum
        }
    }

    /// The greatest logarithm of the ratio of an outcome's two probabilities, where an answer differs by `change`.
    static func loss(order: Double, decay: Double, change: Int, outcomes: Int = 120) -> Double {
        let known = probabilities(order: order, decay: decay, outcomes: outcomes)
        var worst = 0.0
        for outcome in -change..<(outcomes - change) {
            worst = max(worst, log(known[abs(outcome)] / known[abs(outcome + change)]))
        }
        return worst
    }

    private static func question(least: Int, epsilon: Double, bound: Int64) throws -> Question {
        try Question(
            asker: "a", plugin: "p", sql: nil, field: "f", count: 1, least: least, epsilon: epsilon,
            bound: bound, nonce: "0123456789abcdef")
    }

    /// For each number of members, to as many who tell each other their noise as are presumed: an answer of −bound against
    /// one of bound is within ε, and a histogram of one bar against another too.
    @Test(arguments: [3, 4, 7, 9, 30], [0.5, 1, 4]) func epsilonIsTrue(least: Int, epsilon: Double) throws {
        for bound in [Int64(1), 3] {
            let question = try Self.question(least: least, epsilon: epsilon, bound: bound)
            let noise = DiscreteNoise(question)
            #expect(question.colluding >= 2 && 3 * question.colluding >= least)
            for known in [0, 1, 2, question.colluding] {
                let order = Double(least - known) / Double(noise.parts)
                let sum = Self.loss(order: order, decay: noise.decay, change: Int(2 * bound))
                #expect(sum <= epsilon * (1 + 1e-9), "\(known) of \(least)")
                // One bar goes down and another goes up, each by the bound; the bars' noises are each other's strangers.
                let bars = 2 * Self.loss(order: order, decay: noise.decay, change: Int(bound))
                #expect(bars <= epsilon * (1 + 1e-9), "\(known) of \(least), bars")
            }
        }
    }

    /// What docs/groups.md says of ε = 1 and three members, before and now.
    @Test(arguments: [(0, 2.00, 0.98), (1, 2.57, 0.99), (2, 3.48, 1.00)])
    func theFiguresOfTheDocumentation(known: Int, before: Double, now: Double) throws {
        let was = Self.loss(order: Double(3 - known) / 3, decay: 1, change: 2)
        #expect(abs(was - before) < 0.005, "\(was)")
        let noise = DiscreteNoise(try Self.question(least: 3, epsilon: 1, bound: 1))
        let order = Double(3 - known) / Double(noise.parts)
        let is200 = Self.loss(order: order, decay: noise.decay, change: 2, outcomes: 200)
        #expect(abs(is200 - now) < 0.005, "\(is200)")
    }
}
