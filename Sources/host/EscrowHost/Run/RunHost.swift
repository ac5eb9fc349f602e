import EscrowAppWire
import EscrowComputation
import EscrowConsent
import EscrowDiagnostics
import EscrowEgress
import EscrowHome
import EscrowJSON
import EscrowLocationPrivacy
import EscrowManifest
import EscrowMinimisation
import EscrowOffloadWire
import EscrowPlacement
import EscrowRelational
import EscrowRemote
import EscrowSchema
import EscrowServers
import EscrowTrust

/// What the steps of a run need of an escrow home, each part behind a small protocol: `Host` is all of them, and tests put
/// their own in.
protocol RunHost: PluginShelf, TableShelf, RuleBook, RunRecords, Sendable {
    /// What the individual set for all runs.
    var configuration: HostConfiguration { get }
    /// What the individual decided.
    var decisions: any GrantBook { get }
    /// What waits for the device.
    var waiting: any WaitingRoom { get }
    /// Keeps a request that nobody is there to decide about, so that the individual may answer it later.
    func keepPending(_ request: RunRequest)
    /// What the individual is to pick, and what they picked.
    var picks: PickBook { get }
    /// How requests are sent.
    var makeTransport: Host.TransportMaker { get }
    /// What the individual keeps for servers.
    var credentials: any CredentialSource { get }

    /// Waits for a place to compute at.
    func place(
        run: String, app: String, memoryMiB: Int, _ cancellation: Runner.Cancellation
    ) throws(Diagnostic) -> any ComputePlace
    /// The names of the individual's servers.
    var serverIDs: [String] { get }
    /// The last runs of a plugin that returned something, the newest last.
    func pastRuns(of plugin: String) -> [PastRun]
    /// A server that may be given this plugin.
    func server(_ id: String) throws(Diagnostic) -> EscrowServer
    /// Connections to servers that are kept between runs; nil in a process that runs once.
    var connections: RemoteConnections? { get }
    /// What a server said of itself when it was checked last; nil before.
    func about(_ server: EscrowServer) throws(Diagnostic) -> ServerDescription?
    /// What makes pseudonyms for an app and a publisher.
    func keyedHash(app: String, publisher: String) throws(Diagnostic) -> KeyedHash
    /// The values of a plugin's parameters, with the identifiers among them filled in.
    func identify(
        _ arguments: [(name: String, value: JSONValue)], for manifest: Manifest, app: String,
        publisher: String
    ) throws(Diagnostic) -> [(name: String, value: JSONValue)]
    /// Runs `body`, which asks the individual. An app may have one question open; E0713 where it has one already.
    func asking<Result>(
        _ description: DataflowDescription, _ body: () throws(Diagnostic) -> Result
    ) throws(Diagnostic) -> Result
    /// Where the individual is, as exactly as an app may be told it.
    func places(
        for app: String, allowed: [String: Telling], limit: GrantLimit?
    ) -> any PlaceSource
    /// Takes from a grant's budget of requests for a day; false where it is used up.
    func takeEgress(
        bits: Int, bytes: Int, of budget: EgressBudget, grant: String, day: String
    ) throws(Diagnostic) -> Bool
}

/// The installed plugins.
protocol PluginShelf {
    /// The ids of those that tell the individual's place to such a service, and no more exactly than that.
    func plugins(for wish: PlaceWish) throws(Diagnostic) -> [String]
    /// One that passes every check now.
    func verified(_ name: String) throws(Diagnostic) -> VerifiedPlugin
    /// Ends the processes that wait, already started, for a next run of a plugin that did not pass its checks.
    func discard(_ name: String)
}

/// The individual's data as tables.
protocol TableShelf {
    func tables() throws(Diagnostic) -> [any TableSource]
    /// Native tables kept between queries.
    var materials: MaterialCache { get }
    /// A database connection that was opened ahead for the next query; nil for none.
    var spare: SpareConnection? { get }
}

/// Rules: the individual's, and others' restrictions.
protocol RuleBook {
    /// What all rules say about a dataflow, before any grant is looked at. `run` is the one under way that this is about.
    func judge(
        _ description: inout DataflowDescription, _ manifest: Manifest, of run: String?
    ) throws(Diagnostic) -> Decision
    /// Records that the rules are others than the ledger knows of.
    func notePreferences(_ revision: String?) throws(Diagnostic)
    /// Does something while no other run takes from the day's allowance.
    func allotting<Result>(_ body: () throws(Diagnostic) -> Result) throws(Diagnostic) -> Result
}

/// The individual's decisions. `GrantStore` says what each call means.
protocol GrantBook: Sendable {
    func decide(for dataflow: Dataflow, rules: Decision, claimed: Grant?) throws(Diagnostic) -> Decision
    func claim(_ dataflow: Dataflow, rules: Decision, waits: Bool) throws(Diagnostic) -> Decision
    func awaitUses(of id: String) throws(Diagnostic)
    func once(for dataflow: Dataflow, terms: GrantTerms) -> Grant
    func allow(_ description: DataflowDescription, _ terms: GrantTerms) throws(Diagnostic) -> Grant
    func deny(_ description: DataflowDescription, _ terms: GrantTerms) throws(Diagnostic) -> Grant
    @discardableResult
    func note(
        _ outcome: PastQuestion.Outcome, to description: DataflowDescription
    ) throws(Diagnostic) -> Grant?
    func unchanged<Result>(_ body: () throws(Diagnostic) -> Result) throws(Diagnostic) -> Result
}

extension GrantStore: GrantBook {}

/// Dataflows that are allowed and wait for what the device must have. `WaitingQueue` says what each call means.
protocol WaitingRoom {
    func entry(for request: RunRequest) -> WaitingQueue.Entry?
    func put(
        _ request: RunRequest, rules: [String], missing: [String], once: String?, isHeld: Bool
    ) throws(Diagnostic) -> WaitingQueue.Entry
    @discardableResult func take(_ id: String) throws(Diagnostic) -> WaitingQueue.Entry?
    @discardableResult func takeHeld(_ id: String) throws(Diagnostic) -> WaitingQueue.Entry?
}

extension WaitingQueue: WaitingRoom {}

extension RunHost {
    var credentials: any CredentialSource { NoCredentials() }
    var connections: RemoteConnections? { nil }

    /// Where a dataflow stands with rules, restrictions and the device as they are now: for a run under way.
    func decideAnew(
        _ description: DataflowDescription, _ manifest: Manifest, claimed: Grant?, of run: String
    ) throws(Diagnostic) -> Decision {
        var asSeenNow = description
        let rules = try judge(&asSeenNow, manifest, of: run)
        return try decisions.decide(for: description.dataflow, rules: rules, claimed: claimed)
    }

    /// The most that a run of a plugin could use. Requests without a bound of their own could be anything.
    func mostUse(of manifest: Manifest) -> DayUse {
        var bytes = manifest.result.maxBytes
        for endpoint in manifest.requests {
            let (sum, isTooMuch) = bytes.addingReportingOverflow(endpoint.maxBytes ?? .max)
            bytes = isTooMuch ? .max : sum
        }
        return DayUse(cpuSeconds: RunLimits(manifest, caps: configuration.caps)[.cpuSeconds], bytes: bytes)
    }
}
