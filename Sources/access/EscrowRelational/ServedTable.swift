public import EscrowDiagnostics
public import EscrowSchema
internal import EscrowTabular

/// A table of which only some records are served: chosen ones, those that meet a condition, or both.
///
/// The rest does not exist for a query, not even for its joins and counts. A condition is SQL as it stands after WHERE. It is
/// evaluated on exact values, before minimisation, by an access of its own that sees this table alone.
public struct ServedTable: TableSource {
    let source: any TableSource
    let ids: Set<String>?
    let condition: String?
    /// How many records are served at most: those with the greatest values of a column, or without one the first.
    let first: (count: Int, by: String?)?
    let idColumn: Int?

    /// Wraps a table. `ids` are values of its column `id`, spelled as text.
    public init(
        _ source: any TableSource, ids: [String]?, condition: String?, first: (count: Int, by: String?)? = nil
    ) throws(Diagnostic) {
        self.source = source
        self.ids = ids.map(Set.init)
        self.condition = condition
        self.first = first
        idColumn = ids?.isEmpty == false ? source.spec.column(named: "id") : nil
        guard ids?.isEmpty != false || idColumn != nil else {
            throw Diagnostic(
                .noRecordIDs, "the records of \(source.spec.name) have no id to choose them by",
                help: "limit it by a condition: --where \"\(source.spec.name): …\"")
        }
        if let column = first?.by, source.spec.column(named: column) == nil {
            throw Diagnostic(
                .noNewestColumn, "\(source.spec.name) has no such column to find its newest records by",
                help: "`escrow schema \(source.spec.name)` lists its columns")
        }
        // A condition that cannot be prepared is refused before anything runs.
        if decidesByQuery { _ = try decider(nil) }
    }

    public var spec: TableSpec { source.spec }

    /// Whether no record is served. The source is then not opened, so that nothing about it shows.
    private var isEmpty: Bool { ids?.isEmpty == true }

    public func offer(for request: ScanRequest) -> ScanOffer {
        guard !isEmpty else {
            return ScanOffer(
                prunes: request.predicates.map { _ in false }, servesOrder: false, estimatedRows: 0)
        }
        return source.offer(for: reduced(request))
    }

    public func snapshot(assets: AssetTable) throws(Diagnostic) -> any TableSnapshot {
        isEmpty ? NoRows() : ServedSnapshot(self, try source.snapshot(assets: assets))
    }

    /// The source's part of a request, without LIMIT: how many rows it must read to serve so many is not known.
    func reduced(_ request: ScanRequest) -> ScanRequest {
        var request = request
        request.limit = nil
        if let idColumn { request.columns.insert(idColumn) }
        return request
    }

    /// Whether a query over the whole table decides which rows are served.
    var decidesByQuery: Bool { condition != nil || first != nil }

    /// The access that finds the rows which meet the condition, and of these the first.
    func decider(_ snapshot: (any TableSnapshot)?) throws(Diagnostic) -> Access {
        let numbered = NumberedTable(source, snapshot)
        var end = ""
        if let first {
            // Checked to be a column's name. Rows without a value are the last.
            if let column = first.by { end += " ORDER BY \"\(column)\" DESC" }
            end += " LIMIT \(first.count)"
        }
        return try Access(
            AccessRequest(
                sql:
                    "SELECT \"\(NumberedTable.column)\" FROM \"\(source.spec.name)\" WHERE (\(condition ?? "1"))"
                    + end,
                columnTypes: [.integer]),
            tables: [numbered], assets: AssetTable())
    }
}

/// A served table as it stood when a statement began.
final class ServedSnapshot: TableSnapshot {
    private let table: ServedTable
    private let source: any TableSnapshot
    private var kept: RowSet?

    init(_ table: ServedTable, _ source: any TableSnapshot) {
        self.table = table
        self.source = source
    }

    func scan(_ request: ScanRequest) throws(Diagnostic) -> any TableScan {
        if table.decidesByQuery, kept == nil { kept = try rowsThatMeet() }
        return ServedScan(table, try source.scan(table.reduced(request)), request.columns, kept)
    }

    private func rowsThatMeet() throws(Diagnostic) -> RowSet {
        let access = try table.decider(source)
        var rows = RowSet()
        while let batch = try access.next(maxRows: 8_192, maxBytes: 1 << 20) {
            for row in 0..<batch.rowCount { rows.insert(batch.integer(row: row, column: 0)) }
        }
        return rows
    }
}

private final class NoRows: TableSnapshot, TableScan {
    func scan(_ request: ScanRequest) -> any TableScan { self }

    func next(into chunk: ColumnChunk) -> Bool {
        chunk.removeAll()
        return false
    }
}

/// Positions of rows, a bit each.
struct RowSet {
    private var words: [UInt64] = []

    mutating func insert(_ row: Int64) {
        guard row >= 0 else { return }
        let word = Int(row >> 6)
        if word >= words.count { words += Array(repeating: 0, count: word + 1 - words.count) }
        words[word] |= 1 << UInt64(row & 63)
    }

    func contains(_ row: Int64) -> Bool {
        let word = Int(row >> 6)
        return row >= 0 && word < words.count && words[word] & (1 << UInt64(row & 63)) != 0
    }
}

final class ServedScan: TableScan {
    private let table: ServedTable
    private let source: any TableScan
    private let columns: [Int]
    private let kept: RowSet?
    private let raw: ColumnChunk

    init(_ table: ServedTable, _ source: any TableScan, _ columns: ColumnMask, _ kept: RowSet?) {
        self.table = table
        self.source = source
        self.columns = columns.columns
        self.kept = kept
        raw = ColumnChunk(spec: table.spec)
    }

    func next(into chunk: ColumnChunk) throws(Diagnostic) -> Bool {
        chunk.removeAll()
        raw.removeAll()
        raw.wantedRows = chunk.wantedRows
        let isMore = try source.next(into: raw)
        let rowIDs = raw.rowIDs
        let idView = table.idColumn.map { raw.view(of: $0) }
        let views = columns.map { ($0, raw.view(of: $0)) }
        for row in 0..<raw.rowCount {
            let number = rowIDs.integer(row)
            if let kept, !kept.contains(number) { continue }
            if let ids = table.ids, let idView, !ids.contains(id(idView, row) ?? "") { continue }
            try chunk.copy(row, of: raw, table.spec, views)
            chunk.endRow(id: number)
        }
        return isMore
    }

    private func id(_ view: ColumnChunk.View, _ row: Int) -> String? {
        guard view.hasValue(row), let column = table.idColumn else { return nil }
        return switch table.spec.columns[column].type {
        case .integer, .boolean: String(view.integer(row))
        case .real: String(view.real(row))
        case .text, .timestamp, .asset, .blob: String(decoding: view.bytes(row), as: UTF8.self)
        }
    }
}

extension ColumnChunk {
    /// Throws where a value was too long to be kept.
    func checkSizes(_ spec: TableSpec) throws(Diagnostic) {
        guard let column = oversizedColumn else { return }
        throw Diagnostic(
            .valueTooLong,
            "a value of \(spec.name).\(spec.columns[column].name) is longer than \(Self.valueCapacity) bytes",
            help: "leave the column out of the query")
    }

    /// Appends the values of a row of another chunk, without ending the row.
    func copy(
        _ row: Int, of other: ColumnChunk, _ spec: TableSpec, _ views: [(Int, View)]
    ) throws(Diagnostic) {
        try other.checkSizes(spec)
        for (column, view) in views where view.hasValue(row) {
            switch spec.columns[column].type {
            case .integer, .boolean: append(view.integer(row), to: column)
            case .real: append(view.real(row), to: column)
            case .text, .timestamp, .asset, .blob: append(view.bytes(row), to: column)
            }
        }
    }
}
