import EscrowDiagnostics
import EscrowRelational
import EscrowSchema
import EscrowTabular

/// Takes the bytes as the SQL of an access over one small table, with one column granted and one withheld. Whatever
/// runs must not have read the withheld column, and no error may repeat the withheld value.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzSQL(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
    let sql = String(decoding: UnsafeBufferPointer(start: data, count: size), as: UTF8.self)
    let table = FuzzTable()
    let request = AccessRequest(
        sql: sql, granted: ["T": ["open", "id"]],
        budget: AccessBudget(rows: 1_000, bytes: 1 << 20, seconds: 1, heldBytes: 1 << 20, steps: 1_000_000))
    do throws(Diagnostic) {
        let access = try Access(request, tables: [table], assets: AssetTable())
        precondition(access.analysis.used.allSatisfy { $0.column != "secret" })
        while let batch = try access.next(maxRows: 100, maxBytes: 1 << 16) {
            precondition(batch.rowCount > 0)
        }
        precondition(!access.explanation.queryPlan.isEmpty)
    } catch {
        precondition(sql.contains("kanarienvogel") || !error.description.contains("kanarienvogel"))
        precondition(error.exitStatus == .accessRefused || error.exitStatus == .limit)
    }
    return 0
}

/// Five rows; stops the program if the column that is not granted is asked for.
private final class FuzzTable: TableSource, TableSnapshot, TableScan {
    nonisolated(unsafe) private var columns = ColumnMask(bits: 0)
    nonisolated(unsafe) private var at = 0

    let spec = TableSpec(
        name: "T", sourceKind: "t", summary: "rows",
        columns: [
            ColumnSpec("id", .integer, "number"), ColumnSpec("open", .text, "text"),
            ColumnSpec("secret", .text, "not granted"),
        ], examples: [])

    func offer(for request: ScanRequest) -> ScanOffer {
        ScanOffer(prunes: request.predicates.map { _ in false }, servesOrder: false, estimatedRows: 5)
    }

    func snapshot(assets: AssetTable) throws(Diagnostic) -> any TableSnapshot { FuzzTable() }

    func scan(_ request: ScanRequest) throws(Diagnostic) -> any TableScan {
        precondition(!request.columns.contains(2), "a column that is not granted was asked for")
        let scan = FuzzTable()
        scan.columns = request.columns
        return scan
    }

    func next(into chunk: ColumnChunk) throws(Diagnostic) -> Bool {
        while at < 5 {
            if columns.contains(0) { chunk.append(Int64(at), to: 0) }
            if columns.contains(1), at != 3 { chunk.append("text \(at)", to: 1) }
            if columns.contains(2) { chunk.append("kanarienvogel", to: 2) }
            chunk.endRow(id: Int64(at))
            at += 1
        }
        return false
    }
}
