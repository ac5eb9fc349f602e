/// A JSON value with the place where it stands in its text.
public struct JSONNode: Sendable {
    public let content: Content
    /// Where it begins.
    public let position: JSONPosition

    /// The seven things a value can be: JSON's six, with whole numbers apart from others.
    public enum Content: Sendable {
        case null
        case bool(Bool)
        case integer(Int64)
        case real(Double)
        case string(String)
        case array([JSONNode])
        case object([Member])
    }

    /// A name and its value, in the order of the text.
    public struct Member: Sendable {
        /// The name, unescaped; unique within its object.
        public let name: String
        /// Where the name begins.
        public let position: JSONPosition
        public let value: JSONNode
    }

    public init(_ content: Content, at position: JSONPosition) {
        self.content = content
        self.position = position
    }

    public var value: JSONValue {
        switch content {
        case .null: .null
        case .bool(let value): .bool(value)
        case .integer(let value): .integer(value)
        case .real(let value): .real(value)
        case .string(let value): .string(value)
        case .array(let items): .array(items.map(\.value))
        case .object(let members): .object(members.map { ($0.name, $0.value.value) })
        }
    }
}

/// A place in a JSON text.
public struct JSONPosition: Sendable, Hashable {
    /// The line, from 1.
    public let line: Int
    /// The column in bytes, from 1.
    public let column: Int
    /// The offset in bytes, from 0.
    public let offset: Int
    /// Names a place.
    public init(line: Int, column: Int, offset: Int) {
        self.line = line
        self.column = column
        self.offset = offset
    }
}
