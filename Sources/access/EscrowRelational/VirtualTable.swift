internal import CSQLite
internal import EscrowDiagnostics
internal import EscrowSchema

/// One table of one connection: the granted columns of a source.
final class VirtualTable {
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
    let kinds: [ValueKind]
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
        kinds = spec.columns.map { ValueKind($0.type) }
    }

    /// The table as SQLite is told of it: what is not granted does not exist. SQLite wants a column at least, so a
    /// table that can only be counted has one that nobody may read.
    var ddl: String { ddl(named: "x") }

    /// The same for a native table: the same columns, in the same order, of the same affinity and collation.
    var nativeDDL: String { ddl(named: SQLName.quoted(spec.name)) }

    private func ddl(named name: String) -> String {
        guard !columns.isEmpty else { return "CREATE TABLE \(name)(\"nothing granted\" HIDDEN)" }
        var text = "CREATE TABLE " + name
        text.reserveCapacity(32 * columns.count)
        for (index, column) in columns.enumerated() {
            text += index == 0 ? "(" : ", "
            text += SQLName.quoted(spec.columns[column].name)
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
}
