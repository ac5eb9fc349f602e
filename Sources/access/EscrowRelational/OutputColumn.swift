internal import CSQLite
internal import EscrowSchema
public import EscrowTabular

/// A column of the result.
public struct OutputColumn: Sendable, Hashable {
    /// The name: the alias, the column's name, or the expression's text as SQLite spells it.
    public let name: String
    /// The declared or inferred type; nil while neither is known (a computed column before the first rows).
    public internal(set) var type: ColumnType?
    /// The column whose values are handed over unchanged; nil for a computed column.
    public let origin: ColumnRef?
}

extension OutputColumn {
    /// The result's columns as SQLite tells them; Debian builds it with column metadata.
    static func list(_ connection: Connection) -> [OutputColumn] {
        let statement = connection.statement
        let isCompound = connection.session.rules.isCompound
        return (0..<sqlite3_column_count(statement)).map { index in
            func text(_ pointer: UnsafePointer<CChar>?) -> String? { pointer.map { String(cString: $0) } }
            let name = text(sqlite3_column_name(statement, index)) ?? ""
            guard !isCompound,
                let tableName = text(sqlite3_column_table_name(statement, index)),
                let columnName = text(sqlite3_column_origin_name(statement, index)),
                let table = connection.session.table(named: tableName),
                let position = table.spec.column(named: columnName)
            else { return OutputColumn(name: name, type: nil, origin: nil) }
            let spec = table.spec.columns[position]
            return OutputColumn(
                name: name, type: spec.type, origin: ColumnRef(table: table.spec.name, column: spec.name))
        }
    }
}
