import EscrowLocationPrivacy
import Foundation
import Testing

@Suite struct GazetteerTests {
    static let bytes: [UInt8] = {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let file = root.appending(path: "Sources/access/EscrowLocationPrivacy/Data/places.gazetteer")
        return (try? Data(contentsOf: file)).map { [UInt8]($0) } ?? []
    }()
    static let whole = try? Gazetteer(bytes)

    static func at(_ latitude: Double, _ longitude: Double) throws -> Coordinates {
        try #require(Coordinates(latitude: latitude, longitude: longitude))
    }

    /// A gazetteer of few places, as the script would write it.
    static func file(_ places: [(latitude: Double, longitude: Double, population: UInt32)]) -> [UInt8] {
        func little(_ value: UInt32, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt32(8 * $0)) }
        }
        var cells = [[[UInt8]]](repeating: [], count: 180 * 360)
        for place in places {
            let north = min(Int((place.latitude + 90) * 65_536), 180 * 65_536 - 1)
            let east = Int((place.longitude + 180) * 65_536)
            cells[north / 65_536 * 360 + east / 65_536].append(
                little(UInt32(north % 65_536), 2) + little(UInt32(east % 65_536), 2)
                    + little(place.population, 4) + little(0, 2))
        }
        for index in cells.indices where cells[index].count > 1 {
            cells[index].sort { ($0[1], $0[0]) < ($1[1], $1[0]) }
        }
        return Array("ESCGAZ1\n".utf8) + little(UInt32(places.count), 4) + little(1, 4)
            + Array("XX01".utf8) + [0, 0, 0, 0, 0, 0] + cells.flatMap { little(UInt32($0.count), 2) }
            + cells.joined().joined()
    }

    @Test func theFileHoldsWhatItsSourceHolds() throws {
        let gazetteer = try #require(Self.whole)
        #expect(gazetteer.count == 204_228)
        let places = gazetteer.places
        #expect(places.count == gazetteer.count)
        let total = places.reduce(0) { $0 + $1.population }
        #expect((4_400_000_000...4_500_000_000).contains(total))
        let berlin = try #require(
            gazetteer.within(3_000, of: try Self.at(52.52, 13.405)).map(\.place).max {
                $0.population < $1.population
            })
        #expect((3_000_000...4_000_000).contains(berlin.population))
        #expect(gazetteer.regions[berlin.region].country == "DE")
    }

    /// The index finds what a look at every place finds, at the poles and at ±180° too, and counts the same people.
    @Test func theIndexCountsAsASearchOfAllDoes() throws {
        let gazetteer = try #require(Self.whole)
        let places = gazetteer.places
        for (latitude, longitude, metres) in [
            (52.5, 13.4, 20_000.0), (-17.0, 179.95, 200_000), (-17.0, -179.95, 200_000),
            (89.9, 10, 1_500_000), (-90, 0, 4_000_000), (78.2, 15.6, 50_000), (0.2, 0.2, 600_000),
        ] {
            let point = try Self.at(latitude, longitude)
            // Only what lies in reach by latitude is measured: the rest cannot be near.
            let near = places.filter {
                abs($0.coordinates.latitude - latitude) <= metres / 110_000
                    && Ellipsoid.distance($0.coordinates, point) <= metres
            }
            let found = gazetteer.within(metres, of: point)
            #expect(Set(found.map(\.place)) == Set(near))
            #expect(
                gazetteer.population(within: metres, of: point) == near.reduce(0) { $0 + $1.population })
            #expect(found.map(\.metres) == found.map(\.metres).sorted())
        }
    }

    @Test func theNearestIsFoundFromAnywhere() throws {
        let gazetteer = try #require(Self.whole)
        #expect(gazetteer.nearest(to: try Self.at(-48.9, -123.4)) != nil)
        let five = gazetteer.nearest(5, to: try Self.at(48.85, 2.35))
        #expect(five.count == 5 && five[0].metres < 3_000)
        let empty = try Gazetteer(Self.file([]))
        #expect(empty.nearest(to: try Self.at(0, 0)) == nil)
    }

    @Test func aCountryIsStoodForByItsLargestPlace() throws {
        let gazetteer = try #require(Self.whole)
        let france = try #require(gazetteer.area(ofCountry: "FR"))
        #expect(Ellipsoid.distance(france.centre, try Self.at(48.853, 2.349)) < 2_000)
        #expect(france.places > 1_000 && france.population > 20_000_000)
        #expect(gazetteer.area(ofCountry: "ZZ") == nil)
    }

    /// One place of 20,000 people is a disc of 10 km²: half of them are believed.
    @Test func peopleAreSpreadOverTheirPlace() throws {
        let gazetteer = try Gazetteer(Self.file([(10, 179.9, 20_000)]))
        let centre = gazetteer.places[0].coordinates
        #expect(abs(gazetteer.people(within: 10_000, of: centre) - 10_000) < 1)
        #expect(abs(gazetteer.people(within: 1_000, of: centre) - 3_141.6) < 1)
        let radius = try #require(gazetteer.radius(of: 1_000, around: centre))
        #expect(abs(radius - 564.2) < 0.5)
        #expect(gazetteer.radius(of: 10_001, around: centre) == nil)
        #expect(gazetteer.isSettled(centre))
        #expect(!gazetteer.isSettled(try Self.at(10, -179.9)))
    }

    /// The radius is where so many live and no nearer, wherever one is: in towns, between them, and where few live.
    @Test func theRadiusIsTheLeastThatHoldsSoMany() throws {
        let gazetteer = try #require(Self.whole)
        var generator = DisplacementTests.Seeded(state: 5)
        var (asked, answered) = (0, 0)
        for place in gazetteer.places where place.number % 997 == 0 {
            let point = Displacement.ring(0, 20_000, using: &generator).from(place.coordinates)
            for people in [10, 1_000, 100_000] {
                asked += 1
                guard let radius = gazetteer.radius(of: people, around: point) else {
                    #expect(gazetteer.people(within: Gazetteer.farthest, of: point) < Double(people))
                    continue
                }
                answered += 1
                #expect(gazetteer.people(within: radius, of: point) >= Double(people) * 0.999_999)
                #expect(gazetteer.people(within: radius - 0.011, of: point) < Double(people))
            }
        }
        #expect(asked > 600 && answered > asked * 8 / 10)
    }

    @Test func whatIsNotWholeIsRefused() throws {
        let good = Self.file([(10, 20, 500), (10.5, 20.5, 700)])
        _ = try Gazetteer(good)
        var broken: [[UInt8]] = [[], Array(good.prefix(12)), good.dropLast(), good + [0]]
        // Two places of one cell the wrong way round.
        let ordered = Self.file([(10.1, 20.1, 500), (10.2, 20.2, 700)])
        _ = try Gazetteer(ordered)
        broken.append(Array(ordered.dropLast(20)) + ordered.suffix(10) + ordered.dropLast(10).suffix(10))
        let places = good.count - 20
        // The magic, the counts, a region's country, a cell's count, a population of none and of too many, a region that is none.
        for (offset, byte) in [
            (0, UInt8(0x66)), (8, 3), (12, 9), (16, 0x20), (26, 1), (places + 4 + 3, 0xFF), (places + 8, 1),
        ] {
            var copy = good
            copy[offset] = byte
            broken.append(copy)
        }
        var nobody = good
        nobody[places + 4] = 0
        nobody[places + 5] = 0
        broken.append(nobody)
        for bytes in broken {
            #expect(throws: Gazetteer.Malformed.self) { try Gazetteer(bytes) }
        }
    }
}
