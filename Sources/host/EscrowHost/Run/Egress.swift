public import EscrowComputation
import EscrowConsent
import EscrowDevice
public import EscrowDiagnostics
public import EscrowEgress
import EscrowHome
public import EscrowJSON
import EscrowManifest
import EscrowTrust
public import EscrowWire

/// Step 10 of a run: the host sends the requests that the plugin asks for.
extension Runner {
    /// Nil where the manifest declares no endpoint.
    func egress(_ run: Run) throws(Diagnostic) -> EgressDesk? {
        let manifest = run.plugin.manifest
        guard !manifest.egress.isEmpty else { return nil }
        return try EgressDesk(
            host: host, run: run.id, manifest: manifest, description: run.description,
            decision: run.decision, bytes: run.today.bytes)
    }
}

/// The requests of one run, and what is asked and kept about each.
///
/// One thread uses it: the plugin has one ask at a time.
public final class EgressDesk: Fetcher {
    private var mediator: Mediator
    private let transport: any Transport
    private let resolver = InterruptibleResolver()
    private let clock: any RunClock
    private let recorder: Recorder

    init(
        host: any RunHost, run: String, manifest: Manifest, description: DataflowDescription,
        decision: Decision,
        bytes: Int = .max, clock: any RunClock = MonotonicClock()
    ) throws(Diagnostic) {
        self.clock = clock
        transport = DeviceTransport(
            try host.makeTransport(host.configuration.egress),
            speaker:
                "says the plugin \(PlainText.neutral(manifest.title, longest: 80)), which \(description.app) runs"
        )
        recorder = Recorder(
            host: host, run: run, manifest: manifest, description: description, decision: decision,
            resolver: resolver, bytes: bytes)
        try recorder.begin()
        mediator = Mediator(
            endpoints: manifest.egress,
            places: host.places(
                for: description.app, allowed: description.places, limit: decision.limit),
            resolver: resolver, transport: transport,
            standIns: host.configuration.egress.standIns,
            ownServers: host.configuration.egress.ownServers, credentials: host.credentials, clock: clock,
            recorder: recorder)
    }

    // Nothing of a run is left for the next: no connection, no session of TLS.
    deinit { transport.close() }

    /// Ends the request under way and refuses every later one: the individual or the app ended the run. A plugin cannot: that
    /// its request breaks off, and when, would tell its server something. Any thread may call it.
    var stop: @Sendable () -> Void {
        let (resolver, transport, clock) = (resolver, transport, clock)
        return {
            clock.cancel()
            resolver.cancel()
            transport.cancel()
        }
    }

    var sentCount: Int { mediator.sentCount }
    var sentBytes: Int { mediator.sentBytes }
    var receivedBytes: Int { mediator.receivedBytes }
    /// The last request's refusal, unless a later one went through: why a plugin that gave up did so.
    public private(set) var lastRefusal: EgressRefusal?

    /// Answers a plugin's ask: checks, records, sends.
    public func fetch(_ name: String, _ fields: JSONNode, with file: (any RequestFile)?) throws(Diagnostic)
        -> Result<
            IncomingResponse, EgressRefusal
        >
    {
        let result = try mediator.fetch(name, fields.value.members ?? [], with: file)
        remember(result.refusal)
        return result
    }

    public func fetch(together asks: [RequestAsk]) throws(Diagnostic) -> Result<
        [Result<IncomingResponse, EgressRefusal>], EgressRefusal
    > {
        let result = try mediator.fetch(together: asks.map { ($0.endpoint, $0.fields.value.members ?? []) })
        switch result {
        case .success(let ends): remember(ends.compactMap(\.refusal).last)
        case .failure(let refusal): remember(refusal)
        }
        return result
    }

    /// A request that broke off because the run was ended is not why the run ended.
    private func remember(_ refusal: EgressRefusal?) { lastRefusal = resolver.isCancelled ? nil : refusal }
}

extension Result where Failure == EgressRefusal {
    fileprivate var refusal: EgressRefusal? { if case .failure(let refusal) = self { refusal } else { nil } }
}

extension RunFigures {
    /// Takes over what was sent.
    mutating func take(_ desk: EgressDesk?) {
        guard let desk else { return }
        requests = desk.sentCount
        sentBytes = desk.sentBytes
        receivedBytes = desk.receivedBytes
    }
}
