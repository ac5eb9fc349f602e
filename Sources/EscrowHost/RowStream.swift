import EscrowDiagnostics
import EscrowRelational
import EscrowTabular

/// Where the rows of a run come from: the person's own data, or the mock rows of a test case.
protocol RowProvider: AnyObject {
    /// The columns of Ds.
    var schema: Schema { get }
    /// The next rows, at least one; nil when there are none left.
    func next(maxRows: Int, maxBytes: Int) throws(Diagnostic) -> Batch?
}

/// Ds on its way to the plugin, read one batch ahead, so that each batch can say whether more follow and so that a
/// plugin's minimum number of rows is known before it starts.
final class RowStream {
    /// Rows handed over so far.
    private(set) var rows = 0
    /// Bytes of cells handed over so far.
    private(set) var bytes = 0
    /// The columns of Ds.
    var schema: Schema { provider.schema }

    private static let batchRows = 8_192
    private static let batchBytes = 1 << 20
    /// Rows of the first batch: small, so that a plugin starts to work early.
    private static let firstRows = 512

    private let provider: any RowProvider
    private var waiting: [Batch] = []
    private var isExhausted = false
    private var isFirst = true

    init(_ provider: any RowProvider) { self.provider = provider }

    /// Reads ahead until at least `minimum` rows wait: the small-group guard of a manifest's `accepts.rows.min`.
    func require(minimum: Int, plugin: String) throws(Diagnostic) {
        var count = 0
        while count < minimum, try readAhead() { count += waiting.last?.rowCount ?? 0 }
        guard count >= minimum else {
            throw Diagnostic(
                "E0470", "this run would compute over \(count) rows; \(plugin)'s own minimum is \(minimum)",
                notes: [
                    "a plugin may ask for a minimum so that a result is never about a single person or place"
                ],
                help: "widen the query or its parameters")
        }
    }

    /// The next rows, at most `limit`, and whether more follow; an empty batch when there are none.
    func take(limit: Int) throws(Diagnostic) -> (batch: Batch, more: Bool) {
        if waiting.isEmpty { _ = try readAhead(rows: min(limit, Self.batchRows)) }
        guard var batch = waiting.first else { return (BatchBuilder(schema: schema).finish(), false) }
        if batch.rowCount > limit {
            waiting[0] = try batch.slice(limit..<batch.rowCount)
            batch = try batch.slice(0..<limit)
        } else {
            waiting.removeFirst()
            if waiting.isEmpty { _ = try readAhead(rows: min(limit, Self.batchRows)) }
        }
        rows += batch.rowCount
        bytes += batch.byteCount
        return (batch, !waiting.isEmpty)
    }

    private func readAhead(rows: Int = RowStream.batchRows) throws(Diagnostic) -> Bool {
        guard !isExhausted else { return false }
        let limit = isFirst ? min(rows, Self.firstRows) : rows
        isFirst = false
        guard let batch = try provider.next(maxRows: limit, maxBytes: Self.batchBytes) else {
            isExhausted = true
            return false
        }
        waiting.append(batch)
        return true
    }
}

extension Batch {
    /// The rows in a range, as a batch of their own.
    func slice(_ range: Range<Int>) throws(Diagnostic) -> Batch {
        let builder = BatchBuilder(schema: schema, rowCapacity: range.count)
        do throws(TabularError) {
            for row in range {
                for column in schema.fields.indices {
                    try builder.append(cell: cell(row: row, column: column), to: column)
                }
                try builder.endRow()
            }
        } catch {
            throw Diagnostic("E0001", "a batch could not be divided: \(error)")
        }
        return builder.finish()
    }
}
