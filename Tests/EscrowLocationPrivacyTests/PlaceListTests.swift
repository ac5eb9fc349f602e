import EscrowLocationPrivacy
import Testing

@Suite struct PlaceListTests {
    /// Against a look at every place: around towns, at the poles and at ±180°.
    @Test(arguments: [(60.39, 5.32, 20_000.0), (0, 179.99, 30_000), (89.9, 0, 60_000), (-90, 0, 90_000)])
    func theNearestIsTheOneThatALookAtAllFinds(_ latitude: Double, _ longitude: Double, _ reach: Double)
        throws
    {
        var generator = DisplacementTests.Seeded(state: 3)
        let middle = try MaskTests.at(latitude, longitude)
        func anywhere(_ metres: Double) -> Coordinates {
            Displacement.ring(0, metres, using: &generator).from(middle)
        }
        let list = try #require(PlaceList((0..<400).map { _ in anywhere(reach) }, apart: 150))
        #expect((300...400).contains(list.places.count))
        for _ in 0..<200 {
            let point = anywhere(reach * 1.5)
            let nearest = Ellipsoid.distance(list.nearest(to: point), point)
            let all = list.places.map { Ellipsoid.distance($0, point) }.min()
            #expect(nearest == all)
        }
    }

    /// So an answer tells no more than a circle of half the distance: no two are nearer, and none was left out for nothing.
    @Test func noTwoPlacesAreNearerThanTheListSays() throws {
        var generator = DisplacementTests.Seeded(state: 9)
        for (latitude, longitude) in [(60.39, 5.32), (10.0, -180.0), (89.99, 10)] {
            let middle = try MaskTests.at(latitude, longitude)
            let all = (0..<300).map { _ in Displacement.ring(0, 2_000, using: &generator).from(middle) }
            let list = try #require(PlaceList(all, apart: 300))
            for (index, place) in list.places.enumerated() {
                for other in list.places[(index + 1)...] { #expect(Ellipsoid.distance(place, other) >= 300) }
            }
            for place in all {
                #expect(list.places.contains { Ellipsoid.distance(place, $0) < 300 })
            }
            #expect(PlaceList(list.places.shuffled(), apart: 300) == list)
        }
        #expect(PlaceList([], apart: 300) == nil)
        let one = try MaskTests.at(1, 2)
        #expect(PlaceList([one], apart: 99) == nil && PlaceList([one], apart: 100_001) == nil)
    }

    @Test func whoIsToldTheNearestStopIsToldNothingElse() throws {
        let list = try #require(
            PlaceList([try MaskTests.at(52.5, 13.4), try MaskTests.at(52.6, 13.4)], apart: 2_000))
        let mask = try Mask(.snap(list: "stops"), key: MaskTests.key, lists: ["stops": list])
        var told: Set<Mask.Masked> = []
        for step in 0..<100 {
            told.insert(try mask.apply(to: try MaskTests.at(52.5 + Double(step) / 1_000, 13.4)))
        }
        #expect(Set(told.map(\.latitude)) == ["52.500", "52.600"])
        #expect(Telling(snap: "stops", apart: 200).step == .street)
        #expect(Telling(snap: "stops", apart: 1_000).step == .neighbourhood)
        #expect(Telling(snap: "stops", apart: 10_000).step == .city)
        #expect(Telling("snap(stops)")?.list == "stops" && Telling("snap(towns)")?.list == nil)
    }
}
