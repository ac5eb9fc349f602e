/// The columns of a batch or a stream, in order.
public struct Schema: Sendable, Hashable {
    /// The most columns a schema has; SQLite's own limit is set lower still by the engine.
    public static let maximumColumns = 200

    /// The most bytes of a column's name in UTF-8, so that a schema message stays below 1 MiB.
    public static let maximumNameBytes = 1_024

    /// The columns; at least one, with unique names.
    public let fields: [Field]

    /// Takes 1 to ``maximumColumns`` columns with unique names.
    public init(_ fields: [Field]) throws(TabularError) {
        guard (1...Self.maximumColumns).contains(fields.count) else { throw TabularError(.columnCount) }
        var names = Set<String>()
        for (position, field) in fields.enumerated() {
            guard field.name.utf8.count <= Self.maximumNameBytes else {
                throw TabularError(.nameTooLong, column: position)
            }
            guard names.insert(field.name).inserted else {
                throw TabularError(.duplicateName, column: position)
            }
        }
        self.fields = fields
    }

    public var columnCount: Int { fields.count }

    /// The position of a column by its exact name; nil if there is none.
    public func column(named name: String) -> Int? {
        fields.firstIndex { $0.name == name }
    }
}
