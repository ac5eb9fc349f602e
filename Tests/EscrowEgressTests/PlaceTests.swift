import EscrowDiagnostics
import EscrowEgress
import EscrowJSON
import EscrowLocationPrivacy
import EscrowManifest
import Testing

@Suite("The host fills the individual's place in, and hides it among requests that look alike")
struct PlaceTests {
    let recorder = ScriptedRecorder()
    let transport = RecordingTransport()
    let clock = TestClock()

    static let fields =
        #""lat": { "in": "query", "place": "latitude" }, "lon": { "in": "query", "place": "longitude" }"#

    static func endpoint(
        _ fields: String = fields, place: String = #", "place": { "service": "nearby" }"#, more: String = ""
    ) throws -> EgressEndpoint {
        try Fixture.endpoint(fields, url: "https://api.example.org/v1", more: place + more)
    }

    /// Tells what a test says.
    struct Told: PlaceSource {
        var points: [PlacesToSend.Point]
        var truth = 0
        func places(for endpoint: EgressEndpoint) -> Result<PlacesToSend, EgressRefusal> {
            PlacesToSend(points: points, truth: truth, exactness: .neighbourhood).map { .success($0) }
                ?? .failure(.placeNotTold("your rules tell nothing of this place"))
        }
    }

    static let points = [("1.5", "20.25"), ("-11.5", "120.25"), ("3.5", "9.5")].map {
        PlacesToSend.Point(latitude: $0, longitude: $1, country: "NO")
    }

    func mediator(_ endpoint: EgressEndpoint, _ told: Told) -> Mediator {
        Mediator(
            endpoints: [endpoint], places: told, resolver: ScriptedResolver(["1.1.1.1"]),
            transport: transport,
            clock: clock, recorder: recorder)
    }

    var targets: [String] {
        transport.sent.map {
            String(String(decoding: $0.bytes.prefix { $0 != 0x0D }, as: UTF8.self).split(separator: " ")[1])
        }
    }

    @Test(
        "All leave in the places' order, of one size, each recorded before the first; the true answer is kept"
    )
    func manyRequests() throws {
        transport.answers = ["{\"n\":1}", "{\"n\":2}", "{\"n\":3}"]
        var mediator = mediator(try Self.endpoint(), Told(points: Self.points, truth: 1))
        let answer = try mediator.fetch("forecast", []).get()
        #expect(String(decoding: answer.body, as: UTF8.self) == "{\"n\":2}")
        #expect(
            targets == ["/v1?lat=1.5&lon=20.25", "/v1?lat=-11.5&lon=120.25", "/v1?lat=3.5&lon=9.5"])
        #expect(Set(transport.sent.map(\.bytes.count)).count == 1)
        #expect(transport.unlinkable == [true, true, true])
        #expect(recorder.events == ["admit 3", "record", "record", "record", "end", "end", "end"])
        #expect(recorder.places.map(\.?.isDummy) == [true, false, true])
        #expect(recorder.places.allSatisfy { $0?.count == 3 && $0?.exactness == .neighbourhood })
    }

    @Test("A dummy that fails changes nothing, and the true one's failure is told after all have left")
    func failures() throws {
        transport.failing = [0]
        var mediator = mediator(try Self.endpoint(), Told(points: Self.points, truth: 1))
        #expect(try mediator.fetch("forecast", []).get().status == 200)
        transport.failing = [4]
        let end = try mediator.fetch("forecast", [])
        #expect(throws: EgressRefusal.self) { try end.get() }
        #expect(transport.sent.count == 6)
    }

    @Test("What the plugin says of the place is refused, and so is a place that is not told")
    func refusals() throws {
        var mediator = mediator(try Self.endpoint(), Told(points: Self.points))
        _ = try mediator.fetch("forecast", [("lat", 1.5)])
        #expect(recorder.events == ["refused E0603"])
        var silent = self.mediator(try Self.endpoint(), Told(points: []))
        let refusal = #expect(throws: EgressRefusal.self) { try silent.fetch("forecast", []).get() }
        #expect(refusal?.code == .notGranted && refusal?.diagnostic.code == .placeNotTold)
        #expect(refusal?.diagnostic.exitStatus == .egressRefused)
        #expect(transport.sent.isEmpty)
    }

    @Test("An attribute is enough to some services")
    func country() throws {
        let endpoint = try Self.endpoint(
            #""in": { "in": "query", "place": "country" }"#, place: #", "place": { "service": "region" }"#)
        var mediator = mediator(endpoint, Told(points: [Self.points[0]]))
        _ = try mediator.fetch("forecast", [])
        #expect(targets == ["/v1?in=NO"])
        #expect(endpoint.callBits == Exactness.country.bits)
    }

    @Test(
        "A manifest asks for no more than its kind of service needs, and says whose place it is",
        arguments: [
            (PlaceTests.fields, #", "place": { "service": "weather", "accuracy": "street" }"#),
            (PlaceTests.fields, #", "place": { "service": "weather", "accuracy": "none" }"#),
            (PlaceTests.fields, ""),
            (#""q": { "in": "query", "type": "boolean" }"#, #", "place": { "service": "news" }"#),
            (PlaceTests.fields, #", "place": { "service": "news" }, "together": true"#),
        ])
    func contradictions(fields: String, place: String) {
        #expect(throws: Diagnostic.self) { try Self.endpoint(fields, place: place) }
    }

    @Test("Of an answer the plugin gets what the manifest names, and the record has how much was left out")
    func sieve() throws {
        transport.answers = [
            #"{"main":{"temp":7.4,"secret":1},"weather":[{"main":"Rain","id":5},{"main":"Snow"}],"name":"Bergen"}"#
        ]
        let endpoint = try Fixture.endpoint(
            Self.fields, url: "https://api.example.org/v1", more: #", "place": { "service": "weather" }"#,
            members: #", "members": ["main.temp", "weather.main", "absent"]"#)
        var mediator = mediator(endpoint, Told(points: [Self.points[0]]))
        let answer = try mediator.fetch("forecast", []).get()
        #expect(
            String(decoding: answer.body, as: UTF8.self)
                == #"{"main":{"temp":7.4},"weather":[{"main":"Rain"},{"main":"Snow"}]}"#)
        #expect(answer.removed == 3)
        transport.answers = ["no JSON"]
        let refusal = #expect(throws: EgressRefusal.self) { try mediator.fetch("forecast", []).get() }
        #expect(refusal?.code == .badAnswer)
    }
}
