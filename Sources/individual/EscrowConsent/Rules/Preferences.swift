public import EscrowDiagnostics
import EscrowFiles
import EscrowJSON

/// The individual's preferences, as they stand in `preferences.json` of a home. Without the file there are none: every
/// dataflow is asked about.
public struct Preferences: Sendable, Equatable {
    /// What happens to a dataflow that neither a rule nor a grant decides about.
    public enum Unmatched: String, Sendable, CaseIterable {
        /// The individual is asked.
        case ask
        /// It is denied, and nobody is asked.
        case deny
    }

    /// Whom the individual trusts with raw data.
    public var trustZone: TrustZone
    /// What happens to a dataflow that neither a rule nor a grant decides about.
    public var unmatched: Unmatched
    /// The rules, in the order of the file, which means nothing.
    public var rules: [Rule]

    /// The largest file in bytes.
    public static let maximumBytes = 1 << 20
    /// The most rules.
    public static let maximumRules = 1000
    /// The version of the file that this reads.
    public static let version: Int64 = 1

    /// Makes preferences.
    public init(trustZone: TrustZone = TrustZone(), unmatched: Unmatched = .ask, rules: [Rule] = []) {
        self.trustZone = trustZone
        self.unmatched = unmatched
        self.rules = rules
    }

    /// Whether a rule looks at what was used up today, which has to be looked up.
    public var looksAtUsage: Bool {
        rules.contains { rule in
            (rule.when + rule.needs).contains {
                if case .quantity(let quantity, _) = $0 {
                    quantity == .bytesToday || quantity == .cpuSecondsToday
                } else {
                    false
                }
            }
        }
    }

    /// Whether a rule looks at the network, about which another process has to be asked.
    public var looksAtNetwork: Bool {
        rules.contains { rule in
            (rule.when + rule.needs).contains {
                if case .flag(.metered, _) = $0 { true } else { false }
            }
        }
    }

    /// The rule of that id.
    public func rule(_ id: String) -> Rule? { rules.first { $0.id == id } }

    /// Reads the file, if there is one. E1101 with line and column for one that is not understood: it may hold a forbid, so
    /// nothing runs until it can be read.
    public static func load(_ path: String) throws(Diagnostic) -> Preferences {
        guard let bytes = try SecureFile.readIfPresent(path, limit: maximumBytes) else {
            return Preferences()
        }
        return try parse(bytes, file: path)
    }

    /// Reads the bytes of a file. E1101.
    public static func parse(_ bytes: [UInt8], file: String) throws(Diagnostic) -> Preferences {
        do throws(JSONError) {
            return try PreferencesReader.preferences(
                try JSONParser.parse(bytes, limits: .init(depth: 8, bytes: maximumBytes, values: 200_000)))
        } catch {
            throw refusal(error, file: file)
        }
    }

    /// Reads one rule, or an array of rules, as they stand in the file. E1101.
    public static func parseRules(_ bytes: [UInt8], file: String) throws(Diagnostic) -> [Rule] {
        do throws(JSONError) {
            let node = try JSONParser.parse(
                bytes, limits: .init(depth: 8, bytes: maximumBytes, values: 200_000))
            if case .array = node.content { return try PreferencesReader.rules(node) }
            return [try PreferencesReader.rule(node)]
        } catch {
            throw refusal(error, file: file)
        }
    }

    /// What `escrow preferences try` takes: one rule, an array of rules, or a whole file. E1101.
    public static func parseProposal(_ bytes: [UInt8], file: String) throws(Diagnostic) -> Proposal {
        if let node = try? JSONParser.parse(
            bytes, limits: .init(depth: 8, bytes: maximumBytes, values: 200_000)),
            case .object(let members) = node.content,
            members.contains(where: { ["escrow-preferences", "rules", "trustZone"].contains($0.name) })
        {
            return .whole(try parse(bytes, file: file))
        }
        return .rules(try parseRules(bytes, file: file))
    }

    static func refusal(_ error: JSONError, file: String) -> Diagnostic {
        var notes = ["nothing runs until they can be read: what cannot be read may be a forbid"]
        if case .unknownMember(_, let suggestion?) = error.reason {
            notes.insert("did you mean \"\(suggestion)\"?", at: 0)
        }
        return Diagnostic(
            .preferencesInvalid, "the preferences are not understood: \(error.message)",
            at: .init(file: file, line: error.position.line, column: error.position.column), notes: notes,
            help: "escrow explain E1101 shows a whole file; then: escrow preferences check")
    }
}

/// Rules that somebody thinks of having.
public enum Proposal: Sendable {
    /// Beside those that there are; one with the id of another takes its place.
    case rules([Rule])
    /// In the place of all that there is.
    case whole(Preferences)
}
