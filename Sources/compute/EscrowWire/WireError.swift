/// A rule of the plugin protocol that was broken: which, on which line, and one sentence.
///
/// Nothing in it comes from the plugin: what a plugin writes may hold the individual's data. Two errors are equal
/// if their codes are.
public struct WireError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Code: Sendable, CaseIterable {
        /// A line is longer than the protocol allows.
        case tooLong
        /// A line is not one JSON object.
        case notAMessage
        /// A JSON object that the protocol does not know: a member unknown, missing, or of the wrong type.
        case unknownMessage
        /// A result of another kind than the manifest declares.
        case wrongResult
        /// A result larger than the manifest declares.
        case resultTooLarge
        /// The output ended without a whole result or refusal.
        case noResult
        /// An ask that this run does not offer.
        case notOffered
        /// Rows asked for in another form than before, after the last row, or in an impossible number.
        case badRowsAsk
        /// Bytes between an ask and its answer.
        case outOfTurn
        /// Bytes after the result or the refusal.
        case afterEnd
    }

    public let code: Code
    /// The line of the plugin's output, from 1.
    public let line: Int
    /// One sentence about what was wrong, in words of the host alone.
    public let sentence: String

    public init(_ code: Code, line: Int, _ sentence: String) {
        self.code = code
        self.line = line
        self.sentence = sentence
    }

    public var description: String { "\(sentence) (line \(line) of its output)" }

    public static func == (left: WireError, right: WireError) -> Bool { left.code == right.code }
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
