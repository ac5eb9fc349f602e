import EscrowLocationPrivacy
import Testing

@Suite struct LocationRuleTests {
    static let here = Coordinates(latitude: 60.39, longitude: 5.32)

    @Test func theLadderIsInOrderAndEachStepTellsWhatItSays() throws {
        #expect(Exactness.allCases.sorted() == Exactness.allCases)
        #expect(Exactness.allCases.map(\.bits) == Exactness.allCases.map(\.bits).sorted())
        let gazetteer = try #require(GazetteerTests.whole)
        let bergen = try #require(Self.here)
        var generator = DisplacementTests.Seeded(state: 5)
        var distances: [Double] = []
        for exactness in Exactness.allCases {
            let told = try Disclosure(
                of: bergen, as: Telling(exactness), key: MaskTests.key, gazetteer: gazetteer,
                using: &generator)
            guard let told else {
                #expect(exactness == .none)
                continue
            }
            #expect(Set(told.countries) == ["NO"])
            distances.append(Ellipsoid.distance(bergen, told.points[told.truth].coordinates))
        }
        // Oslo, a town of some kilometres, a kilometre, a hundred metres, here.
        #expect((250_000...350_000).contains(distances[0]))
        #expect(distances[1] <= 10_000)
        #expect((200...1_000).contains(distances[2]))
        #expect((20...100).contains(distances[3]))
        #expect(distances[4] < 0.2)
    }

    /// In the wild: nobody can tell which of k is true, and the same place tells the same.
    @Test func aNeighbourhoodWithoutPeopleIsHiddenAmongOthers() throws {
        let gazetteer = try #require(GazetteerTests.whole)
        let wild = try MaskTests.at(64.9, -18.5)
        var generator = DisplacementTests.Seeded(state: 6)
        func told() throws -> Disclosure {
            try #require(
                try Disclosure(
                    of: wild, as: .neighbourhood, key: MaskTests.key, gazetteer: gazetteer,
                    using: &generator))
        }
        let first = try told()
        #expect(first.points.count == Exactness.people)
        let others = try (0..<50).map { _ in try told() }
        #expect(others.allSatisfy { Set($0.points) == Set(first.points) })
        #expect(others.allSatisfy { $0.points[$0.truth] == first.points[first.truth] })
        #expect(Set(others.map(\.truth)).count > 5)
    }

    @Test func ofAllRulesThatFitTheOneThatTellsLeastHolds() throws {
        let here = try #require(Self.here)
        let away = Ellipsoid.point(from: here, bearing: 0, metres: 600)
        let rules = [
            LocationRule(id: "1", service: .nearby, exactness: .city),
            LocationRule(
                id: "2", app: "org.example.map", hours: .init(from: 22 * 60, until: 6 * 60),
                exactness: .country),
            LocationRule(id: "3", near: .init(here, metres: 500), exactness: .none),
        ]
        #expect(rules.most(.exact, app: "org.example.map", service: .navigation) == .exact)
        #expect(rules.most(.exact, app: "org.example.map", service: .nearby) == .city)
        func now(_ service: ServiceType, _ hour: Int, _ point: Coordinates, app: String = "org.example.map")
            -> Telling
        {
            rules.now(.street, app: app, service: service, minute: hour * 60, at: point)
        }
        #expect(now(.navigation, 12, away) == .street)
        #expect(now(.navigation, 23, away) == .country && now(.navigation, 5, away) == .country)
        #expect(now(.navigation, 6, away) == .street)
        #expect(now(.navigation, 23, away, app: "org.example.other") == .street)
        #expect(now(.nearby, 12, away) == .city)
        #expect(now(.nearby, 12, here) == .none)
        // A rule never tells more than was asked for.
        #expect(rules.now(.country, app: "a", service: .nearby, minute: 0, at: away) == .country)
    }
}
