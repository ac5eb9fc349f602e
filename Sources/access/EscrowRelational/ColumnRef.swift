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
