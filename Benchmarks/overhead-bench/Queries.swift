import EscrowDiagnostics
import EscrowRelational
import EscrowSchema
import EscrowTabular

/// Queries of a process that stays, for the comparison with other readers: no process to start, no home to open.
enum Queries {
    /// The connection that waits for the next query, as in a host that stays.
    private static let spare = SpareConnection()

    /// Answers one query; prints `{"ms": …, "answer": [first row's cells]}`.
    static func answer(_ sql: String, _ tables: [any TableSource]) throws(Diagnostic) {
        spare.refill()
        var clock = Clock()
        let access = try Access(AccessRequest(sql: sql), tables: tables, assets: AssetTable(), spare: spare)
        var cells: [String] = []
        while let batch = try access.next(maxRows: 8_192, maxBytes: 1 << 20) {
            guard cells.isEmpty else { continue }
            cells = batch.schema.fields.indices.map { column in
                // A moment as SQL has it, not as the batch counts it.
                if batch.schema.fields[column].type == .timestamp {
                    return batch.timestamp(row: 0, column: column).map { "\"\($0.iso8601)\"" } ?? "null"
                }
                switch batch.cell(row: 0, column: column) {
                case .null, .blob: return "null"
                case .integer(let value): return String(value)
                case .real(let value): return String(value)
                case .text(let value): return "\"\(value)\""
                }
            }
        }
        let took = clock.lap()
        Line.tell(#"{"ms": \#(took), "answer": [\#(cells.joined(separator: ", "))]}"#)
    }
}
