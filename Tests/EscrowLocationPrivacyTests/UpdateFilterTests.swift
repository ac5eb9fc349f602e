import EscrowLocationPrivacy
import Testing

/// Which fixes are updates.
@Suite struct UpdateFilterTests {
    /// Looks at fixes at so many metres north of a place, at so many seconds; gives which of them are updates, and why.
    private func updates(
        _ mode: UpdateFilter.Mode, _ desired: Exactness, _ fixes: [(metres: Double, seconds: Int64)],
        uncertainty: Double? = 5
    ) throws -> [Int: UpdateFilter.Reason] {
        let start = try MaskTests.at(60.39, 5.32)
        var filter = UpdateFilter(mode, desired: desired)
        var found: [Int: UpdateFilter.Reason] = [:]
        for (number, fix) in fixes.enumerated() {
            let place = Ellipsoid.point(from: start, bearing: 0, metres: fix.metres)
            found[number] = filter.look(at: place, uncertainty: uncertainty, seconds: fix.seconds)
        }
        return found
    }

    @Test func standardTellsEachMoveAsExactlyAsItIsWanted() throws {
        let walk = (0..<5).map { (metres: Double($0) * 30, seconds: Int64($0)) }
        #expect(try updates(.standard, .exact, walk).keys.sorted() == [0, 1, 2, 3, 4])
        #expect(try updates(.standard, .street, walk).keys.sorted() == [0, 2, 4])
        #expect(try updates(.standard, .neighbourhood, walk).keys.sorted() == [0])
        // Who is not found exactly enough has not moved.
        #expect(try updates(.standard, .street, walk, uncertainty: 101).keys.sorted() == [0])
    }

    @Test func significantTakesHalfAKilometreAndFiveMinutes() throws {
        let ride = [(0.0, 0), (600.0, 60), (600, 299), (600, 300), (1_000, 900), (1_101, 901)].map {
            (metres: $0.0, seconds: Int64($0.1))
        }
        #expect(try updates(.significant, .exact, ride).keys.sorted() == [0, 3, 5])
    }

    @Test func visitsTellArrivalAndDeparture() throws {
        var day: [(metres: Double, seconds: Int64)] = []
        for step in 0..<10 { day.append((Double(step) * 300, Int64(step) * 60)) }
        for step in 0..<10 { day.append((3_000 + Double(step % 3) * 40, 600 + Int64(step) * 60)) }
        day += [(3_200, 1_200), (5_000, 1_260), (5_000, 1_320)]
        let found = try updates(.visits, .exact, day)
        #expect(found == [15: .arrived(since: 600), 21: .departed(since: 600, until: 1_140)], "\(found)")
        #expect(try updates(.visits, .exact, day, uncertainty: 51).isEmpty)
    }
}
