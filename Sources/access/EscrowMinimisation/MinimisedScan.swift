internal import EscrowDiagnostics
internal import EscrowSchema
internal import EscrowTabular

final class MinimisedSnapshot: TableSnapshot {
    let table: MinimisedTable
    let source: any TableSnapshot
    private var groups: GroupCount?

    init(_ table: MinimisedTable, _ source: any TableSnapshot) {
        self.table = table
        self.source = source
    }

    func scan(_ request: ScanRequest) throws(Diagnostic) -> any TableScan {
        if let part = table.rules.rows.personsPerMillion,
            !table.hash.isSampled(.person, [], perMillion: part)
        {
            return NoRows()
        }
        if let least = table.rules.rows.leastAlike, groups == nil {
            let whole = ScanRequest(columns: table.shown)
            groups = GroupCount(
                MinimisedScan(table, try source.scan(table.reduced(whole)), table.shown, nil), least: least)
        }
        return MinimisedScan(table, try source.scan(table.reduced(request)), request.columns, groups)
    }
}

/// How many rows of each kind the whole table has. The query must not change which rows are served, or the difference of
/// two queries would tell what neither does.
final class GroupCount {
    private let scan: MinimisedScan
    private let chunk: ColumnChunk
    private let least: Int
    private var counts: [KeyedHash.Value: Int] = [:]
    private(set) var isDone = false

    /// The most kinds that are counted for one statement, some 100 MB.
    private static let limit = 2_000_000

    init(_ scan: MinimisedScan, least: Int) {
        self.scan = scan
        self.least = least
        chunk = ColumnChunk(spec: scan.table.spec)
    }

    /// Counts one chunk: a step at a time, so that the budget of time is looked at in between.
    func step() throws(Diagnostic) {
        isDone = try !scan.next(into: chunk)
        let views = scan.table.shown.columns.map { chunk.view(of: $0) }
        for row in 0..<chunk.rowCount { counts[scan.group(views, row), default: 0] += 1 }
        guard counts.count <= Self.limit else {
            throw Diagnostic(
                .tooManyGroups,
                "\(scan.table.spec.name) has more than \(Self.limit) different rows, too many to count in groups",
                help: "let coarser or fewer columns be read")
        }
    }

    /// Whether enough rows are of this kind.
    func isLarge(_ kind: KeyedHash.Value) -> Bool { (counts[kind] ?? 0) >= least }
}

final class NoRows: TableScan {
    func next(into chunk: ColumnChunk) throws(Diagnostic) -> Bool {
        chunk.removeAll()
        return false
    }
}

/// One scan: the source's rows, some left out, the others with coarse values.
final class MinimisedScan: TableScan {
    let table: MinimisedTable
    private let source: any TableScan
    /// The columns to fill; a dropped one stays null.
    private let columns: [Int]
    private let groups: GroupCount?
    private let raw: ColumnChunk
    /// Coarse values of the columns that decide about a row's group, where the request does not fill them.
    private let groupColumns: [Int]

    init(
        _ table: MinimisedTable, _ source: any TableScan, _ columns: ColumnMask, _ groups: GroupCount?
    ) {
        self.table = table
        self.source = source
        self.columns = columns.columns.filter { !table.transforms[$0].isDropped }
        self.groups = groups
        groupColumns = table.shown.columns
        raw = ColumnChunk(spec: table.source.spec)
    }

    func next(into chunk: ColumnChunk) throws(Diagnostic) -> Bool {
        chunk.removeAll()
        if let groups, !groups.isDone {
            try groups.step()
            return true
        }
        raw.removeAll()
        raw.wantedRows = chunk.wantedRows
        let isMore = try source.next(into: raw)
        if let column = raw.oversizedColumn {
            throw Diagnostic(
                .valueTooLong,
                "a value of \(table.spec.name).\(table.spec.columns[column].name) is longer than "
                    + "\(ColumnChunk.valueCapacity) bytes", help: "leave the column out of the query")
        }
        var served = Array(0..<raw.rowCount)
        if let part = table.rules.rows.recordsPerMillion { served = sampled(served, part) }
        if let groups { served = grouped(served, groups) }
        let ids = raw.rowIDs
        let views = columns.map { raw.view(of: $0) }
        for row in served {
            for (column, view) in zip(columns, views) where view.hasValue(row) {
                coarsen(view, row, column, into: chunk)
            }
            chunk.endRow(id: ids.integer(row))
        }
        return isMore
    }

    private func sampled(_ rows: [Int], _ part: Int) -> [Int] {
        let columns = table.key.columns
        let views = columns.map { raw.view(of: $0) }
        return rows.filter { row in
            var key = Array(table.spec.name.utf8)
            for (column, view) in zip(columns, views) {
                Self.append(view, row, table.spec.columns[column].type, to: &key)
            }
            return table.hash.isSampled(.record, key, perMillion: part)
        }
    }

    private func grouped(_ rows: [Int], _ groups: GroupCount) -> [Int] {
        let chunk = ColumnChunk(spec: table.spec)
        let views = groupColumns.map { raw.view(of: $0) }
        for row in rows {
            for (column, view) in zip(groupColumns, views) where view.hasValue(row) {
                coarsen(view, row, column, into: chunk)
            }
            chunk.endRow(id: 0)
        }
        let coarse = groupColumns.map { chunk.view(of: $0) }
        return rows.enumerated().filter { groups.isLarge(group(coarse, $0.offset)) }.map(\.element)
    }

    /// The group of a row of coarse values: the hash of all that is shown of it.
    func group(_ views: [ColumnChunk.View], _ row: Int) -> KeyedHash.Value {
        var bytes: [UInt8] = []
        for (column, view) in zip(groupColumns, views) {
            Self.append(view, row, table.spec.columns[column].type, to: &bytes)
        }
        return table.hash.value(.group, bytes)
    }

    /// Appends a value so that no two rows that differ give the same bytes.
    private static func append(
        _ view: ColumnChunk.View, _ row: Int, _ type: ColumnType, to bytes: inout [UInt8]
    ) {
        guard view.hasValue(row) else { return bytes.append(0) }
        switch type {
        case .integer, .boolean, .real:
            bytes.append(1)
            withUnsafeBytes(of: view.integer(row).bigEndian) { bytes.append(contentsOf: $0) }
        case .text, .timestamp, .asset, .blob:
            let value = view.bytes(row)
            bytes.append(2)
            withUnsafeBytes(of: UInt32(value.count).bigEndian) { bytes.append(contentsOf: $0) }
            bytes.append(contentsOf: value)
        }
    }

    private func coarsen(_ view: ColumnChunk.View, _ row: Int, _ column: Int, into chunk: ColumnChunk) {
        let transform = table.transforms[column]
        switch table.spec.columns[column].type {
        case .integer, .boolean:
            var value = view.integer(row)
            if let decimals = transform.decimals { value = Coarse.round(value, decimals: decimals) }
            if transform.isHashed { value = table.hash.pseudonym(.pseudonym, integer: value) }
            chunk.append(value, to: column)
        case .real:
            var value = view.real(row)
            if let decimals = transform.decimals { value = Coarse.round(value, decimals: decimals) }
            chunk.append(value, to: column)
        case .text, .timestamp, .asset, .blob:
            let value = view.bytes(row)
            if transform.isIdentity { return chunk.append(value, to: column) }
            transform.apply(value, table.hash)?.withUnsafeBytes { chunk.append($0, to: column) }
        }
    }
}

extension ColumnTransform {
    func apply(_ text: UnsafeRawBufferPointer, _ hash: KeyedHash) -> [UInt8]? {
        var value = Array(text)
        if let resolution {
            guard let coarse = Coarse.deresolve(text, to: resolution) else { return nil }
            value = coarse
        }
        if let length { value = value.withUnsafeBytes { Array(Coarse.truncate($0, to: length)) } }
        return isHashed ? hash.pseudonym(.pseudonym, text: value) : value
    }
}
