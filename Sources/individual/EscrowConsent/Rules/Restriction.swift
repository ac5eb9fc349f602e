public import EscrowDiagnostics
import EscrowJSON

/// Rules that somebody else set for this individual, and that the individual cannot override: what a signed restriction
/// says. It forbids and requires; it permits nothing.
public struct Restriction: Sendable, Equatable {
    /// Who sets restrictions.
    public enum Class: String, Sendable, CaseIterable {
        /// A parent or guardian.
        case parental
        /// An organisation whose machine or data it is.
        case organisational
    }

    /// Its name, as a rule's id is spelled.
    public let id: String
    /// Strictly increasing from one version to the next, from 1.
    public let sequence: Int64
    /// Who sets it.
    public let kind: Class
    /// The name of who sets it, as they say themselves.
    public let setBy: String
    /// The public key of who sets it, base64 of its SubjectPublicKeyInfo: who alone can change it or take it back.
    public let key: String
    /// Whether this takes the restriction back.
    public let isRemoved: Bool
    /// Whether the individual's decisions stay as they are while it is in force: none is made, changed or taken back.
    public internal(set) var freezesDecisions = false
    /// What it forbids and requires.
    public let preferences: Preferences

    /// The schema that this reads.
    public static let schema = "escrow.restriction/1"

    /// What is signed: a document of whoever sets it, with the key and the sequence. E1117 for a document that is not one.
    public static func payload(
        author bytes: [UInt8], key: String, sequence: Int64, isRemoved: Bool, file: String
    ) throws(Diagnostic) -> [UInt8] {
        let members: [(name: String, value: JSONValue)]
        do throws(JSONError) {
            members = try JSONParser.parse(bytes).requireMembers().map { ($0.name, $0.value.value) }
        } catch { throw refusal(error, file: file) }
        var payload: [(name: String, value: JSONValue)] = [
            ("schema", .string(schema)), ("sequence", .integer(sequence)), ("key", .string(key)),
        ]
        if isRemoved { payload.append(("removed", true)) }
        let document = JSONWriter.document(.object(payload + members))
        _ = try parse(document, file: file)
        return document
    }

    /// Reads what was signed. E1117 with line and column.
    public static func parse(_ bytes: [UInt8], file: String) throws(Diagnostic) -> Restriction {
        do throws(JSONError) { return try read(bytes) } catch { throw refusal(error, file: file) }
    }

    private static func read(_ bytes: [UInt8]) throws(JSONError) -> Restriction {
        var object = try JSONObjectReader(
            try JSONParser.parse(bytes, limits: .init(depth: 8, bytes: 1 << 20, values: 200_000)))
        let schemaNode = try object.required("schema")
        guard try schemaNode.requireString() == schema else {
            throw JSONError(.wrongType(expected: "\"\(schema)\""), at: schemaNode.position)
        }
        let sequenceNode = try object.required("sequence")
        let sequence = try sequenceNode.requireInteger()
        let idNode = try object.required("id")
        let id = try idNode.requireString()
        guard sequence > 0, PreferencesReader.isRuleID(id) else {
            throw JSONError(
                .wrongType(expected: "a sequence from 1, and an id of characters a-z, 0-9 and '-'"),
                at: idNode.position)
        }
        let isRemoved = try object.optional("removed")?.requireBool() ?? false
        let rulesNode = try object.required("rules")
        let rules = try PreferencesReader.rules(rulesNode)
        guard rules.allSatisfy({ $0.effect == .forbid || $0.effect == .require }) else {
            throw JSONError(.wrongType(expected: "rules that forbid or require"), at: rulesNode.position)
        }
        let restriction = Restriction(
            id: id, sequence: sequence, kind: try object.required("class").requireWord(),
            setBy: try PreferencesReader.text(try object.required("setBy"), longest: 120),
            key: try object.required("key").requireString(), isRemoved: isRemoved,
            freezesDecisions: try object.optional("freezesDecisions")?.requireBool() ?? false,
            preferences: Preferences(rules: rules))
        try object.finish()
        return restriction
    }

    private static func refusal(_ error: JSONError, file: String) -> Diagnostic {
        Diagnostic(
            .notARestriction, "this is no restriction: \(error.message)",
            at: .init(file: file, line: error.position.line, column: error.position.column),
            help: "docs/spec/preferences.md, section 8, has an example")
    }
}

extension Restriction {
    /// Who set it, as the sheet and messages say it.
    public var setter: String { "\(PlainText.neutral(setBy, longest: 120)) (\(kind.rawValue), \(id))" }

    /// What it does to decisions, in a sentence; nil where it leaves them to the individual.
    public var freezeSentence: String? {
        freezesDecisions
            ? "decisions stay as they are: none is made, changed or taken back, and what nobody decided does not run"
            : nil
    }
}
