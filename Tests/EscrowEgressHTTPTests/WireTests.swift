import EscrowEgress
import EscrowEgressHTTP
import EscrowJSON
import EscrowManifest
import Testing

@Suite("What goes over the wire is what was made, and where it goes is what was checked", .serialized)
struct WireTests {
    /// Values that some reader of URLs, headers or JSON takes for more than a value.
    static let values = [
        "plain", "a b", "../..", "..%2f", "%2e%2e", "%0d%0ahost: evil.example", "%00", "//evil.example/",
        "\\\\evil",
        "?x=y#z", "&x=y", "@evil.example:80", "{id}", "+", "%", "%zz", ";", "|", "[::1]", "\"},{\"",
        "\\u000d\\u000a",
        "\u{E9}", "e\u{301}", "\u{212A}", "\u{202E}gpj", "\u{2028}", "\u{560A}\u{560D}", "\u{FF0F}",
        "\u{FEFF}",
        "\u{10FFFF}", "\u{1F469}\u{200D}\u{1F680}", String(repeating: "\u{10FFFF}", count: 200), "...", "~",
        "'",
    ]

    static func endpoint(_ method: String) throws -> EgressEndpoint {
        let place = method == "POST" ? "body" : "query"
        return try endpoint(
            method, "https://api.example.org/v1/{p}/x",
            """
            "p": { "in": "path", "type": "text", "maxLength": 200 },
            "q": { "in": "\(place)", "type": "text", "maxLength": 200 },
            "r": { "in": "\(place)", "type": "real", "min": -1, "max": 1, "decimals": 3 },
            "b": { "in": "\(place)", "type": "boolean" },
            "x-api-key": { "in": "header", "type": "text", "maxLength": 200 }
            """)
    }

    static func endpoint(_ method: String, _ url: String, _ fields: String) throws -> EgressEndpoint {
        let text = """
            { "schema": "escrow.plugin/1", "id": "org.example.weather", "version": "1.0.0", "sequence": 1,
              "title": "Weather", "purpose": { "code": "planning", "text": "Shows the weather" },
              "publisher": { "name": "Example" }, "host": ">=0.1.0 <1.0.0",
              "protocol": { "major": 1, "mode": "ask", "features": ["rows", "fetch"] },
              "accepts": { "columns": [ { "name": "latitude", "type": "real" } ],
                           "reads": { "Location": ["latitude"] } },
              "result": { "kind": "record", "fields": { "t": { "type": "real" } }, "maxBytes": 64 },
              "egress": [ { "name": "wire", "why": "try it", "method": "\(method)",
                            "url": "\(url)", "fields": { \(fields) },
                            "response": { "type": "application/json", "maxBytes": 1000 }, "maxCalls": 9 } ],
              "sandbox": { "profile": "strict" },
              "artifacts": [ { "platform": "linux-x86_64", "path": "bin/weather", "linkage": "static" } ] }
            """
        return try #require(
            try Manifest.parseAuthored(Array(text.utf8), file: "plugin.json").egress.first)
    }

    static func request(_ method: String = "GET", _ value: String = "plain") throws -> OutgoingRequest {
        // Of the hostile values a header takes those of ASCII.
        let header = value.utf8.allSatisfy { (0x20...0x7E).contains($0) } ? value : "plain"
        return try RequestTemplate(try endpoint(method)).fill([
            ("p", .string(value)), ("q", .string(value)), ("r", .real(-0.5)), ("b", true),
            ("x-api-key", .string(header)),
        ]).request
    }

    static func limits(isUnlinkable: Bool = false) -> ExchangeLimits {
        ExchangeLimits(
            mediaType: "application/json", maxBytes: 1000, isUnlinkable: isUnlinkable,
            patience: Patience(connect: 60, read: 60, whole: 120))
    }

    static func destination(
        _ server: HostileServer, _ name: String, host: String = "api.example.org",
        address: String = "127.0.0.1",
        isStandIn: Bool = true
    ) throws -> Destination {
        Destination(
            host: host, address: try #require(IPAddress(address)), port: try #require(server.ports[name]),
            isStandIn: isStandIn)
    }

    @Test("Whatever the values: the server gets the recorded bytes", arguments: ["GET", "POST"])
    func bytes(method: String) throws {
        guard let server = HostileServer.shared else { return }
        // Its own client for each, so that what was sent by one is seen by itself.
        for value in Self.values {
            let transport = try HTTPTransport(additionalRoots: server.authority)
            let request = try Self.request(method, value)
            let response = try transport.exchange(
                request, with: try Self.destination(server, "wire"), limits: Self.limits())
            #expect(response.status == 200)
            transport.close()
            #expect(server.received("wire") == request.bytes, "\(value.debugDescription)")
        }
    }

    @Test(
        "Whatever the template: empty values, one segment or none, dots and tildes arrive as they were recorded"
    )
    func shapes() throws {
        guard let server = HostileServer.shared else { return }
        let transport = try HTTPTransport(additionalRoots: server.authority)
        let fields = """
            "q": { "in": "query", "type": "text", "maxLength": 3 }, "x-api-key": { "in": "header", "type": "text", "maxLength": 3 }
            """
        var sent: [UInt8] = []
        for path in ["", "/", "/a", "/a/", "/.../~x-y_z.json", "/a.b/..c/d.."] {
            for fields in ["", fields] {
                let endpoint = try Self.endpoint("GET", "https://api.example.org" + path, fields)
                let request = try RequestTemplate(endpoint).fill(
                    fields.isEmpty ? [] : [("q", ""), ("x-api-key", "")]
                )
                .request
                _ = try transport.exchange(
                    request, with: try Self.destination(server, "wire"), limits: Self.limits())
                sent += request.bytes
            }
        }
        transport.close()
        #expect(server.received("wire") == sent)
    }

    @Test("A name is not looked up again: the address that was checked is the one connected to")
    func rebinding() throws {
        guard let server = HostileServer.shared else { return }
        let transport = try HTTPTransport(additionalRoots: server.authority)
        defer { transport.close() }
        // By name it would be 127.0.0.1, where the server listens; the address given is another one, where nobody does.
        let other = try Self.destination(server, "rebound", host: "localhost", address: "127.0.0.77")
        #expect(throws: TransportFailure.refused) {
            try transport.exchange(try Self.request(), with: other, limits: Self.limits())
        }
        #expect(!server.hasReport("rebound"))
        // A name that nobody can look up: the connection is made, and the certificate is not for that name.
        let unknown = try Self.destination(server, "rebound", host: "no-such-name.invalid")
        #expect(throws: TransportFailure.certificate) {
            try transport.exchange(try Self.request(), with: unknown, limits: Self.limits())
        }
        #expect(server.received("rebound") == [])
    }

    @Test("An address is no name: a certificate must be for the name of the template")
    func address() throws {
        guard let server = HostileServer.shared else { return }
        let transport = try HTTPTransport(additionalRoots: server.authority)
        defer { transport.close() }
        for host in ["127.0.0.1", "example.org", "api.example.org.evil.example", "pi.example.org"] {
            #expect(throws: TransportFailure.certificate) {
                try transport.exchange(
                    try Self.request(), with: try Self.destination(server, "rebound", host: host),
                    limits: Self.limits())
            }
            #expect(server.received("rebound") == [])
        }
    }

    @Test("The authority of a stand-in vouches for stand-ins alone")
    func roots() throws {
        guard let server = HostileServer.shared else { return }
        let transport = try HTTPTransport(additionalRoots: server.authority)
        defer { transport.close() }
        #expect(throws: TransportFailure.certificate) {
            try transport.exchange(
                try Self.request(), with: try Self.destination(server, "not-stand-in", isStandIn: false),
                limits: Self.limits())
        }
        #expect(server.received("not-stand-in") == [])
    }

    @Test("A run's connections are its own: the next run makes new ones, to the same place")
    func runs() throws {
        guard let server = HostileServer.shared else { return }
        let request = try Self.request()
        for _ in 0..<2 {
            let transport = try HTTPTransport(additionalRoots: server.authority)
            for _ in 0..<2 {
                _ = try transport.exchange(
                    request, with: try Self.destination(server, "wire"), limits: Self.limits())
            }
            transport.close()
            // Two requests of one run share a connection, and it ends with the run.
            #expect(server.received("wire") == request.bytes + request.bytes)
        }
    }

    @Test("No TLS session is taken up again, so that none ties two connections together")
    func resumption() throws {
        guard let server = HostileServer.shared else { return }
        let transport = try HTTPTransport(additionalRoots: server.authority)
        defer { transport.close() }
        for isUnlinkable in [false, true, true] {
            let response = try transport.exchange(
                try Self.request(), with: try Self.destination(server, "resumed"),
                limits: Self.limits(isUnlinkable: isUnlinkable))
            #expect(String(decoding: response.body, as: UTF8.self) == #"{"resumed": false}"#)
        }
        for _ in 0..<3 { _ = server.received("resumed") }
    }
}
