import EscrowConsent
import EscrowDiagnostics
import EscrowJSON
import EscrowLedger
import EscrowManifest
import EscrowMinimisation
import EscrowRelational
import EscrowSandbox
import EscrowTabular
import EscrowTrust
import EscrowWire

extension Runner {
    /// Step 7: the intent, durable before any data is read. The SQL text is the app's and is kept; the values bound to
    /// it are not, and neither is any cell.
    func recordIntent(
        _ request: RunRequest, _ plugin: borrowing VerifiedPlugin, _ resolved: Resolved,
        _ admission: Decision, reserves use: DayUse
    ) throws(Diagnostic) {
        let analysis = resolved.access.analysis
        var fields: JSONValue = [
            "app": .string(request.app),
            "plugin": .string(plugin.manifest.id),
            "version": .string(plugin.manifest.version.description),
            "manifest": .string("sha256:" + plugin.manifestDigest),
            "signers": .array(plugin.keyIDs.map { .string($0.description) }),
            "purpose": .string(plugin.manifest.purpose.code.rawValue),
            "returns": .array(
                analysis.returned.compactMap { $0.origin?.description }.sorted().map(JSONValue.string)),
            "uses": .array(analysis.used.sorted().map { .string($0.description) }),
            "coarser": .array(resolved.description.minimisation.terms.map(JSONValue.string)),
            "identifiers": .array(
                plugin.manifest.parameters.identifiers.sorted().map { .string($0.rawValue) }),
            "parameters": .array(resolved.arguments.map { .string($0.name) }),
            "target": .string(resolved.description.target),
            "capacity": .string(resolved.description.capacity),
            "place": .string(resolved.description.place.spelling),
            "grant": admission.grant.map { .string($0.id) } ?? .null,
            "state": .string(admission.state.rawValue),
            "reason": .string(admission.reason.rawValue), "preview": .bool(admission.isPreview),
            "decidedBy": .string(admission.decidedBy),
            "dataflow": .string(resolved.description.digest),
            "words": .string(resolved.description.wordsDigest),
            "tables": .array(resolved.description.reads.map { .string($0.table) }),
            // What it may use of the day: until its end it counts as used.
            "reserves": [
                "cpuSeconds": .integer(Int64(use.cpuSeconds)), "bytes": .integer(Int64(use.bytes)),
            ],
        ]
        // A long query stands there once a day, however often it is run.
        let query = LedgerText.fields("sql", resolved.sql, in: host.ledgerUse.today())
        fields = .object((fields.members ?? []) + query.fields + resolved.rules.grounds.members)
        if let limit = admission.limit {
            let phrases = JSONValue.array(limit.phrases.map(JSONValue.string))
            fields = .object((fields.members ?? []) + [("limit", phrases)])
        }
        let lowered = host.configuration.loweredNames
        if !lowered.isEmpty {
            let walls = JSONValue.array(lowered.map(JSONValue.string))
            fields = .object((fields.members ?? []) + [("loweredWalls", walls)])
        }
        let entry = try host.record(.runIntent, run: resolved.run, of: request.app, fields)
        if let text = query.new { try host.ledgerUse.change { $0.keep(text, entry: entry.sequence) } }
    }

    /// Steps 8 to 11: access and compute stream into each other; then the result is checked and written out again.
    func compute(
        _ run: String, _ plugin: borrowing VerifiedPlugin, _ resolved: Resolved,
        _ admission: Decision, _ today: DayUse, _ handover: Handover, _ figures: inout RunFigures,
        _ watch: inout Stopwatch
    ) throws(Diagnostic) -> NormalizedResult {
        let manifest = plugin.manifest
        let identity = PluginIdentity(id: manifest.id, version: manifest.version.description)
        cancellation.watch(resolved.access)
        // What is still read ahead then reaches nobody, and the record of what was read is about to be made.
        defer { resolved.access.close() }
        let limits = RunLimits(manifest, caps: host.configuration.caps).with(cpuSeconds: today.cpuSeconds)
        let rows = RowStream(
            try AccessRows(resolved.access, columns: manifest.accepts.columns), rows: limits[.rows],
            bytes: limits.sandbox.dataBytes)
        let record = ComputationRecord()
        defer { figures.take(record, rows, limits) }
        try rows.require(minimum: manifest.accepts.rows.minimum, plugin: identity.shortName)
        let desk =
            manifest.egress.isEmpty
            ? nil
            : try EgressDesk(
                host: host, run: run, manifest: manifest, description: resolved.description,
                admission: admission, bytes: today.bytes)
        defer { figures.take(desk) }
        let process = try host.launch(plugin, limits: limits.sandbox)
        if let desk { cancellation.whenCancelled(desk.stop) }
        handover.desk = desk
        cancellation.watch(process)
        figures.launchMs = watch.lap()
        let computation = Computation(
            plugin: identity, manifest: manifest, limits: limits, rows: rows, assets: resolved.assets,
            stripsFiles: resolved.description.minimisation.stripsFiles,
            fetcher: desk,
            record: record, progress: observer.progress, log: observer.log)
        let product = try computation.run(process, run: run, arguments: resolved.arguments)
        figures.computeMs = watch.lap()
        let result = try manifest.result.check(product.payload, plugin: identity)
        // What was sent is taken off: both leave.
        let left = today.bytes - (desk?.sentBytes ?? 0)
        guard result.size <= left else { throw .overAllowance("the result", left: left) }
        figures.resultBytes = result.size
        figures.resultMs = watch.lap()
        return result
    }

    /// Step 12: durable before the result leaves. The result itself is not kept: a salted digest commits to it.
    func recordEnd(
        _ run: String, of app: String, _ result: NormalizedResult, _ digest: SaltedDigest,
        _ figures: RunFigures
    ) throws(Diagnostic) {
        var fields = figures.ledgerFields(failed: nil)
        fields += [
            ("outcome", "returned"), ("exit", 0), ("resultBytes", .integer(Int64(result.size))),
            ("resultDigest", .string(digest.digest)), ("resultSalt", .string(digest.salt)),
        ]
        try host.record(.runEnd, run: run, of: app, .object(fields))
    }

    /// The end of a run that returned nothing.
    func recordFailure(
        _ run: String, of app: String, _ diagnostic: Diagnostic, _ figures: RunFigures
    ) throws(Diagnostic) {
        var fields = figures.ledgerFields(failed: diagnostic)
        fields += [
            ("outcome", "nothing returned"), ("exit", .integer(Int64(diagnostic.exitStatus.rawValue))),
            ("code", .string(diagnostic.code.rawValue)), ("message", .string(diagnostic.message)),
        ]
        try host.record(.runEnd, run: run, of: app, .object(fields))
    }
}

extension Decision {
    /// By what the run is allowed, for the ledger: `grant`, `rule` or `prompt`.
    fileprivate var decidedBy: String {
        reason == .rule ? "rule" : grant?.isForOneRun == true ? "prompt" : "grant"
    }
}
