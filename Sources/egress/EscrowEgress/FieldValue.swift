import EscrowJSON
public import EscrowManifest
import Glibc

/// What one field of a request is sent as: one spelling for each value, so that the way it is written carries nothing.
public struct FieldValue: Sendable, Equatable {
    /// The field.
    public let field: EgressField
    /// The value as it is sent, before it is encoded for its place.
    public let text: String
    /// The value as it stands in a JSON body.
    let json: JSONValue

    /// Checks a value against its field; the error says in a few words, without the value, what is wrong with it.
    init(_ value: JSONValue, for field: EgressField, hasLines: Bool = false) throws(FieldProblem) {
        self.field = field
        guard let most = field.most else {
            (text, json) = try Self.spelled(value, for: field, hasLines: hasLines)
            return
        }
        guard let items = value.array else { throw .type }
        guard items.count <= most else { throw .bounds }
        var spelled: [JSONValue] = []
        for item in items { spelled.append(try Self.spelled(item, for: field).json) }
        json = .array(spelled)
        text = String(decoding: JSONWriter.line(json), as: UTF8.self)
    }

    /// One value as it is sent, and as it stands in a JSON body.
    private static func spelled(
        _ value: JSONValue, for field: EgressField, hasLines: Bool = false
    ) throws(FieldProblem) -> (text: String, json: JSONValue) {
        guard let given = Self.scalar(value, field.bounds.type) else { throw .type }
        guard field.bounds.allows(given) else { throw .bounds }
        // Of a list the manifest's own value is sent: -0.0 equals 0.0 and is spelled otherwise.
        let scalar = field.bounds.oneOf?.first { $0 == given } ?? given
        let text: String
        switch scalar {
        case .integer(let number): text = String(number)
        case .real(let number):
            text =
                Self.spell(number, decimals: field.decimals ?? 0, field.steps) ?? String(describing: number)
        case .boolean(let flag): text = flag ? "true" : "false"
        case .text(let string):
            if field.bounds.oneOf == nil, let pattern = field.pattern, !pattern.matches(string) {
                throw .pattern
            }
            guard Self.isPlain(string, hasLines: hasLines),
                field.location != .header || Self.isHeaderText(string)
            else {
                throw .characters
            }
            // A segment "." or ".." would change the path even when its dots are percent-encoded (RFC 3986 section 5.2.4,
            // WHATWG URL), and an empty one would move the others.
            if field.location == .path, string.isEmpty || string == "." || string == ".." {
                throw .characters
            }
            text = string
        }
        if case .real = scalar { return (text, .real(Double(text) ?? 0)) }
        return (text, scalar.json)
    }

    /// A part of a place, as its mask wrote it: with no more digits than it means.
    init(placed text: String, for field: EgressField) throws(FieldProblem) {
        guard !text.isEmpty else { throw .missing }
        self.field = field
        self.text = text
        json = Double(text).map(JSONValue.real) ?? .string(text)
    }

    private static func scalar(_ value: JSONValue, _ type: ScalarBounds.ScalarType) -> Scalar? {
        switch (type, value) {
        case (.integer, .integer(let number)): .integer(number)
        case (.real, .integer(let number)): .real(Double(number))
        case (.real, .real(let number)): .real(number)
        case (.text, .string(let text)): .text(text)
        case (.boolean, .bool(let flag)): .boolean(flag)
        default: nil
        }
    }

    /// A number with a fixed number of digits after the point, rounded half away from zero but never out of its range; nil
    /// for one of a list.
    private static func spell(_ number: Double, decimals: Int, _ steps: ClosedRange<Int64>?) -> String? {
        guard let steps else { return nil }
        // In its range, so below 2⁶³ (`EgressField.steps`).
        let nearest = Int64((number * pow(10, Double(decimals))).rounded())
        let units = min(steps.upperBound, max(steps.lowerBound, nearest))
        var digits = String(units.magnitude)
        if decimals > 0 {
            digits = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
            digits.insert(".", at: digits.index(digits.endIndex, offsetBy: -decimals))
        }
        return units < 0 ? "-" + digits : digits
    }

    /// No control characters, whatever the place: no line can be ended, nothing be cut off.
    private static func isPlain(_ text: String, hasLines: Bool) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            scalar.properties.generalCategory != .control || (hasLines && (scalar == "\n" || scalar == "\t"))
        }
    }

    /// RFC 9110 section 5.5 without obs-text, and no space at either end.
    private static func isHeaderText(_ text: String) -> Bool {
        text.utf8.allSatisfy { (0x20...0x7E).contains($0) } && text.first != " " && text.last != " "
    }
}

/// What is wrong with a value that a plugin wants to send.
enum FieldProblem: String, Error {
    case missing = "is missing"
    case unknown = "is not declared"
    case hosts = "tells a place, which the host alone fills in"
    case type = "is of another type than declared"
    case bounds = "is out of its declared bounds"
    case pattern = "is not of its declared pattern"
    case characters = "has characters that cannot stand in its place"
}
