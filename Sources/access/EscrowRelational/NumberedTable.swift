internal import EscrowDiagnostics
internal import EscrowSchema
internal import EscrowTabular

/// A table in one state with an added column, the row's number, by which another access finds the same rows.
///
/// `@unchecked`: used behind the gate of the access that it belongs to.
struct NumberedTable: TableSource, @unchecked Sendable {
    /// A name that no table's column has.
    static let column = "escrow row number"

    let spec: TableSpec
    private let source: any TableSource
    private let snapshot: (any TableSnapshot)?

    /// Without a snapshot the table can be prepared for, and not be read.
    init(_ source: any TableSource, _ snapshot: (any TableSnapshot)?) {
        self.source = source
        self.snapshot = snapshot
        let plain = source.spec
        spec = TableSpec(
            name: plain.name, sourceKind: plain.sourceKind, summary: plain.summary,
            columns: plain.columns + [
                ColumnSpec(Self.column, .integer, nullable: false, "The row's number.")
            ],
            examples: plain.examples)
    }

    private var number: Int { spec.columns.count - 1 }

    private func reduced(_ request: ScanRequest) -> ScanRequest {
        var request = request
        request.columns.bits &= ~(1 << UInt64(number))
        request.predicates.removeAll { $0.column == number }
        if request.order.contains(where: { $0.column == number }) { request.order = [] }
        return request
    }

    func offer(for request: ScanRequest) -> ScanOffer {
        let inner = source.offer(for: reduced(request))
        var kept = inner.prunes.makeIterator()
        return ScanOffer(
            prunes: request.predicates.map { $0.column == number ? false : kept.next() ?? false },
            servesOrder: !request.order.contains { $0.column == number } && inner.servesOrder,
            estimatedRows: inner.estimatedRows)
    }

    func snapshot(assets: AssetTable) throws(Diagnostic) -> any TableSnapshot {
        guard let snapshot else { return NumberedSnapshot(nil, spec, source.spec) { $0 } }
        return NumberedSnapshot(snapshot, spec, source.spec, reduced)
    }
}

private final class NumberedSnapshot: TableSnapshot {
    private let source: (any TableSnapshot)?
    private let spec: TableSpec
    private let plain: TableSpec
    private let reduced: (ScanRequest) -> ScanRequest

    init(
        _ source: (any TableSnapshot)?, _ spec: TableSpec, _ plain: TableSpec,
        _ reduced: @escaping (ScanRequest) -> ScanRequest
    ) {
        self.source = source
        self.spec = spec
        self.plain = plain
        self.reduced = reduced
    }

    func scan(_ request: ScanRequest) throws(Diagnostic) -> any TableScan {
        NumberedScan(try source?.scan(reduced(request)), plain, request.columns.columns)
    }
}

private final class NumberedScan: TableScan {
    private let source: (any TableScan)?
    private let plain: TableSpec
    private let columns: [Int]
    private let raw: ColumnChunk

    init(_ source: (any TableScan)?, _ plain: TableSpec, _ columns: [Int]) {
        self.source = source
        self.plain = plain
        self.columns = columns.filter { $0 < plain.columns.count }
        raw = ColumnChunk(spec: plain)
    }

    func next(into chunk: ColumnChunk) throws(Diagnostic) -> Bool {
        chunk.removeAll()
        guard let source else { return false }
        raw.removeAll()
        raw.wantedRows = chunk.wantedRows
        let isMore = try source.next(into: raw)
        let rowIDs = raw.rowIDs
        let views = columns.map { ($0, raw.view(of: $0)) }
        for row in 0..<raw.rowCount {
            try chunk.copy(row, of: raw, plain, views)
            chunk.append(rowIDs.integer(row), to: plain.columns.count)
            chunk.endRow(id: rowIDs.integer(row))
        }
        return isMore
    }
}
