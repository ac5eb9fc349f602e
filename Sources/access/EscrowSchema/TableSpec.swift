public import EscrowTabular

/// What a table holds, in words and types: the one source of its DDL, its documentation and its consent text.
public struct TableSpec: Sendable {
    /// The table's name in SQL, for example `Contacts`.
    public let name: String
    /// The kind of source that serves it, the word of `escrow source add`: `contacts`, `photos`, `location`.
    public let sourceKind: String
    /// One sentence: what one row is.
    public let summary: String
    /// The columns, at most 63 (SQLite's `colUsed` lumps all columns from 63 on together).
    public let columns: [ColumnSpec]
    /// Queries that run, shown by `escrow schema` and executed by the tests.
    public let examples: [String]

    public init(name: String, sourceKind: String, summary: String, columns: [ColumnSpec], examples: [String])
    {
        precondition(columns.count <= 63, "a virtual table has at most 63 columns")
        self.name = name
        self.sourceKind = sourceKind
        self.summary = summary
        self.columns = columns
        self.examples = examples
    }

    /// The position of a column by its name, compared as SQL does (ASCII letters without case).
    public func column(named name: String) -> Int? {
        columns.firstIndex { $0.name == name }
            ?? columns.firstIndex { $0.name.lowercased() == name.lowercased() }
    }
}

public struct ColumnSpec: Sendable {
    /// The name in SQL, in the platform SDKs' spelling: `givenName`.
    public let name: String
    /// The type of its values; the source yields this storage class or null, nothing else.
    public let type: ColumnType
    /// Whether a row may have no value here.
    public let isNullable: Bool
    /// One sentence: what the value means, with its unit.
    public let summary: String
    /// What it costs to read the value.
    public let cost: ReadCost

    public init(
        _ name: String, _ type: ColumnType, nullable: Bool = true, cost: ReadCost = .content,
        _ summary: String
    ) {
        self.name = name
        self.type = type
        self.isNullable = nullable
        self.summary = summary
        self.cost = cost
    }
}

/// What it costs to read a value of a column.
public enum ReadCost: String, Sendable {
    /// Known from the folder listing or `stat(2)` alone.
    case free
    /// Read from a file's content or header.
    case content
}
