internal import CSQLite
internal import EscrowDiagnostics
internal import EscrowSchema
internal import EscrowTabular

/// One table of one connection: the granted columns of a source.
final class VirtualTable {
    /// How a column's values lie in memory.
    enum Kind {
        case integer, real, text, blob
        /// Not read: every value is null.
        case absent

        init(_ type: ColumnType) {
            switch type {
            case .integer, .boolean: self = .integer
            case .real: self = .real
            case .text, .timestamp, .asset: self = .text
            case .blob: self = .blob
            }
        }

        var sqlName: String {
            switch self {
            case .integer: "INTEGER"
            case .real: "REAL"
            case .text: "TEXT"
            case .blob, .absent: "BLOB"
            }
        }
    }

    let source: any TableSource
    let spec: TableSpec
    /// The position among the session's tables.
    let number: Int
    /// For each column of the DDL, its position in the spec.
    let columns: [Int]
    /// The spec's columns that were not granted.
    var withheld: [Int] { spec.columns.indices.filter { !columns.contains($0) } }
    /// Columns that can be named, and are no part of `*`.
    private let hidden: Set<Int>
    let kinds: [Kind]
    /// Outlives the connection and thereby this table.
    unowned let session: Session
    private var snapshot: (any TableSnapshot)?

    convenience init(_ source: any TableSource, number: Int, granted: Set<String>?, session: Session) {
        let spec = source.spec
        let names = granted.map { Set($0.map { $0.lowercased() }) }
        let columns = spec.columns.indices.filter {
            names?.contains(spec.columns[$0].name.lowercased()) ?? true
        }
        self.init(source, number: number, columns: columns, session: session)
    }

    /// A table to plan with: the columns that another one withholds can be named here, but are no part of `*`.
    convenience init(unhiding table: VirtualTable, session: Session) {
        self.init(
            table.source, number: table.number, columns: Array(table.spec.columns.indices), session: session,
            hidden: Set(table.withheld))
    }

    init(
        _ source: any TableSource, number: Int, columns: [Int], session: Session, hidden: Set<Int> = []
    ) {
        self.hidden = hidden
        self.source = source
        self.number = number
        self.session = session
        self.columns = columns
        spec = source.spec
        kinds = spec.columns.map { Kind($0.type) }
    }

    /// The table as SQLite is told of it: what is not granted does not exist. SQLite wants a column at least, so a
    /// table that can only be counted has one that nobody may read.
    var ddl: String { ddl(named: "x") }

    /// The same for a native table: the same columns, in the same order, of the same affinity and collation.
    var nativeDDL: String { ddl(named: Self.quoted(spec.name)) }

    private func ddl(named name: String) -> String {
        guard !columns.isEmpty else { return "CREATE TABLE \(name)(\"nothing granted\" HIDDEN)" }
        var text = "CREATE TABLE " + name
        text.reserveCapacity(32 * columns.count)
        for (index, column) in columns.enumerated() {
            text += index == 0 ? "(" : ", "
            text += Self.quoted(spec.columns[column].name)
            text += " "
            text += kinds[column].sqlName
            if hidden.contains(column) { text += " HIDDEN" }
        }
        return text + ")"
    }

    /// The source as it stands for this statement, listed once.
    func currentSnapshot() throws(Diagnostic) -> any TableSnapshot {
        if let snapshot { return snapshot }
        let fresh = try session.gate.use { () throws(Diagnostic) in
            try source.snapshot(assets: session.assets)
        }
        snapshot = fresh
        return fresh
    }

    /// The spec's columns that a `colUsed` of SQLite stands for; nil if it names a column that does not exist here.
    func mask(used: UInt64) -> ColumnMask? {
        var mask = ColumnMask(bits: 0)
        for bit in 0..<64 where used & (1 << UInt64(bit)) != 0 {
            guard bit < columns.count else { return nil }
            mask.insert(columns[bit])
        }
        return mask
    }

    /// A name as a quoted identifier of SQL.
    static func quoted(_ name: String) -> String {
        guard name.utf8.contains(UInt8(ascii: "\"")) else { return "\"" + name + "\"" }
        return "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
            + "\""
    }
}

/// What SQLite holds for a connected table; begins with SQLite's own part.
struct TableHandle {
    var base = sqlite3_vtab()
    var table: Unmanaged<VirtualTable>
}

/// What SQLite holds for a cursor; begins with SQLite's own part. Plain data on purpose: objects, arrays and strings
/// on the way of each cell cost a third of all time in retain and release.
struct CursorHandle {
    struct Column {
        var kind = VirtualTable.Kind.absent
        var view: ColumnChunk.View
    }

    var base = sqlite3_vtab_cursor()
    /// The current row, as a position in `rows`.
    var position = 0
    /// Rows ready; 0 at the end.
    var count = 0
    /// Positions of the ready rows in the columns' memory.
    var rows: UnsafePointer<UInt32>
    var rowIDs: ColumnChunk.View
    /// By column of the DDL.
    var columns: UnsafeMutablePointer<Column>
    var scan: Unmanaged<CursorScan>
}
