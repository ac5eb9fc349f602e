import EscrowComputation
import EscrowConsent
import EscrowDiagnostics
import EscrowManifest
import EscrowTabular
import EscrowTrust

/// Step 8 of a run where the individual picks: neither app nor plugin learns of a row that was not picked.
extension Runner {
    func picked(
        of rows: any RowProvider, _ rule: PickRule, _ run: borrowing Run
    ) throws(Diagnostic) -> any RowProvider {
        guard decider.canAsk else {
            throw Diagnostic(
                .nobodyToPick, "you are to pick what this run is for, and nobody is here to be asked",
                help: "run it on a terminal: escrow run \(run.plugin.manifest.shortName)")
        }
        var all: [[Cell]] = []
        while let batch = try rows.next(maxRows: 512, maxBytes: 1 << 20) {
            guard all.count + batch.rowCount <= PickRule.mostRows else {
                throw Diagnostic(
                    .tooManyToPick, "there are more than \(PickRule.mostRows) rows to pick from",
                    help: "let the query yield fewer")
            }
            for row in 0..<batch.rowCount {
                all.append(rows.schema.fields.indices.map { batch.cell(row: row, column: $0) })
            }
        }
        let shown = rule.shows.compactMap { name in rows.schema.fields.firstIndex { $0.name == name } }
        let question = PickQuestion(
            plugin: run.plugin.manifest.title, app: run.description.app,
            rows: all.map { row in
                let words = shown.map { row[$0].shown }.filter { !$0.isEmpty }
                return PlainText.neutral(words.joined(separator: "  "), longest: 160)
            }, most: rule.most)
        guard let places = decider.pick(question), !places.isEmpty else {
            throw Diagnostic(.nothingPicked, "you picked nothing, so nothing was computed")
        }
        precondition(places.count <= rule.most && Set(places).count == places.count)
        return PickedRows(schema: rows.schema, rows: places.sorted().map { all[$0] })
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

extension Cell {
    /// How somebody tells it from others.
    fileprivate var shown: String {
        switch self {
        case .null: ""
        case .text(let text): text
        case .integer(let number): String(number)
        case .real(let number): String(describing: number)
        default: ""
        }
    }
}
