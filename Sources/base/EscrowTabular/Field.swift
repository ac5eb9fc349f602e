/// One column of a schema: its name, what it holds, and where it came from.
public struct Field: Sendable, Hashable {
    public let name: String
    public let type: ColumnType
    /// Whether a row may have no value here.
    public let isNullable: Bool
    /// Where the values come from, `Contacts.givenName`, or `expr` for a computed column; nil if it is not known.
    public let origin: String?

    public init(_ name: String, type: ColumnType, nullable: Bool = true, origin: String? = nil) {
        self.name = name
        self.type = type
        self.isNullable = nullable
        self.origin = origin
    }
}
