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
        func told() throws -> Coordinates {
            let key = try store.masks(of: "org.example.map").key
            return try Mask(.perturbation(metres: 500), key: key).apply(to: place).coordinates
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
