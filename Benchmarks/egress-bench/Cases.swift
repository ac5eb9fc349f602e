import AsyncHTTPClient
import BenchKey
import EscrowDiagnostics
import EscrowEgress
import EscrowEgressHTTP
import EscrowHome
import EscrowHost
import EscrowJSON
import EscrowLedger
import EscrowManifest
import Glibc
import NIOCore
import NIOHTTP1
import NIOSSL

/// What can be measured.
struct Cases {
    /// The names of the cases. `cold` makes everything that a run makes, and a connection, for each request; `kept` goes
    /// on with what the first request made.
    enum Kind: String {
        /// AsyncHTTPClient and nothing of ours.
        case clientCold, clientKept
        /// Our transport, without mediator.
        case transportCold, transportKept
        /// All that a request of a run is: fields, grant, ledger, transport, ledger. The only ones that ask another endpoint, which
        /// may have the host fill in the place.
        case deskCold, deskKept
        /// The same with a transport that answers at once.
        case desk
        /// The mediator with a transport that answers at once, and without grants or ledger.
        case mediator
        /// Filling in the template, and the bytes.
        case fill
        /// Two records in the ledger, as small as can be.
        case records
        /// A client made and shut down, without a request; the context of TLS with the system's authorities.
        case client, context
    }

    private let home: String
    private let app: String
    private let plugin: String
    private let endpoint: EgressEndpoint
    private let fields: JSONNode
    private let standIn: StandIn
    private let roots: String

    init(_ words: [String]) throws {
        guard words.count == 6 else {
            throw Complaint(description: "usage: egress-bench HOME APP PLUGIN ENDPOINT FIELDS MANIFEST")
        }
        (home, app, plugin) = (words[0], words[1], words[2])
        fields = try JSONParser.parse(Array(words[4].utf8))
        let manifest = try Manifest.parseAuthored(try readFile(words[5]), file: words[5])
        guard let endpoint = manifest.egress.first(where: { $0.name == words[3] }) else {
            throw Complaint(description: "no endpoint is called \(words[3])")
        }
        self.endpoint = endpoint
        let configuration = try JSONParser.parse(try readFile(home + "/config.json")).value["egress"]
        guard let port = configuration?["standIns"]?[endpoint.template.host]?["port"]?.integer,
            let roots = configuration?["trustRoots"]?.string
        else { throw Complaint(description: "config.json has no stand-in for \(endpoint.template.host)") }
        standIn = StandIn(port: Int(port), isPlain: false)
        self.roots = roots
    }

    /// Something to do many times, prepared: what is kept is there, and has answered once.
    func make(_ kind: Kind, _ other: String? = nil) throws -> () throws -> Void {
        switch kind {
        case .clientCold:
            return {
                let client = try makeClient()
                defer { try? client.syncShutdown() }
                try get(client)
            }
        case .clientKept:
            let kept = KeptClient(try makeClient())
            try get(kept.client)
            return { try get(kept.client) }
        case .transportCold:
            return {
                let transport = try makeTransport()
                defer { transport.close() }
                try exchange(transport)
            }
        case .transportKept:
            let transport = try makeTransport()
            try exchange(transport)
            return { try exchange(transport) }
        case .deskCold:
            // What is verified and decided once a run is not the request's.
            let make = try desks(instant: false)
            return { try fetch(try make(), other) }
        case .deskKept, .desk:
            let desk = try desks(instant: kind == .desk)()
            try fetch(desk)
            return { try fetch(desk) }
        case .mediator: return mediator()
        case .fill:
            return {
                let filled = try RequestTemplate(endpoint).fill(fields.value.members ?? [])
                guard !filled.request.bytes.isEmpty else { throw Complaint(description: "no bytes") }
            }
        case .records:
            let ledger = try Ledger.create(
                directory: home + "/records", copies: [home + "/records.heads"], signer: BenchKey())
            return { for _ in 0..<2 { try ledger.append(.egressAnswered, run: "r-alone", fields: [:]) } }
        case .client: return { try makeClient().syncShutdown() }
        case .context: return { _ = try NIOSSLContext(configuration: tls()) }
        }
    }

    // MARK: AsyncHTTPClient alone

    /// A client that is shut down when nobody has it any longer.
    private final class KeptClient {
        let client: HTTPClient
        init(_ client: HTTPClient) { self.client = client }
        deinit { try? client.syncShutdown() }
    }

    private func tls() throws -> TLSConfiguration {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        tls.additionalTrustRoots = [.certificates(try NIOSSLCertificate.fromPEMFile(roots))]
        return tls
    }

    private func makeClient() throws -> HTTPClient {
        var configuration = HTTPClient.Configuration(tlsConfiguration: try tls())
        configuration.httpVersion = .http1Only
        configuration.dnsOverride = [endpoint.template.host: "127.0.0.1"]
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    private func get(_ client: HTTPClient) throws {
        let request = try RequestTemplate(endpoint).fill(fields.value.members ?? []).request
        let url = "https://\(request.host):\(standIn.port)\(request.target)"
        let response = try client.get(url: url).wait()
        guard response.status == .ok, let body = response.body, body.readableBytes > 0 else {
            throw Complaint(description: "the server answered \(response.status.code)")
        }
    }

    // MARK: ours

    private func makeTransport() throws -> HTTPTransport { try HTTPTransport(additionalRoots: roots) }

    private func exchange(_ transport: HTTPTransport) throws {
        guard let loopback = IPAddress("127.0.0.1") else { return }
        let request = try RequestTemplate(endpoint).fill(fields.value.members ?? []).request
        let response = try transport.exchange(
            request,
            with: Destination(host: request.host, address: loopback, port: standIn.port, isStandIn: true),
            limits: ExchangeLimits(
                mediaType: endpoint.response.mediaType, maxBytes: endpoint.response.maxBytes,
                isUnlinkable: false))
        try check(response)
    }

    private func host(instant: Bool) throws -> Host {
        let roots = roots
        return try Host(
            home: try Home.open(at: home),
            transport: { _ throws(Diagnostic) in
                if instant { return Instant() }
                return try HTTPTransport(additionalRoots: roots)
            })
    }

    private func desks(instant: Bool) throws -> () throws(Diagnostic) -> EgressDesk {
        try EgressDesk.alone(host: try host(instant: instant), app: app, plugin: plugin, clock: Unhurried())
    }

    private func fetch(_ desk: EgressDesk, _ other: String? = nil) throws {
        // An endpoint whose place the host fills in takes none.
        let isTold = other.map { !$0.hasSuffix("place") } ?? false
        let fields = try isTold ? JSONParser.parse(Array("{}".utf8)) : fields
        try check(try desk.fetch(other ?? endpoint.name, fields, with: nil).get())
    }

    private func check(_ response: IncomingResponse) throws {
        guard response.status == 200, !response.body.isEmpty else {
            throw Complaint(description: "the server answered \(response.status)")
        }
    }

    /// A mediator for each thousand requests, as many as the manifest allows one run.
    private func mediator() -> () throws -> Void {
        func fresh() -> Mediator {
            Mediator(
                endpoints: [endpoint], transport: Instant(), standIns: [endpoint.template.host: standIn],
                clock: Unhurried(), recorder: Yes())
        }
        var mediator = fresh()
        return {
            if mediator.sentCount == endpoint.maxCalls { mediator = fresh() }
            let answer = try mediator.fetch(endpoint.name, fields.value.members ?? [])
            try check(try answer.get())
        }
    }

    /// Answers at once.
    private struct Instant: Transport {
        static let answer = IncomingResponse(
            status: 200, body: Array("{}".utf8), mediaType: "application/json")

        func exchange(
            _ request: OutgoingRequest, with destination: Destination, limits: ExchangeLimits
        ) throws(TransportFailure) -> IncomingResponse { Self.answer }
        func cancel() {}
        func close() {}
    }

    /// Waits for no moment: what is measured is work.
    private struct Unhurried: RunClock {
        var seconds: Double { 0 }
        func wait(until seconds: Double) {}
        func cancel() {}
    }

    /// Says yes and keeps nothing.
    private struct Yes: EgressRecorder {
        func admit(_ requests: [PreparedRequest]) -> EgressRefusal? { nil }
        func recheck(_ request: PreparedRequest) -> EgressRefusal? { nil }
        func recordSending(_ sending: Sending) -> String { "r-alone.1" }
        func recordEnd(of id: String, _ end: Result<IncomingResponse, EgressRefusal>) {}
        func recordRefusal(of endpoint: EgressEndpoint?, _ refusal: EgressRefusal) {}
    }
}

func readFile(_ path: String) throws -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw Complaint(description: "\(path) cannot be opened: errno \(errno)") }
    defer { close(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
        let count = read(file, &buffer, buffer.count)
        if count <= 0 { return bytes }
        bytes += buffer.prefix(count)
    }
}
