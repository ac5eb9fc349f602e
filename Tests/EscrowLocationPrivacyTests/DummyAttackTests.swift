import EscrowLocationPrivacy
import Testing

/// Attacks on dummies: those that are drawn anew are found out, those that live are not.
@Suite struct DummyAttackTests {
    /// Ten nights at home and ten days elsewhere, with nine dummies each time.
    static func rounds(
        _ dummies: (_ round: Int, _ truth: Coordinates) throws -> [Coordinates]
    ) throws -> [[Coordinates]] {
        let home = try MaskTests.at(52.52, 13.405)
        return try (0..<20).map { round in
            let truth =
                round % 2 == 0
                ? home : Ellipsoid.point(from: home, bearing: Double(round) * 31, metres: 6_000)
            return try [truth] + dummies(round, truth)
        }
    }

    /// Somewhere else each time, within 40 km.
    static func fresh() throws -> [[Coordinates]] {
        var generator = DisplacementTests.Seeded(state: 6)
        return try rounds { _, truth in
            (0..<9).map { _ in Displacement.ring(5_000, 40_000, using: &generator).from(truth) }
        }
    }

    static func lived() throws -> [[Coordinates]] {
        let home = try MaskTests.at(52.52, 13.405)
        let gazetteer = try #require(GazetteerTests.whole)
        let lives = try #require(DummyLives(9, home: home, key: MaskTests.key, gazetteer: gazetteer))
        return try rounds { _, truth in try #require(lives.places(when: truth)) }
    }

    static func average(_ left: [[Coordinates]]) -> Double {
        Double(left.reduce(0) { $0 + $1.count }) / Double(left.count)
    }

    @Test func whatNeverComesBackIsNoLife() throws {
        let fresh = try Self.fresh()
        let found = Attack.returning(fresh, within: 500)
        #expect(zip(found, fresh).enumerated().allSatisfy { $0 % 2 == 1 || $1.0 == [$1.1[0]] })
        // At home all come home. Elsewhere each is once, and what comes near to another by chance is not the true one.
        let lived = try Self.lived()
        for (round, left) in Attack.returning(lived, within: 500).enumerated() {
            #expect(round % 2 == 1 || left.count == 10)
            #expect(left != [lived[round][0]])
        }
    }

    @Test func overTheNightsOnlyTheSameOnesAreThere() throws {
        func nights(_ rounds: [[Coordinates]]) -> [[Coordinates]] {
            rounds.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
        }
        let fresh = nights(try Self.fresh())
        #expect(Attack.constant(fresh, within: 500) == fresh.map { [$0[0]] })
        let lived = nights(try Self.lived())
        #expect(Self.average(Attack.constant(lived, within: 500)) == 10)
        #expect(Attack.constant([], within: 500).isEmpty)
    }

    @Test func whatLiesWhereNobodyLivesIsNoLife() throws {
        let gazetteer = try #require(GazetteerTests.whole)
        let atSea = try MaskTests.at(-40, -120)
        let seen = try Self.rounds { _, _ in [atSea] }
        #expect(
            Attack.settled(seen, within: 1_000, gazetteer).enumerated().allSatisfy { round, points in
                round % 2 == 1 || points == [seen[round][0]]
            })
        let lived = try Self.lived()
        #expect(Self.average(Attack.settled(lived, within: 1_000, gazetteer)) > 9)
        // Where all do, none is left out.
        #expect(Attack.settled([[atSea, atSea]], within: 1_000, gazetteer) == [[atSea, atSea]])
    }
}
