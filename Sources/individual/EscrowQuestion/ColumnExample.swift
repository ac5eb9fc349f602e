/// A column that a dataflow reads, with a value of it as it would be served: the individual's own data, for the terminal on which
/// they asked for less.
public struct ColumnExample: Sendable, Equatable {
    /// What can be made less exact about a column, by its type.
    public enum Kind: Sendable { case text, integer, real, moment, file, other }

    /// Where the column stands, and what it holds.
    public let table: String
    public let name: String
    public let kind: Kind
    /// A value among the first rows as it is; nil where none of them has one.
    public let plain: String?
    /// The same as it would be served; nil where nothing of it would be.
    public let value: String?

    /// Names a column.
    public init(table: String, name: String, kind: Kind, plain: String? = nil, value: String?) {
        self.table = table
        self.name = name
        self.kind = kind
        self.plain = plain ?? value
        self.value = value
    }
}

/// A record that can be picked, by its id, and what tells it from others.
public struct RecordExample: Sendable, Equatable {
    public let table: String
    public let id: String
    public let words: String

    /// Names a record.
    public init(table: String, id: String, words: String) {
        self.table = table
        self.id = id
        self.words = words
    }
}
