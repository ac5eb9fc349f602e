import EscrowConsent
public import EscrowDiagnostics
import EscrowEgress
import EscrowIdentity
import EscrowJSON
import EscrowLedger
import EscrowManifest
import EscrowMinimisation
import EscrowRelational
import EscrowSandbox
import EscrowSchema
import EscrowTabular
import EscrowTrust

/// Watches a run on the individual's side.
public protocol RunObserver {
    /// The dataflow in words, before it is decided about.
    func explain(_ lines: [String])
    /// How wide the lines of the dataflow may be.
    var columns: Int { get }
    /// How far the plugin says it is, from 0 to 1.
    func progress(_ fraction: Double)
    /// What the plugin wrote on stderr. It may hold data of the individual's: for this terminal only.
    func log(_ bytes: [UInt8])
}

extension RunObserver {
    /// As records have them.
    public var columns: Int { 96 }
}

/// One run of `run(access(), compute())`, step by step as the design has it: verify, resolve, explain, decide, record
/// the intent, access and compute, check the result, record the end, hand over.
public struct Runner {
    let host: Host
    let decider: any Decider
    let observer: any RunObserver
    let cancellation: Cancellation
    let patience: Patience
    /// What times a run; tests put their own in.
    var clock: @Sendable () -> any RunClock = { MonotonicClock() }

    /// Prepares to run on a host.
    public init(
        host: Host, decider: any Decider, observer: any RunObserver,
        cancellation: Cancellation = Cancellation(), patience: Patience = .queue
    ) {
        self.host = host
        self.decider = decider
        self.observer = observer
        self.cancellation = cancellation
        self.patience = patience
    }

    /// What a run would do, without starting anything or touching data.
    public func plan(_ request: RunRequest) throws(Diagnostic) -> RunPlan {
        let plugin = try verify(request.plugin)
        let resolved = try resolve(request, plugin)
        return RunPlan(
            description: resolved.description,
            decision: try host.decide(resolved.description, resolved.rules),
            access: resolved.access.explanation)
    }

    /// Runs; the result is returned only after the ledger durably says that it is about to be.
    public func run(_ request: RunRequest) throws(Diagnostic) -> RunResult {
        var watch = Stopwatch()
        var figures = RunFigures()
        let plugin = try verify(request.plugin)
        figures.verifyMs = watch.lap()
        var resolved = try resolve(request, plugin)
        figures.resolveMs = watch.lap()
        observer.explain(resolved.description.explain(width: observer.columns))
        try host.checkLedgerRoom(of: resolved.description)
        let admission = try decide(request, &resolved, plugin.manifest)
        figures.decideMs = watch.lap()
        let asked = resolved.description
        // What was decided may be less than what was asked about: then the query is prepared anew, over less.
        if let limit = admission.limit { resolved = try resolve(request.limited(by: limit), plugin) }
        return try run(request, plugin, &resolved, asked: asked, admission, &figures)
    }

    private func run(
        _ request: RunRequest, _ plugin: borrowing VerifiedPlugin, _ resolved: inout Resolved,
        asked: DataflowDescription, _ admission: Decision, _ figures: inout RunFigures
    ) throws(Diagnostic) -> RunResult {
        if !resolved.description.minimisation.isEmpty || resolved.access.isKeyed {
            resolved.hash.set(
                try host.identifiers.keyedHash(
                    app: request.app, publisher: resolved.description.plugin.signerKeyID))
        }
        resolved.arguments = try host.identify(
            resolved.arguments, for: plugin.manifest, app: request.app,
            publisher: resolved.description.plugin.signerKeyID)
        let place = try host.places.take(
            run: resolved.run, app: request.app,
            memoryMiB: RunLimits(plugin.manifest, caps: host.configuration.caps)[.memoryMiB], cancellation)
        defer { withExtendedLifetime(place) {} }
        if place.hasWaited {
            // The grant, the rules or the trust may have been taken back meanwhile. Nothing was read yet.
            _ = try verify(request.plugin)
            try confirm(asked, plugin.manifest, admission, of: resolved.run)
        }
        // The individual's thinking time is no part of the run, and waiting for a place neither.
        var watch = Stopwatch()
        let run = resolved.run
        let manifest = plugin.manifest
        let today = try begin(request, plugin, resolved, asked: asked, admission)
        figures.records = resolved.records
        let handover = Handover(manifest.resultMoments, clock: clock())
        cancellation.whenCancelled(handover.cancel)
        do {
            figures.recordMs = watch.lap()
            let result = try compute(run, plugin, resolved, admission, today, handover, &figures, &watch)
            figures.wholeMs = figures.verifyMs + figures.resolveMs + watch.total
            let digest = SaltedDigest(of: result.bytes)
            if admission.isPreview { try review(run, asked, result, digest, admission) }
            // In one piece: a change either comes before, and nothing is handed over, or finds the record of it.
            try host.grants.unchanged { () throws(Diagnostic) in
                try confirm(asked, manifest, admission, of: run)
                let watch = Stopwatch()
                try recordEnd(run, of: request.app, result, digest, figures)
                figures.recordMs += watch.total
            }
            handover.wait()
            return RunResult(
                run: run, value: RunResult.Value(result), columns: plugin.manifest.result.columnNames,
                figures: figures)
        } catch {
            figures.wholeMs = figures.verifyMs + figures.resolveMs + watch.total
            try recordFailure(run, of: request.app, error, figures)
            handover.wait()
            throw error
        }
    }

    // MARK: Verify

    func verify(_ name: String) throws(Diagnostic) -> VerifiedPlugin {
        do throws(Diagnostic) {
            // One time for all: the ledger is looked at once.
            let now = try host.now()
            return try host.plugins(at: now).open(name, now: now)
        } catch {
            host.discard(name)
            throw error
        }
    }

    // MARK: Resolve

    /// An access that is prepared and lies within what the plugin declares.
    struct Resolved {
        /// The run's id.
        let run: String
        let sql: String
        let access: Access
        let assets: AssetTable
        var arguments: [(name: String, value: JSONValue)]
        var description: DataflowDescription
        /// What pseudonyms and samples are made with, keyed once the dataflow is allowed.
        let hash: LateHash
        /// What rules say about it.
        var rules: Decision
        /// What notes which records are read; nil where that is not recorded.
        let records: ReadRecorder?
    }

    private func resolve(_ request: RunRequest, _ plugin: borrowing VerifiedPlugin) throws(Diagnostic)
        -> Resolved
    {
        let manifest = plugin.manifest
        guard let sql = request.sql ?? manifest.defaultAccess else { throw .noQuery(manifest) }
        let declared = Set(manifest.parameters.parameters.map(\.name))
        let bound = Access.parameterNames(in: sql)
        // A name that only the query binds is no argument of the plugin's.
        let given = request.arguments.filter { declared.contains($0.key) || !bound.contains($0.key) }
        let arguments = try manifest.parameters.resolve(given: given)
        var bindings: [String: Cell] = [:]
        // The plugin's own query means its parameters, also where the app spells it out: else it would run over values
        // that the manifest does not allow, or that the plugin and the grant are not told.
        let isOwn = request.sql == nil || request.sql == manifest.defaultAccess
        for name in bound {
            if isOwn, let value = arguments.first(where: { $0.name == name })?.value {
                bindings[name] = value.cell
            } else if let value = request.bindings[name] {
                bindings[name] = value
            }
        }
        let assets = AssetTable()
        let hash = LateHash()
        let records = host.configuration.recordsReads ? ReadRecorder() : nil
        let access = try host.prepare(
            sql, bindings: bindings, for: manifest, assets: assets, imposed: request.imposed,
            rows: request.rows, hash: hash, records: records, engine: request.engine)
        try host.checkRoles(of: access, sql: sql, for: manifest)
        guard Dataflow.isAppID(request.app) else {
            throw Diagnostic(
                .appID, "an app id is labels of a-z, 0-9 and '-' with dots between them",
                help: "for example: org.example.notes")
        }
        try manifest.checkCopies()
        var description = DataflowDescription(
            app: request.app, plugin: PluginFacts(plugin), reads: access.analysis.tableUses,
            parameters: arguments, configuration: host.configuration, imposed: request.imposed)
        let rules = try host.judge(&description, manifest)
        return Resolved(
            run: Self.newRunID(), sql: sql, access: access, assets: assets, arguments: arguments,
            description: description,
            hash: hash, rules: rules, records: records)
    }

    private static func newRunID() -> String {
        var generator = SystemRandomNumberGenerator()
        // The highest bit is set, so that every id has twelve digits.
        return "r-" + String(generator.next() & 0xFFFF_FFFF_FFFF | 1 << 47, radix: 16)
    }
}
