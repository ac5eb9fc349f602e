import EscrowDiagnostics
import EscrowLocation
import EscrowLocationPrivacy
import Foundation
import TemporaryFolder
import Testing

@Suite struct LocationStoreTests {
    let folder: TemporaryFolder
    var store: LocationStore { LocationStore(directory: folder.url.path) }
    var file: URL { folder.url.appending(path: "location.json") }

    init() throws { folder = try TemporaryFolder("location-store") }

    @Test func whatIsAddedIsReadAgainAndTheNoiseStaysUntilItIsReset() throws {
        #expect(try store.rules().isEmpty)
        #expect(!FileManager.default.fileExists(atPath: file.path), "a look alone makes no file")
        let place = try #require(Coordinates(latitude: 60.39, longitude: 5.32))
        let rule = LocationRule(
            id: "", app: "org.example.map", service: .nearby, hours: .init(from: 1_320, until: 360),
            near: .init(place, metres: 500), exactness: .city)
        #expect(try store.add(rule).id == "1")
        #expect(try store.add(LocationRule(id: "", exactness: .country)).id == "2")
        var kept = rule
        kept.id = "1"
        #expect(try store.rules() == [kept, LocationRule(id: "2", exactness: .country)])
        // At several places: one alone has the same answer by chance once in ten thousand times.
        func told() throws -> [Coordinates] {
            let key = try store.masks(of: "org.example.map").key
            let mask = try Mask(.perturbation(metres: 500), key: key)
            return try (0..<4).map { number in
                let there = Ellipsoid.point(from: place, bearing: 0, metres: Double(number) * 10_000)
                return try mask.apply(to: there).coordinates
            }
        }
        let before = try told()
        #expect(try told() == before)
        try store.resetNoise()
        #expect(try told() != before)
        try store.remove("1")
        #expect(try store.rules().map(\.id) == ["2"])
        #expect(try store.add(rule).id == "1")
        let missing = #expect(throws: Diagnostic.self) { try store.remove("9") }
        #expect(missing?.code == .noSuchLocationRule && missing?.exitStatus == .usage)
    }

    @Test(arguments: [
        "", "{}", #"{"escrow-location":2,"secret":["1","2"],"rules":[]}"#,
        #"{"escrow-location":1,"secret":["1"],"rules":[]}"#,
        #"{"escrow-location":1,"secret":["1","2"],"rules":[{"id":"1","tell":"town"}]}"#,
        #"{"escrow-location":1,"secret":["1","2"],"rules":[{"id":"1","tell":"city","until":5}]}"#,
        #"{"escrow-location":1,"secret":["1","2"],"rules":[{"id":"1","tell":"city","from":5,"until":5}]}"#,
        #"{"escrow-location":1,"secret":["1","2"],"rules":[{"id":"1","tell":"city"},{"id":"1","tell":"city"}]}"#,
        #"{"escrow-location":1,"secret":["1","2"],"rules":[{"id":"1","tell":"city","near":{"latitude":91,"longitude":0,"metres":5}}]}"#,
        #"{"escrow-location":1,"secret":["1","2"],"rules":[],"more":1}"#,
    ])
    func aDamagedFileTellsNothing(text: String) throws {
        try Data(text.utf8).write(to: file)
        let error = #expect(throws: Diagnostic.self) { try store.masks(of: "org.example.map") }
        #expect(error?.code == .locationRulesUnreadable && error?.exitStatus == .fault)
        #expect(throws: Diagnostic.self) { try store.rules() }
        #expect(throws: Diagnostic.self) { try store.resetNoise() }
        #expect(try Data(contentsOf: file) == Data(text.utf8))
    }

    /// A list is kept beside the rules, tells the less the farther its places lie apart, and stays while a rule needs it.
    @Test func aListOfPlacesIsKeptForTheRulesThatNameIt() throws {
        func at(_ latitude: Double) throws -> Coordinates {
            try #require(Coordinates(latitude: latitude, longitude: 5.32))
        }
        let stops = try #require(PlaceList([try at(60.39), try at(60.391), try at(60.5)], apart: 1_000))
        #expect(stops.places == [try at(60.39), try at(60.5)])
        let snap = try #require(Telling("snap(stops)"))
        let unknown = #expect(throws: Diagnostic.self) {
            try store.add(LocationRule(id: "", exactness: snap))
        }
        #expect(unknown?.code == .noSuchPlaceList && unknown?.exitStatus == .usage)
        for name in ["towns", "Stops", "a/b", "", "-a", "../x"] {
            #expect(throws: Diagnostic(.placeListUnfit, "")) { try store.keep(stops, as: name) }
        }
        #expect(try store.keep(stops, as: "stops").places == 2)
        #expect(try store.lists(for: snap) == ["stops": stops])
        #expect(try store.lists(for: .city).isEmpty)
        #expect(try store.add(LocationRule(id: "", exactness: snap)).exactness.step == .neighbourhood)
        let told = try #require(try store.masks(of: "org.example.map").rules.first?.exactness)
        #expect(told == Telling(snap: "stops", apart: 1_000) && told.isWithin(snap))
        #expect(Telling.least(.neighbourhood, told) == told, "so it may stand for a neighbourhood")
        #expect(throws: Diagnostic(.placeListUnfit, "")) { try store.removeList("stops") }
        // Denser places under the same name tell more, so the rule makes less use of them.
        _ = try store.keep(try #require(PlaceList(stops.places, apart: 100)), as: "stops")
        #expect(try store.rules().first?.exactness.step == .street)
        try Data("{}".utf8).write(to: folder.url.appending(path: "location.places.stops.json"))
        #expect(throws: Diagnostic(.locationRulesUnreadable, "")) { try store.lists(for: snap) }
        try store.remove("1")
        try store.removeList("stops")
        #expect(throws: Diagnostic(.noSuchPlaceList, "")) { try store.removeList("stops") }
        #expect(throws: Diagnostic(.noSuchPlaceList, "")) { try store.lists(for: snap) }
    }

    /// What is kept of a list is read strictly: places that lie nearer than it says would tell more than it says.
    @Test(arguments: [
        "", #"{"escrow-places":2,"apart":200.0,"places":[[1.0,2.0]]}"#,
        #"{"escrow-places":1,"apart":99.0,"places":[[1.0,2.0]]}"#,
        #"{"escrow-places":1,"apart":200.0,"places":[]}"#,
        #"{"escrow-places":1,"apart":200.0,"places":[[1.0,2.0],[1.001,2.0]]}"#,
        #"{"escrow-places":1,"apart":200.0,"places":[[2.0,2.0],[1.0,2.0]]}"#,
        #"{"escrow-places":1,"apart":200.0,"places":[[91.0,2.0]]}"#,
        #"{"escrow-places":1,"apart":200.0,"places":[[1.0,2.0]],"more":1}"#,
    ])
    func aDamagedListTellsNothing(text: String) throws {
        let place = try #require(Coordinates(latitude: 1, longitude: 2))
        _ = try store.keep(try #require(PlaceList([place], apart: 200)), as: "stops")
        try Data(text.utf8).write(to: folder.url.appending(path: "location.places.stops.json"))
        let snap = try #require(Telling("snap(stops)"))
        #expect(throws: Diagnostic(.locationRulesUnreadable, "")) { try store.lists(for: snap) }
    }

    /// All masks at once: each says what is learnt, and one that cannot be says why, without ending the rest.
    @Test func aPreviewHasARowForEachMaskAndPlace() throws {
        let gazetteer = try GazetteerFile.load()
        let bergen = try #require(Coordinates(latitude: 60.39, longitude: 5.32))
        let sea = try #require(Coordinates(latitude: -48.9, longitude: -123.4))
        let list = try #require(PlaceList([bergen], apart: 200))
        let key = try store.masks(of: "org.example.map").key
        let preview = LocationPreview(key: key, gazetteer: gazetteer, lists: ["stops": list])
        let masks = preview.all.map(\.spelling)
        #expect(Set(masks).count == masks.count && masks.contains("snap(stops)") && masks.contains("city"))
        #expect(masks.count == Exactness.allCases.count + Mechanism.examples.count)
        for telling in preview.all {
            let rows = preview.rows(of: [bergen, sea], as: telling)
            #expect(rows.count == 2 && rows.allSatisfy { $0.mask == telling.spelling && !$0.learns.isEmpty })
            #expect(rows[0].refusal == nil && rows[0].told.isEmpty == (telling == .none))
        }
        let donut = preview.rows(of: [bergen, sea], as: Telling(.adaptiveDonut(people: 1_000)))
        #expect(donut[0].people == 1_000 && donut[1].refusal == .tooFewPeople)
        #expect(donut[1].learns == "nothing: too few people live around it to hide among")
        let city = try #require(preview.rows(of: [bergen], as: .city)[0].people)
        #expect((500...400_000).contains(city))
    }

    @Test func theGazetteerIsFoundBesideTheProgram() throws {
        #expect(try GazetteerFile.load().count > 200_000)
        #expect(Diagnostic.Code.gazetteerUnfit.exitStatus == .fault)
    }

    @Test func aMaskThatHasNoRoomSaysWhatToDo() {
        for refusal in [
            Mask.Refusal.tooNarrow, .tooFewPeople, .noGazetteer, .noList("x"), .unknownLevel(.street),
        ] {
            #expect(refusal.diagnostic.code == .placeNotMasked)
            #expect(refusal.diagnostic.exitStatus == .egressRefused)
        }
    }
}
