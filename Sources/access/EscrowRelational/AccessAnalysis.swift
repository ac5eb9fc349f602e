/// A column of a table, both named as the schema spells them.
public struct ColumnRef: Sendable, Hashable, Comparable, CustomStringConvertible {
    public let table: String
    public let column: String
    public init(table: String, column: String) {
        self.table = table
        self.column = column
    }
    public var description: String { "\(table).\(column)" }
    public static func < (left: ColumnRef, right: ColumnRef) -> Bool {
        (left.table, left.column) < (right.table, right.column)
    }
}

/// What a query touches, learnt while it was prepared and before any data was read.
public struct AccessAnalysis: Sendable {
    public internal(set) var returned: [OutputColumn]
    /// Every column that is read, be it to return, compute, filter, join, sort or group: what SQLite's authorizer was
    /// asked for, and what its planner asked of the tables.
    public internal(set) var used: Set<ColumnRef>
    /// Tables of which only the number of rows matters: `count(*)`, `SELECT 1`.
    public internal(set) var rowsOnly: Set<String>
    public internal(set) var functions: Set<String>
    public internal(set) var tables: Set<String>
}
