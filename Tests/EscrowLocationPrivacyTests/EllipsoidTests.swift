import EscrowLocationPrivacy
import Testing

@Suite struct EllipsoidTests {
    static func at(_ latitude: Double, _ longitude: Double) throws -> Coordinates {
        try #require(Coordinates(latitude: latitude, longitude: longitude))
    }

    /// The classic example of Geoscience Australia: Flinders Peak to Buninyong, 54,972.271 m.
    @Test func theSurveyorsExampleHolds() throws {
        let flinders = try Self.at(-(37 + 57 / 60 + 3.72030 / 3600), 144 + 25 / 60 + 29.52440 / 3600)
        let buninyong = try Self.at(-(37 + 39 / 60 + 10.15610 / 3600), 143 + 55 / 60 + 35.38390 / 3600)
        let bearing = 306 + 52 / 60 + 5.37 / 3600
        #expect(abs(Ellipsoid.distance(flinders, buninyong) - 54_972.271) < 0.002)
        let end = Ellipsoid.point(from: flinders, bearing: bearing, metres: 54_972.271)
        #expect(Ellipsoid.distance(end, buninyong) < 0.02)
    }

    /// A quarter of the meridian is 10,001,965.729 m, a degree of the equator 111,319.491 m.
    @Test func theMeridianAndTheEquatorAreAsLongAsTheyAre() throws {
        #expect(abs(Ellipsoid.distance(try Self.at(0, 7), try Self.at(90, 0)) - 10_001_965.729) < 0.001)
        #expect(abs(Ellipsoid.distance(try Self.at(0, 179.5), try Self.at(0, -179.5)) - 111_319.491) < 0.001)
        #expect(Ellipsoid.distance(try Self.at(90, 0), try Self.at(90, 120)) < 0.001)
        #expect(Ellipsoid.distance(try Self.at(10, 180), try Self.at(10, -180)) == 0)
    }

    @Test func antipodesHaveADistance() throws {
        let distance = Ellipsoid.distance(try Self.at(0, 0), try Self.at(0.1, 179.9))
        #expect((19_800_000...20_100_000).contains(distance))
    }

    /// There and measured back, all over the globe, across the poles and across ±180°.
    @Test func oneArrivesAsFarAwayAsOneWent() throws {
        for latitude in [-90, -89.9999, -60, -0.001, 0, 33.3, 52.5, 89.9999, 90] {
            for longitude in [-180, -179.9999, 0, 13.4, 179.9999] {
                let start = try Self.at(latitude, longitude)
                for bearing in stride(from: 0.0, to: 360, by: 45) {
                    for metres in [0.5, 100, 10_000, 250_000] {
                        let end = Ellipsoid.point(from: start, bearing: bearing, metres: metres)
                        #expect(abs(Ellipsoid.distance(start, end) - metres) < 0.001)
                        #expect((-180..<180).contains(end.longitude))
                    }
                }
            }
        }
    }

    @Test func whatIsNoPointOnTheGlobeIsRefused() {
        #expect(Coordinates(latitude: 90.1, longitude: 0) == nil)
        #expect(Coordinates(latitude: .nan, longitude: 0) == nil)
        #expect(Coordinates(latitude: 0, longitude: .infinity) == nil)
        #expect(Coordinates(latitude: 1, longitude: 180) == Coordinates(latitude: 1, longitude: -180))
    }
}
