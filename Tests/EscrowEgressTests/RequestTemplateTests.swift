import EscrowDiagnostics
import EscrowEgress
import EscrowJSON
import EscrowManifest
import Testing

@Suite("A request is made from its template and nothing else")
struct RequestTemplateTests {
    @Test("Values stand percent-encoded in their places, headers in a fixed order")
    func whole() throws {
        let filled = try RequestTemplate(try Fixture.endpoint(Fixture.fields)).fill(Fixture.values)
        #expect(
            String(decoding: filled.request.bytes, as: UTF8.self)
                == "GET /v1/a%20b?q=x%26y%3Dz&lat=52.52&n=7&units=metric HTTP/1.1\r\n"
                + "host: api.example.org\r\nuser-agent: escrow\r\naccept: application/json\r\n"
                + "accept-encoding: gzip\r\nx-api-key: plain\r\n\r\n")
        #expect(
            filled.request.url == "https://api.example.org/v1/a%20b?q=x%26y%3Dz&lat=52.52&n=7&units=metric")
        #expect(filled.values.map(\.text) == ["a b", "x&y=z", "52.52", "7", "metric", "plain"])
    }

    @Test("The order in which a plugin names fields does not show")
    func order() throws {
        let template = RequestTemplate(try Fixture.endpoint(Fixture.fields))
        #expect(
            try template.fill(Fixture.values).request == template.fill(Fixture.values.reversed()).request)
    }

    @Test("A body is one JSON object in the manifest's order, with its length")
    func body() throws {
        let endpoint = try Fixture.endpoint(
            #""b": { "in": "body", "type": "boolean" }, "a": { "in": "body", "type": "text", "maxLength": 9 }"#,
            method: "POST", url: "https://api.example.org/")
        let filled = try RequestTemplate(endpoint).fill([("a", "\"}"), ("b", true)])
        #expect(
            String(decoding: filled.request.bytes, as: UTF8.self)
                == "POST / HTTP/1.1\r\nhost: api.example.org\r\nuser-agent: escrow\r\n"
                + "accept: application/json\r\naccept-encoding: gzip\r\ncontent-type: application/json\r\n"
                + "Content-Length: 20\r\n\r\n{\"b\":true,\"a\":\"\\\"}\"}")
    }

    @Test(
        "A value that does not belong in its place is refused, and the message does not repeat it",
        arguments: [
            ("id", JSONValue.string("")), ("id", "."), ("id", ".."), ("id", "a\r\nb"), ("id", "a\u{0}b"),
            ("id", "a\u{85}b"), ("id", "123456789012345678901"), ("id", 7), ("q", "a\nHost: evil"),
            ("q", true),
            ("lat", 91), ("lat", -90.1), ("lat", .real(.nan)), ("lat", .real(.infinity)), ("lat", "52"),
            ("n", 0), ("n", 51), ("n", 1.5), ("n", .null), ("x-api-key", "a\r\nx: y"),
            ("x-api-key", "a\u{7f}"),
            ("x-api-key", "é"), ("x-api-key", " a"), ("x-api-key", "a "), ("units", "imperial"),
        ])
    func refused(name: String, value: JSONValue) throws {
        let template = RequestTemplate(try Fixture.endpoint(Fixture.fields))
        let values = name == "units" ? Fixture.values + [(name, value)] : Fixture.values(name, value)
        let refusal = #expect(throws: EgressRefusal.self) { try template.fill(values) }
        #expect(refusal?.code == .fieldInvalid)
        #expect(refusal?.diagnostic.code == .fieldNotSendable)
        #expect(refusal?.diagnostic.message.contains("the field \(name) of forecast") == true)
        for canary in ["evil", "imperial", "52", "é"] {
            #expect(refusal?.diagnostic.description.contains(canary) == false)
        }
    }

    @Test("Unicode, percent signs and slashes in a value stay in their segment")
    func encoding() throws {
        let template = RequestTemplate(try Fixture.endpoint(Fixture.fields))
        let filled = try template.fill(Fixture.values("id", "../%2e?#é"))
        #expect(filled.request.target.hasPrefix("/v1/..%2F%252e%3F%23%C3%A9?q="))
    }

    @Test("A field that is missing or not declared is refused; a constant may be named or left out")
    func names() throws {
        let template = RequestTemplate(try Fixture.endpoint(Fixture.fields))
        #expect(throws: EgressRefusal.self) { try template.fill(Array(Fixture.values.dropFirst())) }
        let refusal = #expect(throws: EgressRefusal.self) {
            try template.fill(Fixture.values + [("secret", 1)])
        }
        #expect(
            refusal?.diagnostic.message
                == "a field of forecast is not declared, so the request was not sent")
        _ = try template.fill(Fixture.values + [("units", "metric")])
    }

    @Test(
        "A number has one spelling, rounded to its decimals and never out of its range",
        arguments: [
            (0.0, "0.00"), (-0.0, "0.00"), (-0.001, "0.00"), (52.516, "52.52"), (-52.515, "-52.52"),
            (90, "90.00"),
            (89.999, "90.00"), (-90, "-90.00"), (1e-300, "0.00"), (0.05, "0.05"), (-0.05, "-0.05"),
        ])
    func numbers(number: Double, text: String) throws {
        let filled = try RequestTemplate(try Fixture.endpoint(Fixture.fields))
            .fill(Fixture.values("lat", .real(number)))
        #expect(filled.values.first { $0.field.name == "lat" }?.text == text)
    }

    @Test("What a call can carry is the sum over its fields, and of a run the calls as well")
    func capacity() throws {
        let endpoint = try Fixture.endpoint(
            #""a": { "in": "query", "type": "text", "oneOf": ["x", "y"] }, "b": { "in": "query", "type": "integer", "min": 1, "max": 8 }, "c": { "in": "query", "type": "real", "min": 0, "max": 102.3, "decimals": 1 }, "d": { "in": "query", "type": "text", "maxLength": 1, "pattern": "digits" }"#,
            url: "https://api.example.org/")
        // 1 + 3 + 10 + at least log2(10)
        #expect(abs(endpoint.callBits - (14 + 3.3219 + 0.152)) < 0.001)
        #expect(abs(endpoint.capacityBits - (2 * (endpoint.callBits + 4) + 1.585)) < 0.001)
    }

    @Test("Numbers that say so make one query item, and a name on the wire stands once")
    func joined() throws {
        let number = #""in": "query", "type": "real", "min": -180, "max": 180, "decimals": 2"#
        let endpoint = try Fixture.endpoint(
            #""lat": { \#(number), "as": "gscoord" }, "lon": { \#(number), "as": "gscoord", "joinedBy": "|" }"#,
            url: "https://api.example.org/w/api.php")
        let filled = try RequestTemplate(endpoint).fill([("lon", 13.4), ("lat", 52.5)])
        #expect(filled.request.target == "/w/api.php?gscoord=52.50%7C13.40")
        for wrong in [
            #""a": { \#(number), "as": "x" }, "b": { \#(number), "as": "x" }"#,
            #""a": { \#(number), "joinedBy": "|" }"#,
            #""a": { \#(number), "as": "x" }, "c": { \#(number) }, "b": { \#(number), "as": "x", "joinedBy": "," }"#,
            #""a": { \#(number), "as": "x" }, "b": { \#(number), "as": "x", "joinedBy": "&" }"#,
            #""a": { \#(number), "as": "x y" }"#,
            #""a": { "in": "header", "type": "text", "maxLength": 9, "as": "host" }"#,
        ] {
            #expect(throws: Diagnostic.self) {
                try Fixture.endpoint(wrong, url: "https://api.example.org/")
            }
        }
    }

    @Test("Pins, bytes and a connection of its own are read")
    func options() throws {
        let pin = "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
        let endpoint = try Fixture.endpoint(
            Fixture.fields, more: #", "maxBytes": 400, "unlinkable": true, "pins": ["\#(pin)"]"#)
        #expect(endpoint.pins == [[UInt8](repeating: 0, count: 32)])
        let filled = try RequestTemplate(endpoint).fill(Fixture.values)
        #expect(filled.request.headers.last == .init(name: "connection", value: "close"))
        for wrong in ["sha1/AAAA", "sha256/AAAA", "sha256/!"] {
            #expect(throws: Diagnostic.self) {
                try Fixture.endpoint(Fixture.fields, more: #", "pins": ["\#(wrong)"]"#)
            }
        }
    }

    @Test(
        "A number without a range, or one that is not whole without decimals, is refused",
        arguments: [
            #""in": "query", "type": "real", "min": 0, "max": 1"#,
            #""in": "query", "type": "real", "min": 0, "decimals": 2"#,
            #""in": "query", "type": "integer", "min": 0"#,
            #""in": "query", "type": "integer", "min": 0, "max": 9, "decimals": 0"#,
            #""in": "query", "type": "real", "min": 0, "max": 1e10, "decimals": 2"#,
        ])
    func ranges(field: String) {
        let error = #expect(throws: Diagnostic.self) {
            try Fixture.endpoint(#""f": { \#(field) }"#, url: "https://api.example.org/")
        }
        #expect(error?.code == .membersContradict)
    }
}
