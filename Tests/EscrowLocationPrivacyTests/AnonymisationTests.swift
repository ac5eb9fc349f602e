import EscrowLocationPrivacy
import Testing

@Suite struct AnonymisationTests {
    static func requests(
        _ anonymisation: Anonymisation, _ point: Coordinates, _ seed: UInt64 = 1,
        last: Anonymisation.Requests? = nil
    ) throws -> Anonymisation.Requests {
        var generator = DisplacementTests.Seeded(state: seed)
        return try anonymisation.requests(
            for: point, key: MaskTests.key, gazetteer: try #require(GazetteerTests.whole), last: last?.cells,
            using: &generator)
    }

    /// Where enough people live there is one request; too dense, and the radius is raised to t.
    @Test func inATownOneRequestIsEnough() throws {
        let berlin = try MaskTests.at(52.52, 13.405)
        let dense = try #require(Anonymisation(people: 2, closeness: 60, accuracy: 2_000))
        let one = try Self.requests(dense, berlin)
        #expect(one.points.count == 1 && one.truth == 0)
        #expect((12...60).contains(Ellipsoid.distance(berlin, one.points[0].coordinates)))
        let many = try #require(Anonymisation(people: 100, closeness: 10, accuracy: 2_000))
        let other = try Self.requests(many, berlin)
        #expect(other.points.count == 1)
        // A hundred people on 2,000 a square kilometre, half believed, live within 178 m, or less where discs overlap.
        #expect((2...190).contains(Ellipsoid.distance(berlin, other.points[0].coordinates)))
    }

    /// Where too few do, k requests within A of where somebody can be, the true one among them at any position.
    @Test func inTheWildKRequestsAreSent() throws {
        let wild = try MaskTests.at(64.9, -18.5)
        let requests = try Self.requests(Anonymisation(), wild)
        #expect(requests.points.count == 10)
        let distances = requests.points.map { Ellipsoid.distance($0.coordinates, wild) }
        #expect((20...100).contains(distances[requests.truth]))
        #expect(distances.filter { $0 <= 100 }.count == 1)
        #expect(Set(requests.points.map(\.decimals.latitude)).count == 1)
        var positions: Set<Int> = []
        for seed in 1...100 as ClosedRange<UInt64> {
            let again = try Self.requests(Anonymisation(), wild, seed)
            #expect(Set(again.points) == Set(requests.points))
            positions.insert(again.truth)
        }
        #expect(positions.count == 10)
        // A step aside, within the cell, changes nothing.
        let aside = Ellipsoid.point(from: wild, bearing: 10, metres: 2)
        let next = try Self.requests(Anonymisation(), aside, last: requests)
        #expect(Set(next.points) == Set(requests.points))
    }

    @Test func constantsAreTheListingsUnlessGiven() {
        let plain = Anonymisation()
        #expect(plain.people == 10 && plain.closeness == 10 && plain.accuracy == 100)
        #expect(Anonymisation(people: 1, closeness: 10, accuracy: 100) == nil)
        #expect(Anonymisation(people: 10, closeness: 200, accuracy: 100) == nil)
        #expect(Anonymisation(people: 10, closeness: .nan, accuracy: 100) == nil)
    }

    /// Dummies go as far as the individual does, come home with them, and stay where people live while they do.
    @Test func dummiesHaveALifeThatIsAsPlausible() throws {
        let gazetteer = try #require(GazetteerTests.whole)
        let home = try MaskTests.at(48.137, 11.575)
        let lives = try #require(DummyLives(9, home: home, key: MaskTests.key, gazetteer: gazetteer))
        let atHome = try #require(lives.places(when: home))
        #expect(atHome.count == 9 && Set(atHome).count == 9)
        #expect(atHome.allSatisfy(gazetteer.isSettled))
        // Out into the wild, where nothing is moved to a town: as far as the individual, and from one another as well.
        let first = try MaskTests.at(47.42, 11.45)
        let second = try MaskTests.at(47.43, 11.47)
        #expect(!gazetteer.isSettled(first) && !gazetteer.isSettled(second))
        let before = try #require(lives.places(when: first))
        let after = try #require(lives.places(when: second))
        let metres = Ellipsoid.distance(first, second)
        for (one, other) in zip(before, after) {
            #expect(abs(Ellipsoid.distance(one, other) / metres - 1) < 0.02)
        }
        let office = try MaskTests.at(48.15, 11.6)
        #expect(try #require(lives.places(when: office)).allSatisfy(gazetteer.isSettled))
        #expect(lives.places(when: home) == atHome)
        #expect(lives.places(when: try MaskTests.at(52.5, 13.4)) == nil)
        let again = try #require(DummyLives(9, home: home, key: MaskTests.key, gazetteer: gazetteer))
        #expect(again.places(when: home) == atHome)
    }
}
