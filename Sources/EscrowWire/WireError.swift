/// A rule of the plugin protocol that was broken: which, on which line, and one sentence.
///
/// Nothing in it comes from the plugin: what a plugin writes may hold the individual's data. Two errors are equal
/// if their codes are.
public struct WireError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Which rule; the raw value is the stable code that `escrow explain` expands.
    public enum Code: String, Sendable, CaseIterable {
        /// A line is longer than the protocol allows.
        case tooLong = "E0520"
        /// A line is not one JSON object.
        case notAMessage = "E0521"
        /// A JSON object that the protocol does not know: a member unknown, missing, or of the wrong type.
        case unknownMessage = "E0522"
        /// A result of another kind than the manifest declares.
        case wrongResult = "E0523"
        /// A result larger than the manifest declares.
        case resultTooLarge = "E0524"
        /// The output ended without a whole result or refusal.
        case noResult = "E0525"
        /// An ask that this run does not offer.
        case notOffered = "E0526"
        /// Rows asked for in another form than before, after the last row, or in an impossible number.
        case badRowsAsk = "E0527"
        /// Bytes between an ask and its answer.
        case outOfTurn = "E0528"
        /// Bytes after the result or the refusal.
        case afterEnd = "E0529"
    }

    /// Which rule was broken.
    public let code: Code
    /// The line of the plugin's output, from 1.
    public let line: Int
    /// One sentence about what was wrong, in words of the host alone.
    public let sentence: String

    /// Names a rule, a line and a sentence.
    public init(_ code: Code, line: Int, _ sentence: String) {
        self.code = code
        self.line = line
        self.sentence = sentence
    }

    /// The code as diagnostics print it, for example `E0521`.
    public var diagnosticCode: String { code.rawValue }

    /// The sentence with its line.
    public var description: String { "\(sentence) (line \(line) of its output)" }

    public static func == (left: WireError, right: WireError) -> Bool { left.code == right.code }
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
