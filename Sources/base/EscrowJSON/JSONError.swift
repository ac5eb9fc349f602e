/// Why a JSON text was refused, and where.
public struct JSONError: Error, Sendable, Equatable {
    public enum Reason: Sendable, Equatable {
        case unexpectedEnd
        /// A byte that no rule allows here.
        case unexpectedByte
        case trailingBytes
        case byteOrderMark
        /// Text that is not UTF-8 (RFC 3629), or holds a NUL or an unpaired surrogate.
        case invalidText
        case controlCharacter
        case invalidEscape
        /// A number that JSON or this reader does not allow: `01`, `-0`, `1e400`, or more than 64 characters.
        case invalidNumber
        /// A whole number beyond 64 bits.
        case integerOutOfRange
        case tooDeep
        /// Longer, or made of more values, than the reader allows.
        case tooLarge
        /// A name twice in one object; the line of the first.
        case duplicateMember(String, firstLine: Int)
        /// A name that does not belong here, with the nearest that does.
        case unknownMember(String, suggestion: String?)
        /// A name that must be there and is not.
        case missingMember(String)
        /// Another type than expected, for example `a whole number`.
        case wrongType(expected: String)
    }

    public let reason: Reason
    public let position: JSONPosition

    public init(_ reason: Reason, at position: JSONPosition) {
        self.reason = reason
        self.position = position
    }

    /// One sentence; names of members appear, values never do.
    public var message: String {
        switch reason {
        case .duplicateMember(let name, let line): "\"\(name)\" appears twice (first on line \(line))"
        case .unknownMember(let name, _): "unknown member \"\(name)\""
        case .missingMember(let name): "member \"\(name)\" is missing"
        default: impersonalMessage
        }
    }

    /// One sentence without any text from the input: for input whose very names may carry data.
    public var impersonalMessage: String {
        switch reason {
        case .unexpectedEnd: "the text ends too early"
        case .unexpectedByte: "unexpected character"
        case .trailingBytes: "more text after the end of the value"
        case .byteOrderMark: "a byte order mark is not allowed"
        case .invalidText: "text is not valid UTF-8, or holds a NUL or half a surrogate pair"
        case .controlCharacter: "a control character must be escaped"
        case .invalidEscape: "unknown escape"
        case .invalidNumber: "not a number that is allowed here"
        case .integerOutOfRange: "a whole number must fit into 64 bits"
        case .tooDeep: "nested too deeply"
        case .tooLarge: "too large"
        case .duplicateMember: "a member appears twice"
        case .unknownMember: "unknown member"
        case .missingMember: "a member is missing"
        case .wrongType(let expected): "expected \(expected)"
        }
    }
}
