import EscrowDiagnostics
import EscrowRelational
import EscrowSchema
import EscrowTabular

/// What a row costs the engine itself: a table that lies in memory, 14 bytes of text a value, by each engine and by hand.
enum RowCost {
    static let rows = 100_000
    static let widest = 4

    /// A source without files.
    struct Rows: TableSource {
        let spec = TableSpec(
            name: "Rows", sourceKind: "memory", summary: "One row is one of many.",
            columns: (0..<RowCost.widest).map { ColumnSpec("c\($0)", .text, "Text.") }, examples: [])
        /// The texts of all rows, one behind the other.
        let text: [UInt8] = Array((0..<RowCost.rows).map { "value \(1_000_000 + $0) " }.joined().utf8)

        func offer(for request: ScanRequest) -> ScanOffer {
            ScanOffer(
                prunes: request.predicates.map { _ in false }, servesOrder: request.order.isEmpty,
                estimatedRows: RowCost.rows)
        }
        func fingerprint() throws(Diagnostic) -> TableFingerprint? { TableFingerprint("always the same") }
        func snapshot(assets: AssetTable) throws(Diagnostic) -> any TableSnapshot { Snapshot(self) }

        final class Snapshot: TableSnapshot {
            let table: Rows
            init(_ table: Rows) { self.table = table }
            func scan(_ request: ScanRequest) throws(Diagnostic) -> any TableScan {
                Scan(table.text, request.columns.columns)
            }
        }

        final class Scan: TableScan {
            private let text: [UInt8]
            private let columns: [Int]
            private var at = 0
            init(_ text: [UInt8], _ columns: [Int]) {
                self.text = text
                self.columns = columns
            }
            func next(into chunk: ColumnChunk) throws(Diagnostic) -> Bool {
                chunk.removeAll()
                text.withUnsafeBytes { text in
                    while !chunk.isFull, at < RowCost.rows {
                        let value = UnsafeRawBufferPointer(rebasing: text[at * 14..<at * 14 + 14])
                        for column in columns { chunk.append(value, to: column) }
                        chunk.endRow(id: Int64(at))
                        at += 1
                    }
                }
                return chunk.rowCount > 0
            }
        }
    }

    /// The ways to read the first `width` columns of all rows.
    static func ways(_ width: Int, _ kept: MaterialCache) -> [(String, () throws(Diagnostic) -> Tally)] {
        let table = Rows()
        let sql = "SELECT \((0..<width).map { "c\($0)" }.joined(separator: ", ")) FROM Rows"
        func engine(_ engine: Engine, _ kept: MaterialCache? = nil) -> () throws(Diagnostic) -> Tally {
            { () throws(Diagnostic) in try answer(sql, [table], by: engine, kept) }
        }
        return [
            ("by hand", { () throws(Diagnostic) in try byHand(table, width) }),
            ("materialized", engine(.materialized, kept)), ("virtual", engine(.virtual)),
            ("pushdown", engine(.pushdown)),
        ]
    }

    private static func byHand(_ table: Rows, _ width: Int) throws(Diagnostic) -> Tally {
        let scan = try table.snapshot(assets: AssetTable()).scan(
            ScanRequest(columns: ColumnMask(0..<width)))
        let chunk = ColumnChunk(spec: table.spec)
        var tally = Tally()
        while try scan.next(into: chunk) {
            let views = (0..<width).map { (ColumnType.text, chunk.view(of: $0)) }
            for row in 0..<chunk.rowCount { add(row, views, to: &tally) }
        }
        return tally
    }
}
