/// What can go wrong between a plugin and its host, or in reading a row.
public struct PluginError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of fault.
    public enum Code: String, Sendable {
        /// The row has no column of that name.
        case noSuchColumn = "no-such-column"
        /// The column, or the parameter, holds another type.
        case wrongType = "wrong-type"
        /// The row has no value there.
        case isNull = "is-null"
        /// The run has no parameter of that name.
        case noSuchParameter = "no-such-parameter"
        /// The host answered with an error; its code is in the message.
        case hostError = "host-error"
        /// The host cancelled the run.
        case cancelled = "cancelled"
        /// The host went away, or what it wrote is not the protocol.
        case disconnected = "disconnected"
        /// A result that JSON cannot spell, such as an infinite number.
        case badResult = "bad-result"
    }

    /// The kind of fault.
    public let code: Code
    /// One sentence.
    public let message: String

    /// Names a fault.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The sentence.
    public var description: String { message }

    public static func == (left: PluginError, right: PluginError) -> Bool { left.code == right.code }
}
