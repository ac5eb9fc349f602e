import EscrowDiagnostics
import EscrowRelational
import EscrowSchema
import EscrowTabular

/// A source over rows in memory that records what it was asked for.
final class SyntheticSource: TableSource, @unchecked Sendable {
    let spec: TableSpec
    var rows: [[Cell]]
    /// Columns that any scan asked for.
    var requested = ColumnMask(bits: 0)
    var requests: [ScanRequest] = []
    var snapshots = 0
    /// Whether rows are left out by the predicates that the source understands (equality of text).
    var prunes = false
    /// The most rows of a chunk.
    var chunkRows = ColumnChunk.rowCapacity
    /// The state that is told; nil to tell none.
    var state: String?
    /// The order that the rows are in, which is then offered.
    var servedOrder: [OrderTerm] = []

    init(_ spec: TableSpec, rows: [[Cell]]) {
        self.spec = spec
        self.rows = rows
    }

    func offer(for request: ScanRequest) -> ScanOffer {
        ScanOffer(
            prunes: request.predicates.map { prunes && $0.operation == .equal && $0.collation == .binary },
            servesOrder: !servedOrder.isEmpty && servedOrder.starts(with: request.order),
            estimatedRows: rows.count)
    }

    func fingerprint() throws(Diagnostic) -> TableFingerprint? { state.map { TableFingerprint($0) } }

    func snapshot(assets: AssetTable) throws(Diagnostic) -> any TableSnapshot {
        snapshots += 1
        return Snapshot(self)
    }

    private final class Snapshot: TableSnapshot {
        let source: SyntheticSource
        init(_ source: SyntheticSource) { self.source = source }
        func scan(_ request: ScanRequest) throws(Diagnostic) -> any TableScan {
            source.requested = ColumnMask(bits: source.requested.bits | request.columns.bits)
            source.requests.append(request)
            return Scan(source, request)
        }
    }

    private final class Scan: TableScan {
        let source: SyntheticSource
        let request: ScanRequest
        var at = 0
        init(_ source: SyntheticSource, _ request: ScanRequest) {
            self.source = source
            self.request = request
        }

        func next(into chunk: ColumnChunk) throws(Diagnostic) -> Bool {
            while at < source.rows.count, !chunk.isFull, chunk.rowCount < source.chunkRows {
                defer { at += 1 }
                let row = source.rows[at]
                if source.prunes, isPruned(row) { continue }
                for column in request.columns.columns {
                    switch row[column] {
                    case .null: break
                    case .integer(let value): chunk.append(value, to: column)
                    case .real(let value): chunk.append(value, to: column)
                    case .text(let text): chunk.append(text, to: column)
                    case .blob(let bytes): chunk.append(bytes, to: column)
                    }
                }
                chunk.endRow(id: Int64(at))
            }
            return at < source.rows.count
        }

        private func isPruned(_ row: [Cell]) -> Bool {
            request.predicates.contains {
                guard $0.operation == .equal, $0.collation == .binary, case .text = $0.values[0] else {
                    return false
                }
                return row[$0.column] != $0.values[0]
            }
        }
    }
}

extension Access {
    /// All rows as cells.
    func allRows() throws -> [[Cell]] {
        var rows: [[Cell]] = []
        while let batch = try next(maxRows: 1_000, maxBytes: 1 << 20) {
            for row in 0..<batch.rowCount {
                rows.append(batch.schema.fields.indices.map { batch.cell(row: row, column: $0) })
            }
        }
        return rows
    }
}
