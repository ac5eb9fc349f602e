import EscrowLocationPrivacy
import Testing

/// How a place is told: by a step or a mechanism, and by what was told before.
@Suite struct TellingTests {
    @Test(arguments: [
        "none", "country", "city", "neighbourhood", "street", "exact", "planar-laplace(0.001)",
        "donut(20%, 500)", "grid(1000)",
        "snap(towns)", "snap(shops)", "fixed(52.5, 13.4)", "aggregate(region)", "adaptive-donut(1000)",
    ])
    func whatIsReadIsSpelledAsItWas(text: String) throws {
        let telling = try #require(Telling(text))
        #expect(telling.spelling == text && !telling.words.isEmpty && telling.isWithin(telling))
        #expect(telling.isWithin(.exact) && (0...56).contains(telling.bits))
    }

    @Test(arguments: ["", "town", "none()", "aggregate(street)", "snap(Shops)", "donut(1)", "City"])
    func whatNoHostCanDoIsRefused(text: String) { #expect(Telling(text) == nil) }

    @Test func aMechanismStandsWhereItsStepMayBeTold() throws {
        let wide = try #require(Telling("planar-laplace(0.001)"))
        #expect(wide.step == .neighbourhood && wide.isWithin(.neighbourhood) && !wide.isWithin(.city))
        #expect(!Telling.neighbourhood.isWithin(wide), "the ladder's own mask is another one")
        #expect(Telling.city.isWithin(wide))
        #expect(Telling.least(.neighbourhood, wide) == wide && Telling.least(wide, .city) == .city)
        let fine = try #require(Telling("planar-laplace(0.1)"))
        #expect(fine.step == .exact && Telling.least(.street, fine) == .street)
        let grid = try #require(Telling("grid(5000)"))
        #expect(Telling.least(grid, wide) == Telling.least(wide, grid))
        for text in MechanismTests.spellings {
            guard let telling = Telling(text), let step = telling.step.mechanism else { continue }
            // What is a step tells no more bits than the step, but for what spends fewer on other cells.
            #expect(telling.step > .none && !step.description.isEmpty)
        }
    }

    private func told(
        _ place: Coordinates, _ telling: Telling, _ memory: inout TellingMemory, budget: Double? = nil,
        day: Int = 1
    ) throws -> Disclosure {
        var generator = DisplacementTests.Seeded(state: 4)
        let gazetteer = try #require(GazetteerTests.whole)
        return try #require(
            try Disclosure(
                of: place, as: telling, key: MaskTests.key, gazetteer: gazetteer,
                memory: &memory, budget: budget, day: day, using: &generator))
    }

    @Test func whoWalksToAndFroOverABorderTellsOnePlace() throws {
        let start = try MaskTests.at(60.39, 5.32)
        let grid = try #require(Telling("grid(1000)"))
        // Where the next cell begins.
        var border = 0.0
        var fresh = TellingMemory()
        let first = try told(start, grid, &fresh).points
        while true {
            var none = TellingMemory()
            let place = Ellipsoid.point(from: start, bearing: 0, metres: border)
            if try told(place, grid, &none).points != first { break }
            border += 5
        }
        var memory = TellingMemory()
        var answers: Set<Mask.Masked> = []
        for step in 0..<20 {
            let place = Ellipsoid.point(from: start, bearing: 0, metres: border + (step % 2 == 0 ? -10 : 10))
            answers.insert(try told(place, grid, &memory).points[0])
        }
        #expect(answers.count == 1)
    }

    @Test func planarLaplaceSpendsTheDayAndThenTheLastAnswerStays() throws {
        let start = try MaskTests.at(60.39, 5.32)
        let laplace = try #require(Telling("planar-laplace(0.001)"))
        var memory = TellingMemory()
        var answers: Set<Mask.Masked> = []
        for step in 0..<200 {
            let place = Ellipsoid.point(from: start, bearing: 90, metres: Double(step) * 2_000)
            answers.insert(try told(place, laplace, &memory, budget: 0.0031).points[0])
        }
        let spent = try #require(memory.trace).spent(on: 1)
        #expect(spent <= 0.0031 + 1e-9 && spent > 0.002)
        #expect(
            (1...3).contains(answers.count),
            "two tests and two answers, or three answers, are all that was paid for")
        let far = Ellipsoid.point(from: start, bearing: 90, metres: 400_000)
        let next = try told(far, laplace, &memory, budget: 0.0031, day: 2).points[0]
        #expect(!answers.contains(next) && memory.trace?.spent(on: 3) == 0)
        var poor = TellingMemory()
        #expect(throws: Mask.Refusal.budgetSpent) { try told(start, laplace, &poor, budget: 0.0001) }
    }

    /// In the wild: a dummy is where it was, and moves as the individual does.
    @Test func dummiesLiveOnFromOneRequestToTheNext() throws {
        let start = try MaskTests.at(64.9, -18.5)
        var memory = TellingMemory()
        var rounds: [(seconds: Int64, points: [Coordinates])] = []
        for step in 0..<12 {
            let place = Ellipsoid.point(from: start, bearing: 45, metres: Double(step) * 1_000)
            let points = try told(place, .neighbourhood, &memory).points
            #expect(points.count == Exactness.people)
            rounds.append((Int64(step) * 60, points.map(\.coordinates)))
        }
        #expect(memory.anchors.count == 1)
        #expect(
            Attack.plausible(rounds).allSatisfy { $0.count == Exactness.people },
            "speed tells none from the truth")
        // Somewhere else in the world other dummies live; back here it is the first ones again.
        let first = Set(rounds[0].points)
        _ = try told(try MaskTests.at(-50.3, -72.3), .neighbourhood, &memory)
        #expect(Set(try told(start, .neighbourhood, &memory).points.map(\.coordinates)) == first)
    }

    @Test func homeWorkAndStaysAreFoundInATrack() throws {
        var generator = DisplacementTests.Seeded(state: 8)
        let life = AttackTests.Life(near: try MaskTests.at(48.14, 11.58), &generator)
        let found = SensitivePlaces(in: life.trace).places
        let home = try #require(found.first)
        #expect(home.kind == .home && Ellipsoid.distance(home.centre, life.home) < 30 && home.days >= 28)
        #expect(found.count >= 2 && found[1].kind == .work && found[1].days >= 20)
        #expect(Ellipsoid.distance(found[1].centre, life.home) > 500)
        #expect(found.dropFirst(2).allSatisfy { $0.kind == .stay })
        #expect(SensitivePlaces(in: []).places.isEmpty)
    }
}
