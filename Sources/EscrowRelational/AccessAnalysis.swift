public import EscrowTabular

/// A column of a table.
public struct ColumnRef: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The table's name as the schema spells it.
    public let table: String
    /// The column's name as the schema spells it.
    public let column: String
    /// Names a column.
    public init(table: String, column: String) {
        self.table = table
        self.column = column
    }
    public var description: String { "\(table).\(column)" }
    public static func < (left: ColumnRef, right: ColumnRef) -> Bool {
        (left.table, left.column) < (right.table, right.column)
    }
}

/// A column of the result.
public struct OutputColumn: Sendable, Hashable {
    /// The name: the alias, the column's name, or the expression's text as SQLite spells it.
    public let name: String
    /// The declared or inferred type; nil while neither is known (a computed column before the first rows).
    public internal(set) var type: ColumnType?
    /// The column whose values are handed over unchanged; nil for a computed column.
    public let origin: ColumnRef?
}

/// What a query touches, learnt while it was prepared and before any data was read.
public struct AccessAnalysis: Sendable {
    /// What is handed over.
    public internal(set) var returned: [OutputColumn]
    /// Every column that is read, be it to return, compute, filter, join, sort or group: what SQLite's authorizer was
    /// asked for, and what its planner asked of the tables.
    public internal(set) var used: Set<ColumnRef>
    /// Tables of which only the number of rows matters: `count(*)`, `SELECT 1`.
    public internal(set) var rowsOnly: Set<String>
    /// The functions called.
    public internal(set) var functions: Set<String>
    /// The tables read.
    public internal(set) var tables: Set<String>

    /// Columns that are read by the host but not handed over as they are.
    public var usedOnly: Set<ColumnRef> { used.subtracting(returned.compactMap(\.origin)) }
}
