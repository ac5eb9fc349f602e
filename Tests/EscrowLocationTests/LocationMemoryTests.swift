import EscrowDiagnostics
import EscrowLocationPrivacy
import Foundation
import TemporaryFolder
import Testing

@testable import EscrowLocation

/// What was told last is kept as it was, and whoever cannot read it tells nothing.
@Suite struct LocationMemoryTests {
    let folder: TemporaryFolder
    var memory: LocationMemory { LocationMemory(directory: folder.url.path) }
    var file: URL { folder.url.appending(path: "location.memory.json") }

    init() throws { folder = try TemporaryFolder("location-memory") }

    @Test func whatIsKeptIsWhatWasTold() throws {
        var state = PredictiveTrace.State()
        state.last = Mask.Masked(
            told: try #require(Coordinates(latitude: 60.39, longitude: 5.32)),
            decimals: Decimals(latitude: 3, longitude: 2))
        state.cell = Cell(row: 3, column: 4)
        state.failed = Cell(row: 5, column: 6)
        (state.day, state.spent) = (20_000, 0.25)
        let kept = TellingMemory(
            cells: .init(density: Cell(row: 1, column: 2), place: Cell(row: 7, column: 8)), trace: state,
            anchors: [try #require(Coordinates(latitude: -1.5, longitude: 2.25))])
        try memory.using(app: "a", mask: "grid(10)") { $0 = kept }
        #expect(try memory.using(app: "a", mask: "grid(10)") { $0 } == kept)
        #expect(try memory.using(app: "b", mask: "grid(10)") { $0 } == TellingMemory())
        #expect(try memory.using(app: "a", mask: "grid(20)") { $0 } == TellingMemory())
        #expect(try memory.spent(on: 20_000).map(\.spent) == [0.25])
        #expect(try memory.spent(on: 20_001).map(\.spent) == [0])
        try memory.forget()
        let left = try memory.using(app: "a", mask: "grid(10)") { $0 }
        #expect(left.trace?.spent(on: 20_000) == 0.25, "other noise is no more of a day")
        #expect(left.cells == nil && left.trace?.last == nil && left.anchors.isEmpty)
    }

    @Test(arguments: [
        "", "{}", #"{"escrow-location-memory":1,"told":[{"app":"a","mask":"m","cells":[[1,2]]}]}"#,
        #"{"escrow-location-memory":1,"told":[{"app":"a","mask":"m","day":1,"spent":-1.0}]}"#,
        #"{"escrow-location-memory":1,"told":[{"app":"a","mask":"m","anchors":[[91,0]]}]}"#,
    ])
    func aDamagedFileTellsNothing(text: String) throws {
        try Data(text.utf8).write(to: file)
        let error = #expect(throws: Diagnostic.self) { try memory.using(app: "a", mask: "m") { _ in } }
        #expect(error?.code == .placeMemoryUnreadable && error?.exitStatus == .fault)
        #expect(try Data(contentsOf: file) == Data(text.utf8))
    }

    @Test func aRuleByAMechanismIsKeptWithItsBudget() throws {
        let store = LocationStore(directory: folder.url.path)
        let telling = try #require(Telling("planar-laplace(0.001)"))
        let rule = try store.add(LocationRule(id: "", exactness: telling, budget: 0.02))
        #expect(try store.rules() == [rule])
        #expect([rule].budget(0.001, app: "a", service: .nearby) == 0.02)
        #expect([LocationRule]().budget(0.001, app: "a", service: .nearby) == 0.01)
    }

    /// A night's answers from noise that is drawn anew meet at home; those of one keyed draw leave the whole disc.
    @Test func whatLiesNearToEveryAnswerIsHome() throws {
        let home = try #require(Coordinates(latitude: 60.39, longitude: 5.32))
        var told: [Coordinates: Int] = [:]
        for step in 0..<36 {
            told[Ellipsoid.point(from: home, bearing: Double(step) * 10, metres: 900)] = 1
        }
        let found = try #require(LifeAttack.intersection(told, reach: 1_000))
        #expect(Ellipsoid.distance(found.middle, home) < 50 && found.squareKilometres < 0.1)
        let one = try #require(
            LifeAttack.intersection([Ellipsoid.point(from: home, bearing: 0, metres: 900): 40], reach: 1_000))
        #expect(one.squareKilometres > 3 && Ellipsoid.distance(one.middle, home) > 850)
        #expect(LifeAttack.intersection([:], reach: 1_000) == nil)
    }

    /// Somebody on one of two ways, told with noise: matched to the ways, they are nearer than told.
    @Test func mapMatchingGoesWhereWaysAre() throws {
        let start = try #require(Coordinates(latitude: 60.39, longitude: 5.32))
        let way = (0..<100).map { Ellipsoid.point(from: start, bearing: 0, metres: Double($0) * 100) }
        let other = way.map { Ellipsoid.point(from: $0, bearing: 90, metres: 3_000) }
        let told = way.enumerated().map { number, place in
            TimedPlace(
                place: Ellipsoid.point(from: place, bearing: number % 2 == 0 ? 90 : 270, metres: 300),
                seconds: Int64(number) * 10, minute: 0)
        }
        let guesses = LifeAttack.matched(told, ways: way + other, reach: 300)
        #expect(guesses.count == 100)
        let error = zip(guesses, way).reduce(0) { $0 + Ellipsoid.distance($1.0.guess, $1.1) } / 100
        #expect(error < 100, "\(error) m off, told 300")
        #expect(LifeAttack.matched([], ways: way, reach: 300).isEmpty)
    }
}
