import EscrowEgress
import EscrowEgressHTTP
import EscrowJSON
import EscrowManifest
import Testing

/// One request by the mediator and the real transport to a case of the hostile server, or several, one after the other.
struct Exchange {
    /// How the last one ended.
    let end: HostileServerTests.End
    /// The bytes that were recorded as about to be sent.
    let request: [UInt8]
    /// The same of all requests.
    var all: [[UInt8]] = []
    /// Whether there was no answer.
    var isRefused = false

    /// Short is only the time that is to run out: on a slow machine everything else may have to wait for its turn.
    ///
    /// - Parameter steps: whether the server answers in time more than once before it does not.
    static func patience(for end: HostileServerTests.End?, steps: Bool = false) -> Patience {
        switch end {
        case .failure(.connectTimeout), .failure(.tlsTimeout): Patience(connect: 6, read: 60, whole: 120)
        case .failure(.readTimeout): Patience(connect: 60, read: steps ? 15 : 1.5, whole: 120)
        case .failure(.deadline): Patience(connect: 60, read: 60, whole: 10)
        default: Patience(connect: 60, read: 60, whole: 120)
        }
    }

    /// - Parameter end: how it is to end, where that is by a time that runs out.
    init(
        _ server: HostileServer, _ name: String, isPlain: Bool = false, more: String = "", times: Int = 1,
        end: HostileServerTests.End? = nil
    ) throws {
        let transport = try HTTPTransport(additionalRoots: server.authority)
        defer { transport.close() }
        let recording = Recording(transport)
        let recorder = Recorder()
        var mediator = Mediator(
            endpoints: [try Self.endpoint(more)], transport: recording,
            standIns: ["api.example.org": StandIn(port: try #require(server.ports[name]), isPlain: isPlain)],
            patience: Self.patience(for: end), recorder: recorder)
        var last: HostileServerTests.End = .failure(.closed)
        for _ in 0..<times {
            let result = try mediator.fetch("forecast", [("id", "a b"), ("q", "ä&b")])
            switch result {
            case .success(let response):
                last = .answer(
                    status: response.status, body: String(decoding: response.body, as: UTF8.self))
            case .failure: last = .failure(try #require(recording.failure))
            }
        }
        self.end = last
        request = try #require(recorder.sent.last)
    }

    /// One request in the individual's name.
    init(
        _ server: HostileServer, _ endpoint: EgressEndpoint, _ fields: [(name: String, value: JSONValue)],
        standIns: [String: Int], credentials: any CredentialSource, leadingTo address: String = "",
        patience: Patience = Exchange.patience(for: nil)
    ) throws {
        let transport = try HTTPTransport(additionalRoots: server.authority)
        defer { transport.close() }
        let recording = Recording(transport)
        let recorder = Recorder()
        var mediator = Mediator(
            endpoints: [endpoint], resolver: Leading(to: IPAddress(address)), transport: recording,
            standIns: standIns.mapValues { StandIn(port: $0, isPlain: false) }, credentials: credentials,
            patience: patience, recorder: recorder)
        switch try mediator.fetch(endpoint.name, fields) {
        case .success(let answer):
            end = .answer(status: answer.status, body: String(decoding: answer.body, as: UTF8.self))
        case .failure:
            end = .failure(recording.failure ?? .cancelled)
            isRefused = true
        }
        all = recorder.sent
        request = try #require(recorder.sent.first)
    }

    /// Every name leads to one address.
    private struct Leading: Resolver {
        let address: IPAddress?

        init(to address: IPAddress?) { self.address = address }

        func addresses(of host: String) -> [IPAddress] { address.map { [$0] } ?? [] }
    }

    static func mail() throws -> EgressEndpoint {
        let text = manifest(
            #"""
            { "name": "send", "why": "hand it in", "method": "MAIL", "url": "submissions://api.example.org",
              "fields": { "to": { "in": "body", "type": "text", "maxLength": 200 },
                          "subject": { "in": "body", "type": "text", "maxLength": 100 },
                          "text": { "in": "body", "type": "text", "maxLength": 4000 } },
              "response": { "type": "application/json", "maxBytes": 1000 }, "maxCalls": 1, "credential": true }
            """#)
        return try #require(try Manifest.parseAuthored(Array(text.utf8), file: "plugin.json").egress.first)
    }

    static func endpoint(_ more: String) throws -> EgressEndpoint {
        let text = manifest(
            """
            { "name": "forecast", "why": "fetch it", "method": "GET",
                            "url": "https://api.example.org/v1/{id}",
                            "fields": { "id": { "in": "path", "type": "text", "maxLength": 20 },
                                        "q": { "in": "query", "type": "text", "maxLength": 20 } },
                            "response": { "type": "application/json", "maxBytes": 1000 },
                            "maxCalls": 9 \(more) }
            """)
        return try #require(
            try Manifest.parseAuthored(Array(text.utf8), file: "plugin.json").egress.first)
    }

    /// A manifest with one endpoint.
    private static func manifest(_ endpoint: String) -> String {
        """
        { "schema": "escrow.plugin/1", "id": "org.example.weather", "version": "1.0.0", "sequence": 1,
          "title": "Weather", "purpose": { "code": "planning", "text": "Shows the weather" },
          "publisher": { "name": "Example" }, "host": ">=0.1.0 <1.0.0",
          "protocol": { "major": 1, "mode": "ask", "features": ["rows", "fetch"] },
          "accepts": { "columns": [ { "name": "latitude", "type": "real" } ],
                       "reads": { "Location": ["latitude"] } },
          "result": { "kind": "record", "fields": { "t": { "type": "real" } }, "maxBytes": 64 },
          "egress": [ \(endpoint) ],
          "sandbox": { "profile": "strict" },
          "artifacts": [ { "platform": "linux-x86_64", "path": "bin/weather", "linkage": "static" } ] }
        """
    }

    /// Says yes, and keeps the bytes that are about to be sent.
    private final class Recorder: EgressRecorder {
        var sent: [[UInt8]] = []

        func admit(_ requests: [PreparedRequest]) -> EgressRefusal? { nil }
        func recheck(_ request: PreparedRequest) -> EgressRefusal? { nil }
        func recordSending(_ sending: Sending) -> String {
            sent.append(sending.request.bytes)
            return "\(sent.count)"
        }
        func recordEnd(of id: String, _ end: Result<IncomingResponse, EgressRefusal>) {}
        func recordRefusal(of endpoint: EgressEndpoint?, _ refusal: EgressRefusal) {}
    }

    /// The transport, and why it failed last.
    private final class Recording: Transport, @unchecked Sendable {
        let inner: HTTPTransport
        private(set) var failure: TransportFailure?

        init(_ inner: HTTPTransport) { self.inner = inner }

        func exchange(
            _ request: OutgoingRequest, with destination: Destination, limits: ExchangeLimits
        ) throws(TransportFailure) -> IncomingResponse {
            do throws(TransportFailure) {
                return try inner.exchange(request, with: destination, limits: limits)
            } catch {
                failure = error
                throw error
            }
        }

        func cancel() { inner.cancel() }
        func close() { inner.close() }
    }
}
