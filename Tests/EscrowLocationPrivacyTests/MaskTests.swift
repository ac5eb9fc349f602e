import EscrowHashing
import EscrowLocationPrivacy
import Testing

@Suite struct MaskTests {
    static let key = MaskKey(home: SipHash(7, 8), app: "map", resets: 0)

    static func at(_ latitude: Double, _ longitude: Double) throws -> Coordinates {
        try #require(Coordinates(latitude: latitude, longitude: longitude))
    }

    static func mask(_ spelling: String, _ key: MaskKey = key) throws -> Mask {
        try Mask(
            try Mechanism(spelling), key: key, gazetteer: GazetteerTests.whole,
            lists: ["stops": try #require(PlaceList([try at(52.5, 13.4), try at(52.6, 13.4)], apart: 100))])
    }

    @Test(arguments: [
        ("none", "52.520008", "13.404954"), ("fixed(48.1, 11.5)", "48.100000", "11.500000"),
        ("truncate(2)", "52.52", "13.40"), ("truncate(0)", "52", "13"),
        ("snap(stops)", "52.50000", "13.40000"),
    ])
    func whatNeedsNoNoiseIsWhatItSays(_ spelling: String, _ latitude: String, _ longitude: String) throws {
        let masked = try Self.mask(spelling).apply(to: try Self.at(52.520008, 13.404954))
        #expect(masked.latitude == latitude && masked.longitude == longitude)
    }

    @Test func digitsAreCutTowardsZero() throws {
        let mask = try Self.mask("truncate(2)")
        let masked = try mask.apply(to: try Self.at(0.29, -0.059))
        #expect(masked.latitude == "0.29" && masked.longitude == "-0.05")
        #expect(try mask.apply(to: try Self.at(-0.001, 0)).latitude == "0.00")
    }

    @Test func aggregatesAreRepresentativePoints() throws {
        let kreuzberg = try Self.at(52.4987, 13.3918)
        let berlin = try Self.at(52.524, 13.411)
        let city = try Self.mask("aggregate(city)").apply(to: kreuzberg)
        #expect(Ellipsoid.distance(city.coordinates, kreuzberg) < 3_000)
        for level in ["region", "country"] {
            let masked = try Self.mask("aggregate(\(level))").apply(to: kreuzberg)
            #expect(Ellipsoid.distance(masked.coordinates, berlin) < 2_000)
            #expect(masked.latitude.split(separator: ".")[1].count == 3)
        }
        for level in ["street", "postcode"] {
            #expect(throws: Mask.Refusal.self) { try Self.mask("aggregate(\(level))") }
        }
        #expect(throws: Mask.Refusal.noGazetteer) {
            try Mask(.aggregate(.city), key: Self.key)
        }
        #expect(throws: Mask.Refusal.noList("shops")) { try Self.mask("snap(shops)") }
    }

    /// From everywhere in a cell, at the poles and at ±180°, with and without the last cell: never nearer than the hole and
    /// never farther than the border, as it is written.
    @Test(arguments: [
        ("donut(100, 500)", 100.0, 500.0), ("donut(20%, 50)", 10, 50),
        ("donut(90%, 100000)", 90_000, 100_000),
        ("donut(90%, 10)", 9, 10), ("random-perturbation(500)", 0, 500),
    ])
    func noPointLeavesItsRing(_ spelling: String, _ least: Double, _ most: Double) throws {
        let mask = try Self.mask(spelling)
        var generator = DisplacementTests.Seeded(state: 4)
        for (latitude, longitude) in [
            (90.0, 0.0), (-90, 50), (89.999, -180), (-89.9, 179.999), (0, 180), (12, -179.9999), (0, 0),
            (52.5, 13.4), (-33.9, 151.2),
        ] {
            let start = try Self.at(latitude, longitude)
            var last: Cell?
            for _ in 0..<40 {
                let point = Displacement.ring(0, most / 2, using: &generator).from(start)
                let alone = try mask.apply(to: point)
                let after = try mask.apply(to: point, last: last)
                last = after.cell
                for masked in [alone, after] {
                    let distance = Ellipsoid.distance(point, masked.coordinates)
                    #expect(distance >= least && distance <= most)
                }
            }
        }
    }

    @Test(arguments: ["grid(1000)", "donut(100, 500)", "planar-laplace(0.01)", "random-perturbation(300)"])
    func theSamePlaceGivesTheSameAnswerUntilReset(_ spelling: String) throws {
        let place = try Self.at(52.5, 13.4)
        let first = try Self.mask(spelling).apply(to: place)
        #expect(try Self.mask(spelling).apply(to: place) == first)
        guard !spelling.hasPrefix("grid") else { return }
        for other in [
            MaskKey(home: SipHash(7, 8), app: "weather", resets: 0),
            MaskKey(home: SipHash(7, 8), app: "map", resets: 1),
            MaskKey(home: SipHash(7, 9), app: "map", resets: 0),
        ] {
            #expect(try Self.mask(spelling, other).apply(to: place).coordinates != first.coordinates)
        }
    }

    /// A walk to and fro over a border, wherever it lies: with the last cell the answer stays, without it it changes.
    @Test func bordersDoNotMakeAnAnswerFlicker() throws {
        let mask = try Self.mask("grid(1000)")
        var last: Cell?
        var changes = (kept: 0, fresh: 0)
        var before: Mask.Masked?
        var alone: Mask.Masked?
        // 200 walks of 40 steps, each 100 m to and fro.
        for walk in 0..<200 {
            let start = try Self.at(40 + Double(walk) * 0.01, 7)
            for step in 0..<40 {
                let point = Ellipsoid.point(from: start, bearing: 90, metres: step % 2 == 0 ? 0 : 100)
                let masked = try mask.apply(to: point, last: last)
                let fresh = try mask.apply(to: point)
                if step > 1, masked.coordinates != before?.coordinates { changes.kept += 1 }
                if step > 1, fresh.coordinates != alone?.coordinates { changes.fresh += 1 }
                (last, before, alone) = (masked.cell, masked, fresh)
            }
        }
        #expect(changes.kept == 0 && changes.fresh > 200)
    }

    @Test func anAdaptiveDonutReachesAsFarAsItsPeople() throws {
        let gazetteer = try #require(GazetteerTests.whole)
        let mask = try Self.mask("adaptive-donut(1000)")
        for (latitude, longitude) in [(52.52, 13.405), (48.2, 8.1), (51.0, 12.0)] {
            let point = try Self.at(latitude, longitude)
            let distance = Ellipsoid.distance(point, try mask.apply(to: point).coordinates)
            let radius = try #require(gazetteer.radius(of: 1_000, around: point))
            #expect(distance >= 80 && distance <= max(radius, 400) + 250)
        }
        #expect(throws: Mask.Refusal.tooFewPeople) {
            try mask.apply(to: try Self.at(-48.9, -123.4))
        }
    }

    @Test func noMoreDigitsAreWrittenThanAreMeant() throws {
        for (spelling, digits) in [
            ("grid(100)", 4), ("grid(1000)", 3), ("grid(50000)", 1), ("planar-laplace(0.01)", 4),
            ("random-perturbation(500)", 4),
        ] {
            let masked = try Self.mask(spelling).apply(to: try Self.at(52.520008, 13.404954))
            #expect(masked.latitude.split(separator: ".")[1].count == digits)
        }
        let north = try Self.mask("grid(1000)").apply(to: try Self.at(89.95, 13.404954))
        #expect(north.decimals.longitude < north.decimals.latitude)
    }

    /// The attack of the mean: 1,000 fixes of a receiver that errs by up to 5 m, at one place.
    @Test func averagingGainsNothing() throws {
        var generator = DisplacementTests.Seeded(state: 5)
        let home = try Self.at(52.5012, 13.4023)
        for spelling in ["donut(100, 500)", "planar-laplace(0.01)", "random-perturbation(500)"] {
            let mask = try Self.mask(spelling)
            var last: Cell?
            var ours: [Coordinates] = []
            var fresh: [Coordinates] = []
            for _ in 0..<1_000 {
                let fix = Displacement.ring(0, 5, using: &generator).from(home)
                let masked = try mask.apply(to: fix, last: last)
                last = masked.cell
                ours.append(masked.coordinates)
                let noise =
                    spelling.hasPrefix("planar")
                    ? Displacement.laplace(0.01, using: &generator)
                    : Displacement.ring(spelling.hasPrefix("donut") ? 100 : 0, 500, using: &generator)
                fresh.append(noise.from(fix))
            }
            #expect(Set(ours).count == 1)
            let mean = try Self.at(
                fresh.reduce(0) { $0 + $1.latitude } / 1_000, fresh.reduce(0) { $0 + $1.longitude } / 1_000)
            #expect(Ellipsoid.distance(mean, home) < 20)
            if spelling.hasPrefix("donut") { #expect(Ellipsoid.distance(ours[0], home) >= 100) }
        }
    }
}
