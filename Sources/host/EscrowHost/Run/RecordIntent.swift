import EscrowConsent
import EscrowDiagnostics
import EscrowHome
import EscrowJSON
import EscrowLedger
import EscrowManifest
import EscrowMinimisation
import EscrowRelational
import EscrowTrust

/// Step 7 of a run: the intent, durable before any data is read.
extension Runner {
    /// Records the intent, and with it what the run may use of the day, by one step with every other run: two that begin
    /// together never both have the last of it.
    func recordIntent(_ run: Run) throws(Diagnostic) {
        let manifest = run.plugin.manifest
        let most = host.mostUse(of: manifest)
        run.today = most
        guard run.resolved.rules.grounds.today != nil else { return try writeIntent(run) }
        try host.allotting { () throws(Diagnostic) in
            // Other runs began since the rules were looked at first, and the device may be another.
            var seen = run.asked
            let rules = try host.judge(&seen, manifest, of: nil)
            let decision = try host.decisions.decide(
                for: run.asked.dataflow, rules: rules, claimed: run.decision.grant)
            guard decision.runs, decision.limit == run.decision.limit, rules.grounds.waits.isEmpty else {
                try host.recordRules("no longer", run.asked, rules.grounds)
                throw .overtaken()
            }
            let today = rules.grounds.today
            run.today = (run.decision.reason == .rule ? today?.permitted : today?.granted) ?? most
            try writeIntent(run)
        }
    }

    /// The SQL text is the app's and is kept; the values bound to it are not, and neither is any cell.
    private func writeIntent(_ run: Run) throws(Diagnostic) {
        let use = run.today
        let analysis = run.resolved.access.analysis
        var fields: JSONValue = [
            "app": .string(run.request.app),
            "plugin": .string(run.plugin.manifest.id),
            "version": .string(run.plugin.manifest.version.description),
            "manifest": .string("sha256:" + run.plugin.manifestDigest),
            "signers": .array(run.plugin.keyIDs.map { .string($0.description) }),
            "purpose": .string(run.plugin.manifest.purpose.code.rawValue),
            "returns": .array(
                analysis.returned.compactMap { $0.origin?.description }.sorted().map(JSONValue.string)),
            "uses": .array(analysis.used.sorted().map { .string($0.description) }),
            "coarser": .array(run.description.minimisation.terms.map(JSONValue.string)),
            "identifiers": .array(
                run.plugin.manifest.parameters.identifiers.sorted().map { .string($0.rawValue) }),
            "parameters": .array(run.resolved.arguments.map { .string($0.name) }),
            "target": .string(run.description.target),
            "capacity": .string(run.description.capacity),
            "place": .string(run.description.place.spelling),
            "grant": run.decision.grant.map { .string($0.id) } ?? .null,
            "state": .string(run.decision.state.rawValue),
            "reason": .string(run.decision.reason.rawValue), "preview": .bool(run.decision.isPreview),
            "decidedBy": .string(run.decision.decidedBy),
            "dataflow": .string(run.description.digest),
            "words": .string(run.description.wordsDigest),
            "tables": .array(run.description.reads.map { .string($0.table) }),
            // What it may use of the day: until its end it counts as used.
            "reserves": [
                "cpuSeconds": .integer(Int64(use.cpuSeconds)), "bytes": .integer(Int64(use.bytes)),
            ],
        ]
        // A long query stands there once a day, however often it is run.
        let query = LedgerText.fields("sql", run.resolved.sql, in: host.day.today())
        fields = .object((fields.members ?? []) + query.fields + run.resolved.rules.grounds.members)
        if run.request.proof != .claim {
            fields = .object((fields.members ?? []) + [("known", .string(run.request.proof.rawValue))])
        }
        if let server = run.resolved.server {
            fields = .object((fields.members ?? []) + [("at", .object(server.ledgerFields))])
        }
        if let placed = run.request.placed {
            fields = .object((fields.members ?? []) + [("placed", .string(placed))])
        }
        if let schedule = run.request.schedule {
            fields = .object((fields.members ?? []) + [("schedule", .string(schedule))])
        }
        if let limit = run.decision.limit {
            let phrases = JSONValue.array(limit.phrases.map(JSONValue.string))
            fields = .object((fields.members ?? []) + [("limit", phrases)])
        }
        let lowered = host.configuration.loweredNames
        if !lowered.isEmpty {
            let walls = JSONValue.array(lowered.map(JSONValue.string))
            fields = .object((fields.members ?? []) + [("loweredWalls", walls)])
        }
        let entry = try host.record(.runIntent, run: run.id, of: run.request.app, fields)
        if let text = query.new { try host.day.change { $0.keep(text, entry: entry) } }
    }
}

extension Diagnostic {
    fileprivate static func overtaken() -> Diagnostic {
        Diagnostic(
            .rulesChanged, "your rules let this run begin a moment ago, and now do not",
            notes: [
                "what other runs take of today, the device, or the rules changed", "nothing was read or sent",
            ],
            help: "run it again when other runs have ended: what they did not use is there again")
    }
}

extension Decision {
    /// By what the run is allowed, for the ledger: `grant`, `rule` or `prompt`.
    fileprivate var decidedBy: String {
        reason == .rule ? "rule" : grant?.isForOneRun == true ? "prompt" : "grant"
    }
}
