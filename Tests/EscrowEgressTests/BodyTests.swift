import EscrowDiagnostics
import EscrowEgress
import EscrowJSON
import EscrowManifest
import Testing

@Suite("A body is what its manifest says, and no more")
struct BodyTests {
    final class Lines: RequestFile {
        var left: [UInt8]
        let size: Int
        let mediaType = "image/png"

        init(_ text: String) {
            left = Array(text.utf8)
            size = left.count
        }

        func read(_ count: Int) -> [UInt8]? {
            defer { left.removeFirst(min(count, left.count)) }
            return Array(left.prefix(count))
        }
    }

    func post(_ fields: String, more: String = "", method: String = "POST") throws -> EgressEndpoint {
        try Fixture.endpoint(fields, method: method, url: "https://api.example.org/", more: more)
    }

    static let file = #""mediaTypes": ["image/png"], "maxBytes": 1000"#

    @Test("Names with dots make members within members, numbers and * make lists")
    func nested() throws {
        let endpoint = try post(
            """
            "type": { "in": "body", "as": "record.$type", "type": "text", "oneOf": ["post"] },
            "link": { "in": "body", "as": "record.images.0.ref.$link", "type": "text", "maxLength": 20 },
            "alt": { "in": "body", "as": "record.images.0.alt", "type": "text", "maxLength": 20 },
            "key": { "in": "body", "as": "keys.*.data", "type": "text", "maxLength": 32, "list": 3 },
            "day": { "in": "body", "as": "keys.*.day", "type": "integer", "min": 0, "max": 9, "list": 3 },
            "tags": { "in": "body", "type": "text", "maxLength": 3, "list": 2 }
            """)
        let values: [(name: String, value: JSONValue)] = [
            ("link", "baf"), ("alt", "a"), ("key", ["x", "y"]), ("day", [1, 2]), ("tags", []),
        ]
        let filled = try RequestTemplate(endpoint).fill(values)
        #expect(
            String(decoding: try #require(filled.request.body), as: UTF8.self)
                == #"{"record":{"$type":"post","images":[{"ref":{"$link":"baf"},"alt":"a"}]},"#
                + #""keys":[{"data":"x","day":1},{"data":"y","day":2}],"tags":[]}"#)
        for (name, value) in [
            ("day", JSONValue.array([1])), ("key", ["x", "y", "z", "a"]), ("key", "x"), ("tags", ["abcd"]),
            ("tags", [["a"]]),
        ] {
            let wrong = values.map { $0.name == name ? (name, value) : $0 }
            let refusal = #expect(throws: EgressRefusal.self) { try RequestTemplate(endpoint).fill(wrong) }
            #expect(refusal?.diagnostic.code == .fieldNotSendable)
        }
    }

    @Test(
        "Fields that do not make one value are refused",
        arguments: [
            (#""a": { "in": "body", "type": "boolean" }, "b": { "in": "body", "as": "a.b", "type": "boolean" }"#),
            (#""a": { "in": "body", "as": "x.1", "type": "boolean" }"#),
            (#""a": { "in": "body", "as": "x.*.y", "type": "boolean" }"#),
            (#""a": { "in": "body", "as": "x..y", "type": "boolean" }"#),
            (#""a": { "in": "query", "type": "boolean", "list": 2 }"#),
        ])
    func contradiction(fields: String) {
        #expect(throws: Diagnostic.self) { try post(fields) }
    }

    @Test("A form is a form, and a file stands in its part, counted whole")
    func forms() throws {
        let form = try post(
            #""a": { "in": "body", "type": "text", "maxLength": 9 }, "b": { "in": "body", "type": "boolean" }"#,
            more: #", "body": { "kind": "form" }"#)
        #expect(
            try RequestTemplate(form).fill([("a", "x&y"), ("b", true)]).request.body
                == Array("a=x%26y&b=true".utf8))
        let multipart = try post(
            #""t": { "in": "body", "type": "text", "maxLength": 9 }"#,
            more: #", "body": { "kind": "multipart", "part": "file", \#(Self.file) }"#)
        let request = try RequestTemplate(multipart).fill([("t", "hi")], with: Lines("12345")).request
        let body = String(decoding: request.body ?? [], as: UTF8.self)
        #expect(body.contains("name=\"t\"\r\n\r\nhi\r\n"))
        #expect(body.hasSuffix("filename=\"file\"\r\ncontent-type: image/png\r\n\r\n"))
        let payload = try #require(request.payload)
        #expect(request.count == request.bytes.count + 5 + payload.tail.count)
        let length = "Content-Length: \(body.utf8.count + 5 + payload.tail.count)"
        #expect(String(decoding: request.bytes, as: UTF8.self).contains(length))
        #expect(multipart.callBits > 8_000)
        #expect(throws: EgressRefusal.self) { try RequestTemplate(multipart).fill([("t", "hi")]) }
        #expect(throws: EgressRefusal.self) {
            try RequestTemplate(multipart).fill(
                [("t", "hi")], with: Lines(String(repeating: "a", count: 1_001)))
        }
        #expect(throws: EgressRefusal.self) {
            try RequestTemplate(form).fill([("a", ""), ("b", true)], with: Lines("1"))
        }
    }

    @Test("A method without a body has none, and a folder is asked for one level deep")
    func methods() throws {
        for method in ["GET", "DELETE", "PROPFIND", "MKCOL"] {
            #expect(throws: Diagnostic.self) {
                try post(#""a": { "in": "body", "type": "boolean" }"#, method: method)
            }
            #expect(throws: Diagnostic.self) {
                try post("", more: #", "body": { "kind": "json" }"#, method: method)
            }
            let request = try RequestTemplate(post("", method: method)).fill([]).request
            #expect(request.body == nil)
            #expect(request.headers.contains { $0.name == "depth" } == (method == "PROPFIND"))
        }
    }

    struct Kept: CredentialSource {
        func header(for host: String) -> OutgoingRequest.Header? {
            host == "cloud" ? .init(name: "authorization", value: "Bearer s3cret") : nil
        }
    }

    /// Keeps what would go over the wire.
    final class WireTransport: Transport, @unchecked Sendable {
        private(set) var wire: [String] = []
        private(set) var destinations: [Destination] = []
        func exchange(
            _ request: OutgoingRequest, with destination: Destination, limits: ExchangeLimits
        ) -> IncomingResponse {
            wire.append(String(decoding: request.wireBytes, as: UTF8.self))
            destinations.append(destination)
            return IncomingResponse(status: 200, body: [], mediaType: "application/json")
        }
        func cancel() {}
        func close() {}
    }

    /// Keeps what the ledger would.
    final class Records: EgressRecorder {
        var recorded: [String] = []
        var refused: [String] = []
        func admit(_ requests: [PreparedRequest]) -> EgressRefusal? { nil }
        func recheck(_ request: PreparedRequest) -> EgressRefusal? { nil }
        func recordSending(_ sending: Sending) -> String {
            recorded.append(String(decoding: sending.request.bytes, as: UTF8.self))
            return "1"
        }
        func recordEnd(of id: String, _ end: Result<IncomingResponse, EgressRefusal>) {}
        func recordRefusal(of endpoint: EgressEndpoint?, _ refusal: EgressRefusal) {
            refused.append(refusal.diagnostic.code.rawValue)
        }
    }

    @Test("What the individual keeps is on the wire and in no record, and goes to no other server")
    func credentials() throws {
        let address = try #require(IPAddress("192.168.1.20"))
        let server = OwnServer(
            host: "box", port: 8443, isPlain: false, base: "/dav", address: address, pins: [], time: "")
        let transport = WireTransport()
        let records = Records()
        func fetch(_ own: [String: OwnServer], url: String) throws {
            let endpoint = try Fixture.endpoint("", url: url, more: #", "credential": true"#)
            var mediator = Mediator(
                endpoints: [endpoint], resolver: ScriptedResolver(["1.1.1.1"]), transport: transport,
                ownServers: own, credentials: Kept(), clock: TestClock(), recorder: records)
            _ = try mediator.fetch("forecast", [])
        }
        try fetch(["cloud": server], url: "https://cloud.own.invalid/a")
        #expect(transport.wire.first?.hasPrefix("GET /dav/a HTTP/1.1\r\nhost: box:8443\r\n") == true)
        #expect(transport.wire.first?.contains("authorization: Bearer s3cret\r\n") == true)
        #expect(transport.destinations.first?.address == address)
        #expect(records.recorded.count == 1)
        #expect(records.recorded.first?.contains("s3cret") == false)
        try fetch([:], url: "https://cloud.own.invalid/a")
        try fetch([:], url: "https://api.example.org/a")
        #expect(records.refused == ["E1321", "E1325"])
        #expect(transport.wire.count == 1)
    }

    @Test("A name under own.invalid is one label, and its place is nowhere in the manifest")
    func ownNames() throws {
        #expect(try EgressTemplate("https://cloud.own.invalid/a").own == "cloud")
        for wrong in ["https://a.b.own.invalid/", "https://own.invalid/", "https://x.invalid/"] {
            #expect(throws: EgressTemplate.Problem.self) { try EgressTemplate(wrong) }
        }
    }
}
