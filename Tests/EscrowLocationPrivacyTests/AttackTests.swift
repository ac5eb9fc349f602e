import EscrowHashing
import EscrowLocationPrivacy
import Testing

/// Attacks on what was told, against fresh noise and ours.
@Suite struct AttackTests {
    @Test func averagingGainsNothingAgainstKeyedNoiseAndFindsOutFreshNoise() throws {
        let place = try MaskTests.at(60.39, 5.32)
        var generator = DisplacementTests.Seeded(state: 3)
        var keyed: [Coordinates] = []
        var fresh: [Coordinates] = []
        let mask = try MaskTests.mask("planar-laplace(0.01)")
        for _ in 0..<1_000 {
            keyed.append(try mask.apply(to: place).coordinates)
            fresh.append(Displacement.laplace(0.01, using: &generator).from(place))
        }
        let one = Ellipsoid.distance(place, keyed[0])
        let many = Ellipsoid.distance(place, try #require(Attack.averaged(keyed)))
        #expect((one - many).magnitude < 0.01)
        #expect(one > 20)
        #expect(Ellipsoid.distance(place, try #require(Attack.averaged(fresh))) < 20)
    }

    /// A simulated life of thirty days: nights at home, working days at work, evenings elsewhere; each fix errs by some
    /// metres, as a telephone's.
    struct Life {
        let home: Coordinates
        let trace: [TimedPlace]

        init(near town: Coordinates, _ generator: inout DisplacementTests.Seeded) {
            func near(_ place: Coordinates, _ metres: Double) -> Coordinates {
                Displacement.ring(0, metres, using: &generator).from(place)
            }
            home = near(town, 3_000)
            let work = near(town, 8_000)
            let haunts = [near(home, 4_000), near(home, 1_500), near(work, 1_000)]
            var trace: [TimedPlace] = []
            for day in 0..<30 {
                for hour in 0..<24 {
                    let minute = hour * 60
                    let place =
                        (9 * 60..<17 * 60).contains(minute) && day % 7 < 5
                        ? work
                        : (18 * 60..<21 * 60).contains(minute) ? haunts[(day + hour) % 3] : home
                    trace.append(
                        TimedPlace(
                            place: near(place, 25), seconds: Int64(day + 4) * 86_400 + Int64(minute) * 60,
                            minute: minute))
                }
            }
            self.trace = trace
        }
    }

    /// How wide the clusters are that an attacker looks for who knows what is told.
    static func bandwidth(_ exactness: Exactness) -> Double {
        switch exactness {
        case .exact: 50
        case .street: 200
        default: 2_000
        }
    }

    /// In how many of a hundred lives one of an attacker's guesses lies within so many metres of home.
    static func found(_ exactness: Exactness, within metres: Double = 100) throws -> Int {
        let gazetteer = try #require(GazetteerTests.whole)
        let towns = gazetteer.places.filter { $0.population > 20_000 }
        var generator = DisplacementTests.Seeded(state: 11)
        var found = 0
        for number in 0..<100 {
            let town = towns[number * 97 % towns.count].coordinates
            let life = Life(near: town, &generator)
            let key = MaskKey(home: SipHash(UInt64(number), 9), app: "org.example.app", resets: 0)
            var told: [Coordinates: Coordinates] = [:]
            // What the day is spent with tells nothing of where the nights are.
            let nights = life.trace.filter { $0.minute >= 22 * 60 || $0.minute < 6 * 60 }
            let trace = try nights.map { fix in
                // Only the neighbourhood's own point: whatever the dummies are, it is the worst case.
                let masked =
                    try told[fix.place]
                    ?? #require(
                        try Disclosure(
                            of: fix.place, as: Telling(exactness), key: key, gazetteer: gazetteer,
                            using: &generator)
                    ).true
                told[fix.place] = masked
                return TimedPlace(place: masked, seconds: fix.seconds, minute: fix.minute)
            }
            let guesses = Attack.guesses(.home, in: trace, bandwidth: Self.bandwidth(exactness))
            if guesses.contains(where: { Ellipsoid.distance($0, life.home) <= metres }) { found += 1 }
        }
        return found
    }

    @Test func homeIsFoundInEachUnmaskedLifeAndInFewOfMaskedOnes() throws {
        #expect(try Self.found(.exact) == 100)
        let masked = try Self.found(.neighbourhood)
        print("home found within 100 m at neighbourhood: \(masked) of 100 lives")
        #expect(masked <= 5)
    }

    @Test func homeIsHiddenByTheStepsAboveAStreetAndByNoFinerOne() throws {
        for step in [Exactness.country, .city] {
            let found = try Self.found(step)
            print("home found within 100 m at \(step.rawValue): \(found) of 100 lives")
            #expect(found <= 1)
        }
        // A street's answers lie within 100 m of the place: whoever is told them finds the home, and the step says so.
        let street = try Self.found(.street)
        print("home found within 100 m at street: \(street) of 100 lives")
        #expect(street >= 90)
        var generator = DisplacementTests.Seeded(state: 2)
        let gazetteer = try #require(GazetteerTests.whole)
        let nothing = try Disclosure(
            of: MaskTests.at(60.39, 5.32), as: Telling(Exactness.none), key: MaskTests.key,
            gazetteer: gazetteer,
            using: &generator)
        #expect(nothing == nil)
    }

    @Test func speedTellsDummiesThatJumpAndNoneThatLive() throws {
        let start = try MaskTests.at(52.52, 13.405)
        let rounds = (0..<10).map { round -> (seconds: Int64, points: [Coordinates]) in
            let truth = Ellipsoid.point(from: start, bearing: 90, metres: Double(round) * 100)
            let jumps = Ellipsoid.point(from: start, bearing: Double(round) * 71, metres: 400_000)
            return (Int64(round) * 60, [truth, jumps])
        }
        #expect(Attack.plausible(rounds).dropFirst().allSatisfy { $0.count == 1 })
        let gazetteer = try #require(GazetteerTests.whole)
        let lives = try #require(DummyLives(9, home: start, key: MaskTests.key, gazetteer: gazetteer))
        let lived = try rounds.map { round in
            (round.seconds, [round.points[0]] + (try #require(lives.places(when: round.points[0]))))
        }
        #expect(Attack.plausible(lived).allSatisfy { $0.count == 10 })
    }

    @Test func guessesAtWorkAreThoseOfWorkingHours() throws {
        var generator = DisplacementTests.Seeded(state: 8)
        let life = Life(near: try MaskTests.at(48.14, 11.58), &generator)
        let work = try #require(Attack.guesses(.work, in: life.trace, bandwidth: 50).last)
        let home = try #require(Attack.guesses(.home, in: life.trace, bandwidth: 50).last)
        #expect(Ellipsoid.distance(home, life.home) < 10)
        #expect(Ellipsoid.distance(work, home) > 500)
        let gazetteer = try #require(GazetteerTests.whole)
        #expect(Attack.bits(hiddenBy: gazetteer, around: home, metres: 1_000) > 5)
        #expect(Attack.averaged([]) == nil && Attack.guesses(.home, in: [], bandwidth: 50).isEmpty)
    }
}

extension Disclosure {
    fileprivate var `true`: Coordinates { points[truth].coordinates }
}
