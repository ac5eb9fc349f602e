import EscrowEgress
import Testing

@Suite("Requests to a hostile server end as they should, seen from both sides")
struct HostileServerTests {
    /// How a request ends.
    enum End: Sendable, Equatable {
        case answer(status: Int, body: String)
        case failure(TransportFailure)
    }

    static let whole = End.answer(status: 200, body: #"{"ok":true}"#)

    /// What each case of the server comes to. The server gets the whole request, byte for byte, and nothing else.
    static let afterRequest: [(name: String, end: End)] = [
        ("whole", whole), ("charset", whole), ("chunked", whole), ("gzip", whole), ("until-close", whole),
        ("until-cut", .failure(.closed)),
        ("no-content", .answer(status: 204, body: "")),
        ("not-found", .answer(status: 404, body: #"{"cod":"404"}"#)),
        ("error-page", .answer(status: 500, body: "")), ("continue", whole), ("plain-http", whole),
        ("redirect-host", .failure(.redirect)), ("redirect-loopback", .failure(.redirect)),
        ("redirect-metadata", .failure(.redirect)), ("redirect-plain", .failure(.redirect)),
        ("redirect-file", .failure(.redirect)), ("not-modified", .failure(.redirect)),
        ("silent", .failure(.readTimeout)), ("silent-body", .failure(.readTimeout)),
        ("drip-head", .failure(.readTimeout)), ("drip-body", .failure(.deadline)),
        ("endless-chunks", .failure(.tooLarge)), ("endless-body", .failure(.tooLarge)),
        ("endless-head", .failure(.tooLarge)), ("endless-continue", .failure(.deadline)),
        ("announced-large", .failure(.tooLarge)), ("one-too-many", .failure(.tooLarge)),
        ("gzip-bomb", .failure(.tooLarge)), ("gzip-garbage", .failure(.encoding)),
        ("brotli", .failure(.encoding)), ("deflate", .failure(.encoding)),
        ("gzip-twice", .failure(.encoding)), ("html", .failure(.mediaType)),
        ("no-type", .failure(.mediaType)), ("two-types", .failure(.mediaType)),
        ("two-lengths", .failure(.malformed)), ("length-and-chunked", .failure(.malformed)),
        ("negative-length", .failure(.malformed)), ("huge-chunk", .failure(.malformed)),
        ("bad-chunk", .failure(.malformed)), ("bad-header", .failure(.malformed)),
        ("nul-header", .failure(.malformed)), ("not-http", .failure(.malformed)),
        ("http-0.9", .failure(.malformed)), ("http2", .failure(.malformed)),
        ("upgrade", .failure(.malformed)), ("smuggled", whole), ("short-body", .failure(.closed)),
        ("short-chunk", .failure(.closed)), ("nothing", .failure(.closed)),
        ("reset-request", .failure(.closed)), ("reset-head", .failure(.closed)),
        ("reset-body", .failure(.closed)), ("reset-chunk", .failure(.closed)), ("tls-1.2", whole),
        ("trailers", whole), ("trailer-length", .failure(.malformed)),
        ("endless-trailers", .failure(.tooLarge)),
        ("endless-extension", .failure(.readTimeout)), ("early-hints", whole), ("gzip-chunked", whole),
        ("gzip-bomb-chunked", .failure(.tooLarge)), ("gzip-cut", .failure(.encoding)),
        ("gzip-tail", .failure(.encoding)), ("gzip-checksum", .failure(.encoding)),
        ("gzip-two-headers", .failure(.encoding)), ("gzip-transfer", .failure(.encoding)),
        ("http-2-line", .failure(.malformed)), ("status-four-digits", .failure(.malformed)),
        ("status-minus", .failure(.malformed)),
        ("status-999", .answer(status: 999, body: #"{"ok":true}"#)), ("folded-header", .failure(.malformed)),
        ("spaced-length", .failure(.malformed)), ("plus-length", .failure(.malformed)),
        ("listed-length", .failure(.malformed)), ("huge-length", .failure(.malformed)),
        ("bare-line-feeds", .failure(.malformed)),
    ]

    @Test("After the request: the answer, or why there is none", arguments: afterRequest)
    func request(name: String, end: End) throws {
        guard let server = HostileServer.shared else { return }
        let found = try Exchange(server, name, isPlain: name == "plain-http", end: end)
        #expect(found.end == end)
        #expect(server.received(name) == found.request)
    }

    @Test(
        "Before the request: no byte of it is sent",
        arguments: [
            ("expired", TransportFailure.certificate), ("not-yet", .certificate),
            ("other-name", .certificate), ("other-authority", .certificate),
            ("self-signed", .certificate), ("tls-1.1", .tls), ("plain", .tlsTimeout),
            ("garbage-handshake", .tls), ("silent-handshake", .tlsTimeout), ("reset-handshake", .closed),
            ("reset-accept", .closed),
        ])
    func handshake(name: String, failure: TransportFailure) throws {
        guard let server = HostileServer.shared else { return }
        let found = try Exchange(server, name, end: .failure(failure))
        #expect(found.end == .failure(failure))
        let received = try #require(server.received(name))
        // Without TLS the server sees the client's hello, and no more.
        #expect(received.isEmpty || received.first == 0x16)
        #expect(!String(decoding: received, as: UTF8.self).contains("GET "))
    }

    @Test("Where nobody listens the connection is refused, and where nobody answers it times out")
    func connection() throws {
        guard let server = HostileServer.shared else { return }
        #expect(try Exchange(server, "closed").end == .failure(.refused))
        let late = End.failure(.connectTimeout)
        #expect(try Exchange(server, "full", end: late).end == late)
    }

    @Test("A pinned key is checked before anything is sent")
    func pins() throws {
        guard let server = HostileServer.shared else { return }
        let right = try Exchange(server, "pinned", more: #", "pins": ["\#(server.pin)"]"#)
        #expect(right.end == Self.whole)
        #expect(server.received("pinned") == right.request)
        let other = "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
        #expect(try Exchange(server, "pinned", more: #", "pins": ["\#(other)"]"#).end == .failure(.pin))
        #expect(server.received("pinned") == [])
    }

    @Test("A kept connection carries no cookie")
    func kept() throws {
        guard let server = HostileServer.shared else { return }
        let found = try Exchange(server, "cookie", times: 2)
        #expect(found.end == Self.whole)
        #expect(server.received("cookie") == found.request + found.request)
    }

    @Test("What was smuggled behind an answer is no answer to the next request")
    func smuggled() throws {
        guard let server = HostileServer.shared else { return }
        let found = try Exchange(server, "smuggled-kept", times: 2)
        // The connection is broken: either that was seen in time, and the second request had a new one, or not.
        #expect([Self.whole, .failure(.closed)].contains(found.end))
        let received = try #require(server.received("smuggled-kept"))
        #expect(received == found.request || received == found.request + found.request)
    }

    @Test("An endpoint that wants it gets a new connection for each request")
    func unlinkable() throws {
        guard let server = HostileServer.shared else { return }
        let found = try Exchange(server, "unlinkable", more: #", "unlinkable": true"#, times: 2)
        #expect(found.end == Self.whole)
        #expect(server.received("unlinkable") == found.request)
        #expect(server.received("unlinkable") == found.request)
    }
}
