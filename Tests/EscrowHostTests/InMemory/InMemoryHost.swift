import EscrowComputation
import EscrowDiagnostics
import EscrowEgress
import EscrowJSON
import EscrowLedger
import EscrowLocationPrivacy
import EscrowManifest
import EscrowMinimisation
import EscrowRelational
import EscrowSchema
import EscrowServers
import EscrowTabular
import Synchronization

@testable import EscrowConsent
@testable import EscrowHome
@testable import EscrowHost
@testable import EscrowSandbox
@testable import EscrowTrust

/// Everything that a run needs, in memory: a step each time the run asks for something. At any step it can fail, or
/// something else can happen.
///
/// `@unchecked`: everything that changes is in the mutex.
final class InMemoryHost: RunHost, @unchecked Sendable {
    /// What happened, in order.
    enum Event: Equatable {
        case step(String)
        case record(LedgerEntry.Kind, JSONValue)
        case rowsRead
        case launched
        case ended
        case placeLeft
    }

    struct State {
        var events: [Event] = []
        var steps = 0
        var grants: [Grant] = []
        var questions: [PastQuestion] = []
        var queue: [WaitingQueue.Entry] = []
        var day = LedgerUse.Day(day: "2026-01-01")
    }

    let state = Mutex(State())
    let rules: Decision
    let plugin: InMemoryPlugin.Conduct
    let isConfidential: Bool
    /// The individual's one server; nil where there is none.
    let onlyServer: EscrowServer?
    /// Called at each step with its number, from 1; what it throws is that step's failure.
    let at: @Sendable (Int, InMemoryHost) throws(Diagnostic) -> Void
    let configuration = HostConfiguration()
    let materials = MaterialCache()
    let spare: SpareConnection? = nil
    let undecided = UndecidedTally()
    let makeTransport = Host.noTransport
    let picks = PickBook(home: "/nowhere")

    init(
        rules: Decision = .open, plugin: InMemoryPlugin.Conduct = .honest, isConfidential: Bool = false,
        server: EscrowServer? = nil,
        at: @escaping @Sendable (Int, InMemoryHost) throws(Diagnostic) -> Void = { _, _ in }
    ) {
        self.rules = rules
        self.plugin = plugin
        self.isConfidential = isConfidential
        onlyServer = server
        self.at = at
    }

    var events: [Event] { state.withLock { $0.events } }
    var steps: Int { state.withLock { $0.steps } }
    func note(_ event: Event) { state.withLock { $0.events.append(event) } }

    func step(_ name: String) throws(Diagnostic) {
        let number = state.withLock { state in
            state.steps += 1
            state.events.append(.step(name))
            return state.steps
        }
        try at(number, self)
    }

    // MARK: What a run asks for

    var decisions: any GrantBook { InMemoryGrants(host: self) }
    var waiting: any WaitingRoom { InMemoryQueue(host: self) }
    var day: any LedgerDay { InMemoryDay(host: self) }

    func verified(_ name: String) throws(Diagnostic) -> VerifiedPlugin {
        try step("verify")
        return try InMemoryPlugin.verified(isConfidential: isConfidential)
    }

    func discard(_ name: String) {}

    func tables() throws(Diagnostic) -> [any TableSource] {
        try step("tables")
        return [InMemoryTable(host: self)]
    }

    func judge(
        _ description: inout DataflowDescription, _ manifest: Manifest, of run: String?
    ) throws(Diagnostic) -> Decision {
        try step("judge")
        return rules
    }

    func keepPending(_ request: RunRequest) {}

    var serverIDs: [String] { onlyServer.map { [$0.id] } ?? [] }

    func server(_ id: String) throws(Diagnostic) -> EscrowServer {
        guard let onlyServer, onlyServer.id == id else {
            throw Diagnostic(.noSuchServer, "there is no server")
        }
        return onlyServer
    }

    func notePreferences(_ revision: String?) throws(Diagnostic) { try step("note preferences") }

    func allotting<Result>(_ body: () throws(Diagnostic) -> Result) throws(Diagnostic) -> Result {
        try step("allot")
        return try body()
    }

    func place(
        run: String, app: String, memoryMiB: Int, _ cancellation: Runner.Cancellation
    ) throws(Diagnostic) -> any ComputePlace {
        try step("place")
        return InMemoryPlace(host: self)
    }

    func keyedHash(app: String, publisher: String) throws(Diagnostic) -> KeyedHash {
        KeyedHash { _ in KeyedHash.Value(high: 1, low: 2) }
    }

    func identify(
        _ arguments: [(name: String, value: JSONValue)], for manifest: Manifest, app: String,
        publisher: String
    ) throws(Diagnostic) -> [(name: String, value: JSONValue)] {
        try step("identify")
        return arguments
    }

    func asking<Result>(
        _ description: DataflowDescription, _ body: () throws(Diagnostic) -> Result
    ) throws(Diagnostic) -> Result {
        try step("ask")
        return try body()
    }

    func places(
        for app: String, allowed: [String: Telling], limit: GrantLimit?
    ) -> any PlaceSource { Nowhere() }

    /// Nothing is known of where the individual is.
    private struct Nowhere: PlaceSource {
        func places(for endpoint: EgressEndpoint) throws(Diagnostic) -> Result<PlacesToSend, EgressRefusal> {
            .failure(.placeNotTold("no place is known"))
        }
    }

    func takeEgress(
        bits: Int, bytes: Int, of budget: EgressBudget, grant: String, day: String
    ) throws(Diagnostic) -> Bool { true }

    func ledgerTime() throws(Diagnostic) -> LedgerTime { LedgerTime(milliseconds: 1_800_000_000_000) }

    func append(_ kind: LedgerEntry.Kind, run: String?, _ fields: JSONValue) throws(Diagnostic) -> UInt64 {
        try step("append \(kind.rawValue)")
        note(.record(kind, fields))
        return UInt64(events.count)
    }
}

/// Grants in memory: the real decision over a list.
struct InMemoryGrants: GrantBook {
    let host: InMemoryHost
    private var now: ConsentTime { ConsentTime(milliseconds: 1_800_000_000_000) }

    func decide(for dataflow: Dataflow, rules: Decision, claimed: Grant?) throws(Diagnostic) -> Decision {
        try host.step("decide")
        let (grants, questions) = host.state.withLock { ($0.grants, $0.questions) }
        return Decision.about(
            dataflow,
            DecisionBasis(
                rules: rules, grants: GrantIndex(grants), questions: questions, now: now, hostStart: now,
                claimed: claimed))
    }

    func claim(_ dataflow: Dataflow, rules: Decision, waits: Bool) throws(Diagnostic) -> Decision {
        try decide(for: dataflow, rules: rules, claimed: nil)
    }

    func awaitUses(of id: String) {}

    func once(for dataflow: Dataflow, terms: GrantTerms) -> Grant {
        var grant = terms.grant(true, for: dataflow, at: now)
        grant.isForOneRun = true
        return grant
    }

    func allow(_ description: DataflowDescription, _ terms: GrantTerms) throws(Diagnostic) -> Grant {
        try keep(terms.grant(true, for: description.dataflow, at: now))
    }

    func deny(_ description: DataflowDescription, _ terms: GrantTerms) throws(Diagnostic) -> Grant {
        try keep(terms.grant(false, for: description.dataflow, at: now))
    }

    private func keep(_ grant: Grant) throws(Diagnostic) -> Grant {
        try host.step("keep grant")
        host.state.withLock { $0.grants.append(grant) }
        return grant
    }

    func note(
        _ outcome: PastQuestion.Outcome, to description: DataflowDescription
    ) throws(Diagnostic) -> Grant? {
        try host.step("note question")
        host.state.withLock { $0.questions.append(PastQuestion(description.dataflow, outcome, at: now)) }
        return nil
    }

    func unchanged<Result>(_ body: () throws(Diagnostic) -> Result) throws(Diagnostic) -> Result {
        try host.step("hold decisions")
        return try body()
    }
}

/// A queue in memory.
struct InMemoryQueue: WaitingRoom {
    let host: InMemoryHost

    func entry(for request: RunRequest) -> WaitingQueue.Entry? { host.state.withLock { $0.queue.first } }

    func put(
        _ request: RunRequest, rules: [String], missing: [String], once: String?, isHeld: Bool
    ) throws(Diagnostic) -> WaitingQueue.Entry {
        try host.step("put into the queue")
        let entry = WaitingQueue.Entry(
            id: "q-1", since: "2026-01-01T00:00:00Z", request: request, rules: rules, missing: missing,
            once: once, holders: [])
        host.state.withLock { $0.queue = [entry] }
        return entry
    }

    func take(_ id: String) throws(Diagnostic) -> WaitingQueue.Entry? {
        try host.step("take from the queue")
        return host.state.withLock { $0.queue.popLast() }
    }

    func takeHeld(_ id: String) throws(Diagnostic) -> WaitingQueue.Entry? { try take(id) }
}

/// A day's use of the ledger in memory.
struct InMemoryDay: LedgerDay {
    let host: InMemoryHost

    func today() -> LedgerUse.Day { host.state.withLock { $0.day } }
    func change(_ body: (inout LedgerUse.Day) -> Void) throws(Diagnostic) {
        try host.step("count the record")
        host.state.withLock { body(&$0.day) }
    }
}

/// A place that starts no process.
final class InMemoryPlace: ComputePlace {
    let host: InMemoryHost
    let hasWaited = true

    init(host: InMemoryHost) { self.host = host }

    deinit { host.note(.placeLeft) }

    func launch(
        _ plugin: borrowing VerifiedPlugin, limits: SandboxLimits, opening: @autoclosure () -> [UInt8]
    ) throws(Diagnostic) -> any PluginProcess {
        try host.step("launch")
        host.note(.launched)
        return InMemoryPlugin(host: host, limits: limits)
    }
}

/// A table of three people, whose ages are a canary.
final class InMemoryTable: TableSource, @unchecked Sendable {
    static let canary: Int64 = 40_313_370
    let host: InMemoryHost
    let spec = TableSpec(
        name: "People", sourceKind: "people", summary: "people",
        columns: [ColumnSpec("id", .text, nullable: false, "id"), ColumnSpec("age", .integer, "age")],
        examples: [])

    init(host: InMemoryHost) { self.host = host }

    func offer(for request: ScanRequest) -> ScanOffer {
        ScanOffer(
            prunes: request.predicates.map { _ in false }, servesOrder: request.order.isEmpty,
            estimatedRows: 3)
    }

    func snapshot(assets: AssetTable) throws(Diagnostic) -> any TableSnapshot { Snapshot(self) }

    private final class Snapshot: TableSnapshot {
        let table: InMemoryTable
        init(_ table: InMemoryTable) { self.table = table }
        func scan(_ request: ScanRequest) throws(Diagnostic) -> any TableScan { Scan(table, request) }
    }

    private final class Scan: TableScan {
        let table: InMemoryTable
        let request: ScanRequest

        init(_ table: InMemoryTable, _ request: ScanRequest) {
            self.table = table
            self.request = request
        }

        func next(into chunk: ColumnChunk) throws(Diagnostic) -> Bool {
            table.host.note(.rowsRead)
            try table.host.step("read rows")
            for row in 0..<3 {
                if request.columns.contains(0) { chunk.append("p\(row)", to: 0) }
                if request.columns.contains(1) { chunk.append(InMemoryTable.canary + Int64(row), to: 1) }
                chunk.endRow(id: Int64(row))
            }
            return false
        }
    }
}
