import EscrowDiagnostics
import EscrowRelational
import EscrowSchema
import EscrowTabular

/// The connection that waits for the next query: as in a host that stays, it is opened after the answer to the one before.
let spare = SpareConnection()

/// Answers a query through an engine; `materials` are the native tables of earlier queries.
func answer(
    _ sql: String, _ tables: [any TableSource], by engine: Engine, _ materials: MaterialCache? = nil
) throws(Diagnostic) -> Tally {
    let budget = AccessBudget(
        rows: 100_000_000, bytes: 1 << 40, seconds: 3_600, heldBytes: 1 << 30, steps: .max / 2,
        materializedBytes: 4 << 30)
    let access = try Access(
        AccessRequest(sql: sql, budget: budget, engine: engine), tables: tables,
        assets: AssetTable(), materials: materials, spare: spare)
    var tally = Tally()
    while let batch = try access.next(maxRows: 8_192, maxBytes: 4 << 20) {
        tally.rows += batch.rowCount
        for (column, field) in batch.schema.fields.enumerated() {
            for row in 0..<batch.rowCount {
                guard !batch.isNull(row: row, column: column) else {
                    tally.nulls += 1
                    continue
                }
                switch field.type {
                case .integer, .boolean: tally.numbers += Double(batch.integer(row: row, column: column))
                case .real: tally.numbers += batch.real(row: row, column: column)
                case .text, .blob: tally.bytes += batch.withBytes(row: row, column: column) { touch($0) }
                case .asset: tally.handles += 1
                case .timestamp: break
                }
            }
        }
    }
    return tally
}

func add(_ row: Int, _ views: [(ColumnType, ColumnChunk.View)], to tally: inout Tally) {
    tally.rows += 1
    for (type, view) in views {
        guard view.hasValue(row) else {
            tally.nulls += 1
            continue
        }
        switch type {
        case .integer, .boolean: tally.numbers += Double(view.integer(row))
        case .real: tally.numbers += view.real(row)
        case .text, .blob: tally.bytes += touch(view.bytes(row))
        case .timestamp, .asset: break
        }
    }
}

/// Looks at every byte; returns how many there are, and one more for each that is not ASCII.
func touch(_ bytes: UnsafeRawBufferPointer) -> Int {
    var sum = bytes.count
    for byte in bytes where byte >= 0x80 { sum += 1 }
    return sum
}
