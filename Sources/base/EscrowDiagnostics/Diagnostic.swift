/// What went wrong, where, and what to do next: the one error that people see.
///
/// A diagnostic never holds a value of the individual's data: names of tables, columns and files, counts and
/// lengths only. Two diagnostics are equal when their codes are, which keeps tests short and messages free to
/// improve.
public struct Diagnostic: Error, Sendable {
    /// The stable code, for example `E0102`; `escrow explain E0102` tells more.
    public let code: Code
    /// How the first line begins: what kind of "no" this is.
    public let severity: Severity
    /// One lower-case sentence: what happened.
    public let message: String
    /// Where it happened, when there is a file to point at.
    public var place: Place?
    /// Further facts, one sentence each.
    public var notes: [String]
    /// What to type or change next: the narrowest thing that works.
    public var help: String?

    /// Makes a diagnostic; the severity follows from the code unless given.
    public init(
        _ code: Code, _ message: String, at place: Place? = nil, notes: [String] = [], help: String? = nil,
        severity: Severity? = nil
    ) {
        self.code = code
        self.message = message
        self.place = place
        self.notes = notes
        self.help = help
        self.severity = severity ?? code.severity
    }
}

extension Diagnostic: Equatable {
    public static func == (left: Diagnostic, right: Diagnostic) -> Bool { left.code == right.code }
}

extension Diagnostic: CustomStringConvertible {
    /// The diagnostic as people read it on a terminal, without colour.
    public var description: String {
        var text = "\(severity.rawValue)[\(code.rawValue)]: \(message)"
        if let place { text += "\n  --> \(place)" }
        for note in notes { text += "\nnote: \(note)" }
        if let help { text += "\nhelp: \(help)" }
        return text
    }
}

extension Diagnostic {
    /// The process exit status that goes with this diagnostic.
    public var exitStatus: ExitStatus { code.exitStatus }

    /// A place in a file that the owner or a plugin author gave.
    public struct Place: Sendable, Equatable, CustomStringConvertible {
        /// The file as it was named.
        public let file: String
        /// The line, counted from 1, if known.
        public let line: Int?
        /// The column in characters, counted from 1, if known.
        public let column: Int?

        /// Names a place.
        public init(file: String, line: Int? = nil, column: Int? = nil) {
            self.file = file
            self.line = line
            self.column = column
        }

        public var description: String {
            guard let line else { return file }
            guard let column else { return "\(file):\(line)" }
            return "\(file):\(line):\(column)"
        }
    }

    /// The word that a message begins with.
    public enum Severity: String, Sendable {
        /// Something is wrong with the input or the machine.
        case error
        /// A rule said no.
        case refused
        /// Nobody has decided yet.
        case undecided
        /// Worth knowing; the work went on.
        case warning
    }
}
