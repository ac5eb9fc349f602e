public import EscrowDiagnostics
public import EscrowJSON
public import EscrowManifest

/// What the host decides and keeps about the requests of one run.
public protocol EgressRecorder {
    /// Whether the individual's grant still covers these requests, and its budget of the day has room for all of them:
    /// asked anew for each request, or for all that leave together, so that a grant taken back stops a plugin that is
    /// running. Nil means yes; what they take is then taken.
    func admit(_ requests: [PreparedRequest]) throws(Diagnostic) -> EgressRefusal?
    /// Whether the grant still covers a further one of requests that were admitted together.
    func recheck(_ request: PreparedRequest) throws(Diagnostic) -> EgressRefusal?
    /// Records, durably, that a request is about to be sent; returns the id of the record.
    func recordSending(_ sending: Sending) throws(Diagnostic) -> String
    /// Records how it ended.
    func recordEnd(of id: String, _ end: Result<IncomingResponse, EgressRefusal>) throws(Diagnostic)
    /// Records a request that was not sent.
    func recordRefusal(of endpoint: EgressEndpoint?, _ refusal: EgressRefusal) throws(Diagnostic)
}

/// A stand-in on loopback for a server of the internet, which the individual configured: for tests and samples.
public struct StandIn: Sendable, Equatable {
    /// Where it listens.
    public var port: Int
    /// Without TLS.
    public var isPlain: Bool

    /// Names it.
    public init(port: Int, isPlain: Bool) {
        self.port = port
        self.isPlain = isPlain
    }
}

/// Makes, checks, records and sends the requests of one run: the only way from a plugin to the network.
///
/// The order is fixed: fields, counts, moment, grant, name, address, record, send. Whatever fails before the record was not
/// sent.
public struct Mediator {
    let endpoints: [EgressEndpoint]
    let places: any PlaceSource
    let resolver: any Resolver
    let transport: any Transport
    let standIns: [String: StandIn]
    /// Servers of the individual's own, by the names that manifests have for them.
    let ownServers: [String: OwnServer]
    let credentials: any CredentialSource
    let patience: Patience
    let recorder: any EgressRecorder
    let clock: any RunClock
    /// What the moments of the next request count from: the run's beginning, then the end of what others saw last. The
    /// plugin has no hand in either.
    var start: Double
    var calls: [String: Int] = [:]
    var bytes: [String: Int] = [:]
    var rule: AskRule

    private var refusedCount = 0

    /// A plugin that asks on and on for what it does not get would fill the ledger, and hide in it what it did get.
    static let mostRefusals = 100

    /// How many requests were sent.
    public internal(set) var sentCount = 0
    /// How many bytes they had.
    public internal(set) var sentBytes = 0
    /// How many bytes their answers had.
    public internal(set) var receivedBytes = 0

    /// Prepares for one run.
    public init(
        endpoints: [EgressEndpoint], places: any PlaceSource = NoPlaces(),
        resolver: any Resolver = SystemResolver(), transport: any Transport,
        standIns: [String: StandIn] = [:], ownServers: [String: OwnServer] = [:],
        credentials: any CredentialSource = NoCredentials(),
        patience: Patience = .standard,
        clock: any RunClock = MonotonicClock(),
        recorder: any EgressRecorder
    ) {
        self.endpoints = endpoints
        self.places = places
        self.resolver = resolver
        self.transport = transport
        self.standIns = standIns
        self.ownServers = ownServers
        self.credentials = credentials
        self.patience = patience
        self.clock = clock
        self.recorder = recorder
        start = clock.seconds
        rule = AskRule(endpoints)
    }

    /// Sends what a plugin asks for. A refusal goes back to the plugin as its code; a diagnostic ends the run.
    public mutating func fetch(
        _ name: String, _ fields: [(name: String, value: JSONValue)], with file: (any RequestFile)? = nil
    ) throws(Diagnostic) -> Result<IncomingResponse, EgressRefusal> {
        let declared = endpoints.first { $0.name == name }
        if let declared, declared.place != nil {
            // No plugin with such an endpoint asks for requests together.
            return try fetch(placeOf: declared, fields)
        }
        var prepared: PreparedRequest
        do throws(EgressRefusal) {
            try rule.admit(together: false)
            prepared = try prepare(declared, fields, with: file)
        } catch {
            return .failure(try refuse(declared, error))
        }
        let endpoint = prepared.endpoint
        prepared.file = prepared.file.map(ReadAhead.init)
        guard let moment = TimeGrid.requests.moment(after: clock.seconds - start) else {
            return .failure(try refuse(endpoint, .tooLate(endpoint)))
        }
        clock.wait(until: start + moment)
        // Asked before the name is looked up: where nothing is granted, not even that leaves.
        if let refusal = try recorder.admit([prepared]) { return .failure(try refuse(endpoint, refusal)) }
        // From here on others can see that there is a request, if only by the look-up of its name.
        calls[name, default: 0] += 1
        let destination: Destination
        do throws(EgressRefusal) { destination = try self.destination(endpoint) } catch {
            start = clock.seconds
            return .failure(try refuse(endpoint, error))
        }
        let sending = Sending(prepared, to: destination)
        let id = try recorder.recordSending(sending)
        bytes[name, default: 0] += prepared.count
        let end = exchange(sending, within: patience.stretched(by: prepared.count))
        // A connection that no call can use any more goes at once: its end would tell when the run ends.
        let isLast = endpoints.allSatisfy { $0.template.effect != nil || calls[$0.name] ?? 0 >= $0.maxCalls }
        if isLast { transport.close() }
        // What is done on this machine shifts no moment that a server sees.
        if endpoint.template.effect == nil { start = clock.seconds }
        try recorder.recordEnd(of: id, end)
        return end
    }

    mutating func refuse(
        _ endpoint: EgressEndpoint?, _ refusal: EgressRefusal
    ) throws(Diagnostic) -> EgressRefusal {
        try recorder.recordRefusal(of: endpoint, refusal)
        refusedCount += 1
        guard refusedCount < Self.mostRefusals else {
            throw Diagnostic(
                .pluginAsksOn, "the plugin asked \(Self.mostRefusals) times for requests that were refused",
                notes: ["the last one: \(refusal.diagnostic.message)"],
                help: "plugin authors: end the run when a request is refused, instead of asking on")
        }
        return refusal
    }

    /// Fills in a request that the run has calls and bytes left for.
    func prepare(
        _ endpoint: EgressEndpoint?, _ fields: [(name: String, value: JSONValue)],
        at place: PlacesToSend.Point? = nil, with file: (any RequestFile)? = nil
    ) throws(EgressRefusal) -> PreparedRequest {
        guard let endpoint else {
            throw EgressRefusal(
                .undeclared,
                Diagnostic(
                    .endpointNotDeclared,
                    "the plugin asked for an endpoint that its manifest does not declare"))
        }
        let own = try ownServer(of: endpoint)
        _ = try credential(endpoint)
        let filled = try RequestTemplate(endpoint, own: own).fill(fields, at: place, with: file)
        guard calls[endpoint.name] ?? 0 < endpoint.maxCalls else {
            throw EgressRefusal(
                .budget,
                Diagnostic(
                    .egressBudgetUsedUp,
                    "\(endpoint.name) was called \(endpoint.maxCalls) times, no more in one run",
                    help: "plugin authors: \"maxCalls\" in the manifest"))
        }
        let size = filled.request.count
        if let most = endpoint.maxBytes, bytes[endpoint.name] ?? 0 > most - size {
            throw .tooManyBytes(endpoint, most)
        }
        return PreparedRequest(endpoint: endpoint, filled: filled, file: file)
    }

    /// Every address of a name must be one of the public internet: a name with one good and one bad address is what DNS
    /// rebinding looks like. The one chosen is the one connected to.
    func destination(_ endpoint: EgressEndpoint) throws(EgressRefusal) -> Destination {
        _ = try ownServer(of: endpoint)
        return try destination(
            endpoint.template, named: endpoint.name, isMail: endpoint.method == .mail, pins: endpoint.pins)
    }

    /// The same for what the host asks for itself.
    func destination(
        _ template: EgressTemplate, named endpoint: String, isMail: Bool, pins: [[UInt8]]
    ) throws(EgressRefusal) -> Destination {
        let host = template.host
        if template.effect != nil, let loopback = IPAddress("127.0.0.1") {
            return Destination(host: host, address: loopback, port: 0, isPlain: true, isDevice: true)
        }
        if let standIn = standIns[host], let loopback = IPAddress("127.0.0.1") {
            return Destination(
                host: host, address: loopback, port: standIn.port, isPlain: standIn.isPlain, isStandIn: true,
                pins: pins, isMail: isMail)
        }
        let own = template.own.flatMap { ownServers[$0] }
        if let own, let address = own.address {
            // They named this very address, so it may be one of their own network.
            return Destination(
                host: own.host, address: address, port: own.port, isPlain: own.isPlain,
                isStandIn: AddressPolicy.refusal(of: address) != nil,
                pins: own.pins.isEmpty ? pins : own.pins, isMail: isMail)
        }
        let name = own?.host ?? host
        let addresses = resolver.addresses(of: name)
        guard let first = addresses.first else {
            throw EgressRefusal(
                .unreachable,
                Diagnostic(
                    .nameWithoutAddress, "\(name) has no address, so \(endpoint) could not be sent",
                    help: "is this machine connected? getent ahosts \(name)"))
        }
        for address in addresses {
            if let why = AddressPolicy.refusal(of: address) {
                throw EgressRefusal(
                    .unreachable,
                    Diagnostic(
                        .addressNotPublic, "\(name) leads to \(why), so \(endpoint) was not sent",
                        notes: ["requests go to the public internet only"]))
            }
        }
        return Destination(
            host: name, address: first, port: own?.port ?? (isMail ? 465 : 443),
            pins: own.map { $0.pins.isEmpty ? pins : $0.pins } ?? pins, isMail: isMail)
    }

    /// Sends what was recorded.
    mutating func exchange(
        _ sending: Sending, within patience: Patience
    ) -> Result<IncomingResponse, EgressRefusal> {
        let endpoint = sending.endpoint
        if endpoint.template.effect == nil {
            sentCount += 1
            sentBytes += sending.request.count
        }
        var request = sending.request
        do throws(EgressRefusal) {
            try renewToken(for: endpoint)
            request.credential = try credential(endpoint)
        } catch {
            return .failure(error)
        }
        do throws(TransportFailure) {
            let limits = ExchangeLimits(
                mediaType: endpoint.response.mediaType, maxBytes: endpoint.response.maxBytes,
                isUnlinkable: endpoint.isUnlinkable, patience: patience)
            let response: IncomingResponse
            if let file = sending.file {
                response = try transport.exchange(
                    request, file: file, with: sending.destination, limits: limits)
            } else {
                response = try transport.exchange(request, with: sending.destination, limits: limits)
            }
            receivedBytes += response.body.count
            if let sifted = AnswerSieve(endpoint).sift(response) { return .success(sifted) }
            throw .malformedBody
        } catch {
            let code: EgressRefusal.Code =
                switch error {
                case .tooLarge: .tooLarge
                case .malformed, .malformedBody, .redirect, .mediaType, .encoding: .badAnswer
                default: .unreachable
                }
            return .failure(
                EgressRefusal(
                    code,
                    Diagnostic(
                        code == .unreachable ? .noAnswer : .answerNotAsDescribed,
                        "\(endpoint.name) \(error.isBeforeSending ? "did not reach" : "was sent to") "
                            + "\(endpoint.template.effect == nil ? endpoint.template.host : "this device")\(error.isBeforeSending ? ":" : ", but") \(error.rawValue)"
                    )))
        }
    }
}
