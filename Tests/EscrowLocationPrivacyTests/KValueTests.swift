import EscrowLocationPrivacy
import Foundation
import Testing

/// k follows from the service, how many live around, the accuracy and the time that there is.
@Suite struct KValueTests {
    @Test func aServiceHasItsOwnK() {
        func people(_ service: ServiceType?, _ metres: Double = 1_000, _ neighbours: Int = 50_000) -> Int {
            KValue.people(for: service, accuracy: metres, neighbours: neighbours)
        }
        #expect(people(nil) == 10 && people(nil, 100, 0) == 10)
        #expect(people(.nearby) == 10 && people(.social) == 20 && people(.navigation) == 5)
        // A finer answer, and a place where nearly nobody lives, take more to hide in.
        #expect(people(.nearby, 499) == 15 && people(.nearby, 500) == 10)
        #expect(people(.nearby, 1_000, 999) == 15 && people(.nearby, 1_000, 1_000) == 10)
        #expect(people(.nearby, 100, 0) == 23)
        // An order or a call for help has no dummies.
        #expect(people(.emergency, 100, 0) == 1 && people(.delivery, 100, 0) == 1)
        for service in ServiceType.allCases {
            for (metres, neighbours) in [(50.0, 0), (50, 5_000), (1_000, 0), (1_000, 5_000)] {
                let most = KValue.most(for: service, accuracy: metres)
                #expect(people(service, metres, neighbours) <= most)
                #expect(most == 1 || Anonymisation.peopleRange.contains(most))
                #expect(most <= KValue.most)
            }
        }
    }

    @Test func asManyRequestsAreMadeAsTheServiceSays() throws {
        let gazetteer = try #require(GazetteerTests.whole)
        let wild = try MaskTests.at(64.9, -18.5)
        func points(_ service: ServiceType?) throws -> [Coordinates] {
            var (generator, memory) = (DisplacementTests.Seeded(state: 4), TellingMemory())
            let told = try Disclosure(
                of: wild, as: .neighbourhood, key: MaskTests.key, gazetteer: gazetteer, memory: &memory,
                service: service, using: &generator)
            return try #require(told).points.map(\.coordinates)
        }
        // Nobody lives within ten kilometres.
        #expect(try points(.nearby).count == 15 && points(.social).count == 30)
        #expect(try points(.navigation).count == 8 && points(nil).count == 10)
        let order = try points(.delivery)
        #expect(order.count == 1 && (200...1_000).contains(Ellipsoid.distance(order[0], wild)))
        // Where k changes, the dummies that were seen live on.
        #expect(Set(try points(nil)).isSubset(of: Set(try points(.social))))
    }

    @Test func whoCouldHaveBeenToldTheSameIsCounted() throws {
        let gazetteer = try #require(GazetteerTests.whole)
        let berlin = try MaskTests.at(52.52, 13.405)
        let near = gazetteer.company(of: berlin, within: 1_000)
        let far = gazetteer.company(of: berlin, within: 20_000)
        #expect(near.people > 1_000 && far.people > near.people)
        #expect(abs(near.people - gazetteer.people(within: 1_000, of: berlin)) < 1)
        #expect(far.towns.distinct > near.towns.distinct)
        #expect(far.towns.effective <= Double(far.towns.distinct) && far.towns.effective > 1)
        #expect((0...1).contains(near.closeness) && (0...1).contains(far.closeness))
        let nobody = gazetteer.company(of: try MaskTests.at(-40, -120), within: 1_000)
        #expect(nobody.people == 0 && nobody.towns.distinct == 0 && nobody.closeness == 1)
    }

    @Test func whatIsToldOfARegionSaysHowFarItReaches() throws {
        let gazetteer = try #require(GazetteerTests.whole)
        let oslo = try MaskTests.at(59.913, 10.746)
        let country = Telling.country.radius(of: oslo, gazetteer)
        let region = try #require(Telling("aggregate(region)")).radius(of: oslo, gazetteer)
        let city = Telling.city.radius(of: oslo, gazetteer)
        // To the North Cape and beyond, to the city's border, and as far as its people live.
        #expect((1_000_000...2_000_000).contains(country))
        #expect(region < 100_000)
        #expect((1_000...30_000).contains(city))
        #expect(Telling.neighbourhood.radius(of: oslo, gazetteer) == 1_000)
        #expect(gazetteer.region(of: oslo)?.hasPrefix("NO.") == true)
    }

    /// The index of wide places counts as a look at every place does.
    @Test func peopleAroundAreTheSameByALookAtAllPlaces() throws {
        let gazetteer = try #require(GazetteerTests.whole)
        let places = gazetteer.places
        for (latitude, longitude, metres) in [
            (52.52, 13.405, 3_000.0), (35.68, 139.69, 15_000), (64.9, -18.5, 50_000), (48.3, 11.2, 100_000),
            (-17.0, 179.95, 90_000),
        ] {
            let point = try MaskTests.at(latitude, longitude)
            var sum = 0.0
            for place in places where abs(place.coordinates.latitude - latitude) < 3 {
                let reach = (Double(place.population) / 0.002 / .pi).squareRoot()
                let distance = Ellipsoid.distance(place.coordinates, point)
                guard distance < metres + reach else { continue }
                sum += Self.lens(distance, metres, reach) * 0.002 * 0.5
            }
            // Their distances are the plane's, which are right within a thousandth.
            #expect(abs(gazetteer.people(within: metres, of: point) - sum) <= 1e-3 * max(sum, 1))
        }
    }

    /// The area that two discs share, by adding thin strips.
    private static func lens(_ distance: Double, _ first: Double, _ second: Double) -> Double {
        if distance + min(first, second) <= max(first, second) {
            let small = min(first, second)
            return .pi * small * small
        }
        let x = (distance * distance + first * first - second * second) / (2 * distance)
        func cap(_ radius: Double, _ height: Double) -> Double {
            let angle = 2 * acos(min(max(height / radius, -1), 1))
            return radius * radius / 2 * (angle - sin(angle))
        }
        return cap(first, x) + cap(second, distance - x)
    }
}
