/// A value of the individual's data on its way through an error or a log: it describes its size, never itself.
public struct Redacted<Value: Sendable>: Sendable, CustomStringConvertible, CustomDebugStringConvertible {
    /// The value, for code that has the right to it.
    public let revealed: Value
    /// Wraps a value.
    public init(_ value: Value) { revealed = value }

    public var description: String {
        switch revealed {
        case let text as String: "‹\(text.count) characters›"
        case let bytes as [UInt8]: "‹\(bytes.count) bytes›"
        default: "‹redacted›"
        }
    }
    public var debugDescription: String { description }
}
