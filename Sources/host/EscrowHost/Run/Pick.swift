import EscrowComputation
import EscrowConsent
import EscrowDiagnostics
import EscrowIdentity
import EscrowManifest
import EscrowMinimisation
import EscrowRelational
import EscrowTabular
import EscrowTrust

/// Where the individual picks: neither app nor plugin learns of a row that was not picked.
extension Runner {
    /// Lets a run begin where there is somebody to pick, or where they picked for it already: before anything is counted or read.
    func requirePick(_ run: Run) throws(Diagnostic) {
        guard run.plugin.manifest.pick != nil, !decider.canAsk else { return }
        let standing = try host.decisions.decide(
            for: run.description.dataflow, rules: run.resolved.rules, claimed: nil)
        guard standing.state == .authorized || standing.state == .limited else { return }
        let request = run.keptRequest
        guard try !host.picks.isPicked(request) else { return }
        host.picks.keep(request)
        throw .nobodyToPick(run.plugin.manifest.shortName)
    }

    /// Step 8 of such a run: of all rows those that are picked, at the terminal or before.
    func picked(
        of rows: any RowProvider, _ rule: PickRule, _ run: Run
    ) throws(Diagnostic) -> any RowProvider {
        let list = try PickList(
            of: rows, rule, plugin: run.plugin.manifest.title, app: run.description.app,
            assets: run.resolved.assets)
        guard !list.question.rows.isEmpty else { throw .nothingPicked() }
        let places: [Int]
        if decider.canAsk {
            guard let chosen = decider.pick(list.question) else { throw .nothingPicked() }
            places = chosen.sorted()
            // Whoever was there has picked: it waits no more.
            try host.picks.forget(run.keptRequest)
        } else {
            guard let marks = try host.picks.take(run.keptRequest) else {
                throw .nobodyToPick(run.plugin.manifest.shortName)
            }
            places = list.marks.indices.filter { marks.contains(list.marks[$0]) }
            guard places.count == marks.count else {
                throw Diagnostic(
                    .nothingPicked, "what you picked is not there any more, so nothing was computed")
            }
        }
        guard !places.isEmpty else { throw .nothingPicked() }
        precondition(places.count <= rule.most && Set(places).count == places.count)
        return PickedRows(schema: rows.schema, rows: places.map { list.cells[$0] })
    }

    /// The rows that a request would have picked from, for the individual's eyes alone.
    func pickList(_ request: RunRequest) throws(Diagnostic) -> PickList {
        let plugin = try verify(request.plugin)
        var resolved = try resolve(request, plugin)
        let decision = try host.decisions.decide(
            for: resolved.description.dataflow, rules: resolved.rules, claimed: nil)
        if let limit = decision.limit { resolved = try resolve(request.limited(by: limit), plugin) }
        defer { resolved.access.close() }
        if !resolved.description.minimisation.isEmpty || resolved.access.isKeyed {
            resolved.hash.set(
                try host.keyedHash(app: request.app, publisher: resolved.description.plugin.signerKeyID))
        }
        guard let rule = plugin.manifest.pick else {
            throw Diagnostic(.nothingWaits, "there is nothing to pick any more")
        }
        let rows = try AccessRows(resolved.access, columns: plugin.manifest.accepts.columns)
        return try PickList(
            of: rows, rule, plugin: plugin.manifest.title, app: request.app, assets: resolved.assets)
    }
}

extension Run {
    /// The request as it is kept.
    fileprivate var keptRequest: RunRequest {
        request.asKept(
            sql: resolved.sql, declared: Set(plugin.manifest.parameters.parameters.map(\.name)))
    }
}

extension Diagnostic {
    fileprivate static func nothingPicked() -> Diagnostic {
        Diagnostic(.nothingPicked, "you picked nothing, so nothing was computed")
    }

    fileprivate static func nobodyToPick(_ plugin: String) -> Diagnostic {
        Diagnostic(
            .nobodyToPick, "you are to pick what this run is for, and nobody is here to be asked",
            notes: ["it waits until you do: escrow page, or escrow pending"],
            help: "run it on a terminal: escrow run \(plugin)")
    }
}

/// The rows that were picked.
private final class PickedRows: RowProvider {
    let schema: Schema
    private var rows: [[Cell]]

    init(schema: Schema, rows: [[Cell]]) {
        self.schema = schema
        self.rows = rows
    }

    func next(maxRows: Int, maxBytes: Int) throws(Diagnostic) -> Batch? {
        guard !rows.isEmpty else { return nil }
        let taken = rows.prefix(maxRows)
        rows.removeFirst(taken.count)
        let builder = BatchBuilder(schema: schema, rowCapacity: taken.count)
        do throws(TabularError) {
            for row in taken {
                for (column, cell) in row.enumerated() { try builder.append(cell: cell, to: column) }
                try builder.endRow()
            }
        } catch {
            throw Diagnostic(.ownFault, "what was picked could not be put together: \(error)")
        }
        return builder.finish()
    }
}
