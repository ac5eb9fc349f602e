import EscrowHashing
import EscrowLocationPrivacy
import Testing

/// A publisher may name any mechanism, in as many endpoints of as many plugins as it likes: together they tell an app no more
/// than one does.
@Suite struct SpellingsTests {
    /// What a request tells that names a mechanism, as the host has it.
    static func told(
        _ place: Coordinates, _ spelling: String, _ key: MaskKey, rules: [LocationRule] = []
    ) throws -> Coordinates {
        let telling = try #require(Telling(spelling))
        let gazetteer = try #require(GazetteerTests.whole)
        var (point, memory) = (place, TellingMemory())
        if let basis = rules.basis(of: telling, app: "map", service: .nearby),
            let mechanism = telling.mechanism
        {
            point =
                try Basis(
                    of: place, as: basis, for: mechanism, key: key, gazetteer: gazetteer, memory: &memory
                ).place
        }
        var generator = DisplacementTests.Seeded(state: 9)
        let answer = try #require(
            try Disclosure(of: point, as: telling, key: key, gazetteer: gazetteer, using: &generator))
        return answer.points[answer.truth].coordinates
    }

    private static func key(_ number: Int) -> MaskKey {
        MaskKey(home: SipHash(UInt64(number), 8), app: "map", resets: 0)
    }

    private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

    static let attacks: [[String]] = [
        (0..<48).map { "random-perturbation(\(1_000 + $0))" },
        (0..<48).map { "random-perturbation(\(9_000 + $0))" },
        (0..<48).map { "grid(\(1_000 + $0 * 131))" },
        (0..<48).map { "grid(\(10_000 + $0 * 211))" },
        (0..<48).map { "donut(\(100 + $0), 1500)" },
        (0..<48).map { "donut(\($0 + 1)%, 100)" },
        (0..<48).map { "planar-laplace(0.000\(901 + 2 * $0))" },
        (0..<48).map { "planar-laplace(0.02\(10 + $0)1)" },
        (0..<48).map { "adaptive-donut(\(1_000 + $0))" },
        (0..<48).map { "adaptive-donut(\(200_000 + $0))" },
        (0..<48).map { "random-perturbation(\(12 + $0))" },
        // Some of each.
        (0..<16).flatMap {
            ["random-perturbation(\(1_000 + $0))", "grid(\(1_000 + $0))", "donut(200, \(1_001 + $0))"]
        },
    ]

    /// For each key the middle of all answers, held against what one of them is off by that masks the place itself.
    @Test(arguments: attacks.indices)
    func theMeanOfManySpellingsIsNoNearerThanOneAnswer(number: Int) throws {
        let attack = Self.attacks[number]
        let place = try MaskTests.at(60.391263, 5.322054)
        let gazetteer = try #require(GazetteerTests.whole)
        var (means, singles) = ([Double](), [Double]())
        for number in 0..<25 {
            let key = Self.key(number)
            let answers = try attack.map { try Self.told(place, $0, key) }
            means.append(Ellipsoid.distance(try #require(Attack.averaged(answers)), place))
            let plain = try Mask(try Mechanism(attack[number]), key: key, gazetteer: gazetteer).apply(
                to: place)
            singles.append(Ellipsoid.distance(plain.coordinates, place))
        }
        let (mean, single) = (Self.median(means), Self.median(singles))
        #expect(mean > 0.9 * single, "\(attack[0]): the mean is \(mean) m off, one answer \(single)")
    }

    /// The reason: they are made of what the ladder tells. Where that is the same, so is all else.
    @Test func whereTheLadderTellsTheSameSoDoesEachSpelling() throws {
        let spellings = [
            "random-perturbation(1000)", "grid(1003)", "truncate(2)", "donut(10%, 3000)", "grid(10001)",
            "planar-laplace(0.0007)", "random-perturbation(12000)", "truncate(0)", "snap(towns)",
            "aggregate(region)",
        ]
        let start = try MaskTests.at(60.391263, 5.322054)
        for spelling in spellings {
            let step = try #require(Telling(spelling)).step
            var seen: [Coordinates: Set<Coordinates>] = [:]
            for number in 0..<100 {
                let place = Ellipsoid.point(
                    from: start, bearing: Double(number % 10) * 36, metres: Double(number / 10) * 60)
                let ladder = try Self.told(place, step.rawValue, MaskTests.key)
                seen[ladder, default: []].insert(try Self.told(place, spelling, MaskTests.key))
            }
            #expect(seen.values.allSatisfy { $0.count == 1 }, "\(spelling)")
        }
    }

    /// All that grids of any width leave is where the basis may lie, which is nowhere near the truth.
    @Test func gridsOfDifferentWidthMeetAtTheBasis() throws {
        let place = try MaskTests.at(60.391263, 5.322054)
        var isInside = 0
        for number in 0..<40 {
            let inAll = try (0..<48).allSatisfy { index in
                let width = 10_000 + Double(index) * 211
                let centre = try Self.told(place, "grid(\(Int(width)))", Self.key(number))
                return Ellipsoid.distance(centre, place) <= width * 0.833
            }
            isInside += inAll ? 1 : 0
        }
        #expect(isInside < 10, "of 40 truths \(isInside) lie in all cells")
    }

    @Test func aMechanismOfARuleMasksThePlaceAndAllOthersOfItsStepMaskItsAnswer() throws {
        let rule = try #require(Telling("planar-laplace(0.001)"))
        let rules = [LocationRule(id: "1", service: .nearby, exactness: rule)]
        func basis(_ spelling: String, _ service: ServiceType = .nearby) throws -> Telling? {
            rules.basis(of: try #require(Telling(spelling)), app: "map", service: service)
        }
        #expect(try basis("planar-laplace(0.001)") == nil)
        #expect(try basis("planar-laplace(0.000921)") == rule && basis("grid(1000)") == rule)
        #expect(try basis("planar-laplace(0.000921)", .social) == .neighbourhood)
        #expect(try basis("grid(20000)") == .city && basis("grid(50)") == .exact)
        #expect(try basis("neighbourhood") == nil && basis("donut(20%, 1000)", .social) == nil)
        let place = try MaskTests.at(60.391263, 5.322054)
        var off: [Double] = []
        for number in 0..<25 {
            let key = Self.key(number)
            let answers = try (0..<48).map {
                try Self.told(place, "planar-laplace(0.000\(901 + 2 * $0))", key, rules: rules)
            }
            let own = try Self.told(place, rule.spelling, key, rules: rules)
            let mean = try #require(Attack.averaged(answers))
            #expect(Ellipsoid.distance(mean, own) < 1_500, "they lie around the rule's answer")
            off.append(Ellipsoid.distance(mean, place))
        }
        #expect(Self.median(off) > 1_300, "\(Self.median(off)) m")
    }

    @Test func aBasisSaysHowFarOffItMayBe() throws {
        let place = try MaskTests.at(60.391263, 5.322054)
        let gazetteer = try #require(GazetteerTests.whole)
        for number in 0..<200 {
            var memory = TellingMemory()
            let basis = try Basis(
                of: place, as: .neighbourhood, for: try Mechanism("grid(\(1_000 + number * 40))"),
                key: Self.key(number), gazetteer: gazetteer, memory: &memory)
            #expect(Ellipsoid.distance(basis.place, place) <= basis.metres)
        }
    }

    /// A plugin that spells the rule's mechanism a little otherwise pays from the same account.
    @Test func theLeastBudgetOfARuleHoldsForEverySpelling() throws {
        let rules = [
            LocationRule(
                id: "1", service: .nearby, exactness: try #require(Telling("planar-laplace(0.001)")),
                budget: 0.005),
            LocationRule(
                id: "2", app: "other", exactness: try #require(Telling("planar-laplace(0.001)")),
                budget: 0.001),
        ]
        #expect(rules.budget(0.000921, app: "map", service: .nearby) == 0.005)
        #expect(rules.budget(0.5, app: "map", service: .nearby) == 0.005)
        #expect(rules.budget(0.000921, app: "other", service: .nearby) == 0.001)
        #expect(abs(rules.budget(0.000921, app: "map", service: .social) - 0.00921) < 1e-12)
    }
}
