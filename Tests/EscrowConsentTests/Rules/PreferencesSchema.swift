import EscrowJSON

@testable import EscrowConsent

/// The JSON Schema of `preferences.json`, for completion and checks in editors: `Manifests/preferences.schema.json`.
///
/// It is built from the same words and bounds that ``Preferences/parse(_:file:)`` uses. The parser may still refuse a
/// file that the schema accepts; it never accepts one that the schema refuses.
enum PreferencesSchema {
    /// The document (JSON Schema 2020-12).
    static var document: JSONValue {
        .object([
            ("$schema", "https://json-schema.org/draft/2020-12/schema"),
            ("title", "Escrow preferences"), ("type", "object"),
            (
                "properties",
                .object([
                    ("$schema", ["type": "string"]),
                    ("escrow-preferences", ["const": .integer(Preferences.version)]),
                    (
                        "trustZone",
                        object([("servers", names), ("apps", names), ("endpoints", names)])
                    ),
                    ("unmatched", words(Preferences.Unmatched.self)),
                    (
                        "rules",
                        [
                            "type": "array", "maxItems": .integer(Int64(Preferences.maximumRules)),
                            "items": rule,
                        ]
                    ),
                ])
            ),
            ("required", ["escrow-preferences"]), ("additionalProperties", false),
        ])
    }

    private static var rule: JSONValue {
        let id: JSONValue = ["type": "string", "pattern": "^[a-z0-9-]{1,64}$"]
        let why: JSONValue = ["type": "string", "minLength": 1, "maxLength": 200]
        func kind(
            _ effect: Rule.Effect, _ more: [(String, JSONValue)], _ required: [JSONValue]
        ) -> JSONValue {
            let members: [(String, JSONValue)] = [
                ("id", id), ("effect", ["const": .string(effect.rawValue)]), ("why", why),
                ("when", conditions(resourcesOnly: false)),
            ]
            return object(members + more, required: ["id", "effect"] + required)
        }
        return [
            "oneOf": [
                kind(.permit, [("prompt", words(PreferencesReader.Prompt.self))], []), kind(.forbid, [], []),
                kind(
                    .require,
                    [("needs", conditions(resourcesOnly: true)), ("missing", words(Rule.Missing.self))],
                    ["needs", "missing"]),
                kind(.prefer, [("for", words(Rule.Goal.self))], ["for"]),
            ]
        ]
    }

    private static func conditions(resourcesOnly: Bool) -> JSONValue {
        var members: [(String, JSONValue)] = []
        if !resourcesOnly {
            let iris = PurposeTree.nodes.compactMap(\.iri)
            let purposes =
                PurposeTree.nodes.map(\.code) + iris
                + PurposeTree.nodes.compactMap { $0.term.map { "dpv:" + $0 } }
            members.append(("purpose", list(["enum": .array(purposes.map(JSONValue.string))])))
            for subject in Condition.Subject.allCases {
                let item: JSONValue =
                    subject == .pattern ? words(DataflowPattern.self) : ["type": "string", "maxLength": 255]
                members.append((subject.rawValue, list(item)))
            }
            let time: JSONValue = ["type": "string", "pattern": "^([01][0-9]|2[0-4]):[0-5][0-9]$"]
            members.append(("hour", object([("from", time), ("to", time)], required: ["from", "to"])))
        }
        for flag in Condition.Flag.allCases where !resourcesOnly || flag.isResource {
            members.append((flag.rawValue, ["type": "boolean"]))
        }
        for quantity in Condition.Quantity.allCases where !resourcesOnly || quantity.isResource {
            let bound: JSONValue = [
                "type": "integer", "minimum": .integer(Int64(quantity.bounds.lowerBound)),
                "maximum": .integer(Int64(quantity.bounds.upperBound)),
            ]
            members.append((quantity.rawValue, object([("atLeast", bound), ("atMost", bound)], least: 1)))
        }
        return object(members, least: resourcesOnly ? 1 : nil)
    }

    private static var names: JSONValue {
        list(["type": "string", "minLength": 1, "maxLength": 255], least: 0)
    }

    private static func list(_ item: JSONValue, least: Int64 = 1) -> JSONValue {
        [
            "type": "array", "items": item, "minItems": .integer(least),
            "maxItems": .integer(Int64(ConditionReader.maximumWords)),
        ]
    }

    private static func words<Word: CaseIterable & RawRepresentable>(_ type: Word.Type) -> JSONValue
    where Word.RawValue == String {
        ["enum": .array(type.allCases.map { .string($0.rawValue) })]
    }

    private static func object(
        _ members: [(String, JSONValue)], required: [JSONValue] = [], least: Int64? = nil
    ) -> JSONValue {
        var schema: [(name: String, value: JSONValue)] = [
            ("type", "object"), ("properties", .object(members.map { (name: $0.0, value: $0.1) })),
        ]
        if !required.isEmpty { schema.append(("required", .array(required))) }
        if let least { schema.append(("minProperties", .integer(least))) }
        schema.append(("additionalProperties", false))
        return .object(schema)
    }
}
