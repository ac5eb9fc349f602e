import EscrowDiagnostics
import EscrowEgress
import EscrowJSON
import EscrowLocationPrivacy
import EscrowManifest
import Glibc

/// Tables 1 and 2 of the thesis, in its units and shape: mediated requests that are answered at once, without a ledger, a network
/// and the moments at which requests leave.
struct ThesisTables {
    let gazetteer: Gazetteer
    let key: MaskKey
    /// Berlin, and the middle of Iceland.
    private static let (town, wild) = ((52.52, 13.405), (64.9, -18.5))
    private static let rounds = 200

    private struct Device: PlaceSource {
        let gazetteer: Gazetteer
        let key: MaskKey
        let point: Coordinates
        /// Nil sends the place as it is.
        let people: Int?

        func places(for endpoint: EgressEndpoint) -> Result<PlacesToSend, EgressRefusal> {
            var system = SystemRandomNumberGenerator()
            do {
                let points: [Mask.Masked]
                var truth = 0
                if let people,
                    let anonymisation = Anonymisation(people: people, closeness: 1_000, accuracy: 1_000)
                {
                    let requests = try anonymisation.requests(
                        for: point, key: key, gazetteer: gazetteer, using: &system)
                    (points, truth) = (requests.points, requests.truth)
                } else {
                    let mechanism = people == nil ? Mechanism.none : .donut(.percent(20), metres: 1_000)
                    points = [try Mask(mechanism, key: key).apply(to: point)]
                }
                let written = points.map {
                    PlacesToSend.Point(latitude: $0.latitude, longitude: $0.longitude, country: "")
                }
                return PlacesToSend(points: written, truth: truth, exactness: .neighbourhood)
                    .map { .success($0) } ?? .failure(.placeNotTold("none"))
            } catch { return .failure(.placeNotTold("none")) }
        }
    }

    private struct Server: Transport {
        func exchange(
            _ request: OutgoingRequest, with destination: Destination, limits: ExchangeLimits
        ) -> IncomingResponse {
            IncomingResponse(status: 200, body: Array("{}".utf8), mediaType: "application/json")
        }
        func cancel() {}
        func close() {}
    }

    private struct Names: Resolver {
        func addresses(of host: String) -> [IPAddress] { IPAddress("1.1.1.1").map { [$0] } ?? [] }
    }

    private struct Recorder: EgressRecorder {
        func admit(_ requests: [PreparedRequest]) -> EgressRefusal? { nil }
        func recheck(_ request: PreparedRequest) -> EgressRefusal? { nil }
        func recordSending(_ sending: Sending) -> String { "r-1.1" }
        func recordEnd(of id: String, _ end: Result<IncomingResponse, EgressRefusal>) {}
        func recordRefusal(of endpoint: EgressEndpoint?, _ refusal: EgressRefusal) {}
    }

    private struct Clock: RunClock {
        var seconds: Double { 0 }
        func wait(until seconds: Double) {}
        func cancel() {}
    }

    private static func endpoint() throws -> EgressEndpoint? {
        try Manifest.parseAuthored(
            Array(
                """
                { "schema": "escrow.plugin/1", "id": "org.example.bench", "version": "1.0.0", "sequence": 1,
                  "title": "Bench", "purpose": { "code": "planning", "text": "Bench" },
                  "publisher": { "name": "Example" }, "host": ">=0.1.0 <1.0.0",
                  "protocol": { "major": 1, "mode": "ask", "features": ["rows", "fetch"] },
                  "accepts": { "columns": [ { "name": "n", "type": "timestamp" } ],
                               "reads": { "Location": ["timestamp"] } },
                  "result": { "kind": "record", "fields": { "t": { "type": "real" } }, "maxBytes": 64 },
                  "sandbox": { "profile": "strict" },
                  "artifacts": [ { "platform": "linux-x86_64", "path": "bin/b", "linkage": "static" } ],
                  "egress": [ { "name": "near", "why": "bench", "method": "GET", "url": "https://api.example.org/v1",
                    "fields": { "lat": { "in": "query", "place": "latitude" }, "lon": { "in": "query", "place": "longitude" } },
                    "place": { "service": "nearby" },
                    "response": { "type": "application/json", "maxBytes": 1000 }, "maxCalls": 1000 } ] }
                """.utf8), file: "plugin.json"
        ).egress.first
    }

    /// Milliseconds that ten requests take, the median of all rounds, and how many were sent.
    private func ten(_ place: (Double, Double), people: Int?) throws -> (ms: Double, sent: Int) {
        guard let endpoint = try Self.endpoint(),
            let point = Coordinates(latitude: place.0, longitude: place.1)
        else { return (.nan, 0) }
        var times: [Double] = []
        var sent = 0
        for _ in 0..<Self.rounds {
            var mediator = Mediator(
                endpoints: [endpoint],
                places: Device(gazetteer: gazetteer, key: key, point: point, people: people),
                resolver: Names(), transport: Server(), clock: Clock(), recorder: Recorder())
            let time = try ContinuousClock().measure {
                for _ in 0..<10 { _ = try mediator.fetch("near", []).get() }
            }
            times.append(time / .milliseconds(1))
            sent = mediator.sentCount
        }
        return (times.sorted()[times.count / 2], sent)
    }

    func report() throws {
        func row(_ name: String, _ result: (ms: Double, sent: Int)) {
            let each = result.ms / Double(max(result.sent, 1))
            print("| \(name) | \(Bench.rounded(result.ms, 4)) | \(result.sent) | \(Bench.rounded(each, 5)) |")
        }
        print("\n| 10 requests | whole, ms | requests sent | average, ms |\n|---|---|---|---|")
        row("not anonymised", try ten(Self.town, people: nil))
        row("anonymised, in a town", try ten(Self.town, people: 10))
        row("anonymised, in the wild: 9 dummies each", try ten(Self.wild, people: 10))
        print("\n| k | a request and its dummies, ms |\n|---|---|")
        for people in 1...10 {
            let result = try ten(Self.wild, people: people)
            print("| \(people) | \(Bench.rounded(result.ms / 10, 5)) |")
        }
    }
}
