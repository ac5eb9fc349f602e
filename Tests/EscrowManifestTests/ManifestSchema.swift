import EscrowJSON
import EscrowLocationPrivacy
import EscrowTabular

@testable import EscrowManifest

/// The JSON Schema of an author's manifest, for completion and checks in editors: `Manifests/plugin.schema.json`.
///
/// It is built from the same word lists and limits that ``Manifest/parse(_:file:)`` uses. It cannot say everything: what it
/// accepts may still be refused, never the other way round.
enum ManifestSchema {
    /// The document (JSON Schema 2020-12).
    static var document: JSONValue {
        object(
            [
                ("$schema", ["type": "string"]), ("schema", ["const": .string(Manifest.schema)]),
                (
                    "id",
                    text(128, pattern: #"^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$"#)
                ),
                ("version", text(64)), ("sequence", integer(1, .max - 1)), ("title", text(80)),
                (
                    "purpose",
                    object(
                        [("code", words(Purpose.Code.self)), ("text", text(200))], required: ["code", "text"])
                ),
                (
                    "publisher",
                    object(
                        [
                            ("name", text(80)), ("contact", text(200)),
                            ("privacy", text(300, pattern: "^https://[!-~]+$")),
                        ], required: ["name"])
                ),
                ("license", text(120)), ("host", text(140, pattern: "^>=[^ ]+ <[^ ]+$")),
                ("protocol", plugin),
                ("accepts", accepts),
                (
                    "parameters",
                    map(
                        scalar(extra: [
                            ("default", true), ("why", text(200)),
                            ("identifier", words(IdentifierScope.self)),
                        ]), 32)
                ),
                (
                    "defaultAccess",
                    object([("sql", ["type": "string", "maxLength": 8192])], required: ["sql"])
                ),
                (
                    "pick",
                    object(
                        [("max", integer(1, 100)), ("shows", list(identifier, 8, least: 1))],
                        required: ["max", "shows"])
                ),
                ("result", result), ("egress", list(endpoint, 8)), ("limits", limits),
                (
                    "server",
                    object([
                        ("allowed", ["type": "boolean"]), ("confidential", ["type": "boolean"]),
                        ("processors", integer(1, 1024)),
                        ("memoryMiB", integer(1, 1 << 20)),
                    ])
                ),
                ("sandbox", object([("profile", words(SandboxProfile.self))], required: ["profile"])),
                ("artifacts", list(artifact, 8, least: 1)),
                ("files", map(["type": "string", "pattern": "^(sha256:[0-9a-f]{64})?$"], 256)),
                ("build", build),
                ("issued", moment), ("expires", moment), ("audience", list(text(128), 64, least: 1)),
            ],
            required: [
                "schema", "id", "version", "sequence", "title", "purpose", "publisher", "host", "protocol",
                "accepts",
                "result", "sandbox", "artifacts",
            ],
            others: ["^x-": true],
            leading: [
                ("$schema", "https://json-schema.org/draft/2020-12/schema"),
                ("title", "Escrow plugin manifest"),
            ])
    }

    private static var plugin: JSONValue {
        object(
            [
                ("major", ["const": 1]), ("mode", ["enum": ["ask", "filter"]]),
                ("input", words(PluginProtocol.FilterInput.self)),
                ("features", list(words(PluginProtocol.Feature.self), 8)),
            ], required: ["major", "mode"])
    }

    private static var accepts: JSONValue {
        let column = object(
            [
                ("name", identifier), ("type", words(ColumnType.self)),
                ("mediaTypes", list(mediaType, 32, least: 1)),
                ("category", text(64)), ("why", text(200)),
            ], required: ["name", "type"])
        let most = Int64(RowBounds.hostMaximum)
        return object(
            [
                ("columns", list(column, 64, least: 1)), ("reads", map(list(read, 64, least: 1), 32)),
                ("rows", object([("min", integer(0, most)), ("max", integer(1, most))])),
            ], required: ["columns", "reads"])
    }

    private static var result: JSONValue {
        let most = Int64(ResultSchema.maximumBytes)
        let number: JSONValue = ["type": "number"]
        let bounds: [(String, JSONValue)] = [
            ("type", ["enum": ["integer", "real", "text", "boolean", "blob", "list"]]), ("min", number),
            ("max", number),
            ("decimals", integer(0, 15)), ("oneOf", ["type": "array", "minItems": 1, "maxItems": 256]),
            ("maxLength", integer(1, most)), ("mediaType", mediaType), ("items", ["type": "object"]),
            ("maxItems", integer(1, 1_000_000)),
        ]
        let learns = text(Int64(ResultSchema.longestLearns))
        let field =
            bounds + [
                ("nullable", ["type": "boolean"]), ("invisible", ["type": "boolean"]),
                ("learns", learns), ("why", text(200)),
            ]
        return object(
            [
                ("kind", ["enum": ["record", "table", "text", "bytes"]]),
                ("fields", map(object(field, required: ["type"]), 64)),
                (
                    "columns",
                    list(object([("name", identifier)] + field, required: ["name", "type"]), 64, least: 1)
                ),
                ("maxRows", integer(1, 1_000_000)), ("orderBy", list(["type": "string"], 64)),
                ("mediaType", mediaType),
                ("maxLength", integer(1, most)), ("maxBytes", integer(1, most)), ("learns", learns),
            ], required: ["kind", "maxBytes"])
    }

    private static var endpoint: JSONValue {
        let field = scalar(
            required: [],
            extra: [
                ("place", words(EgressField.PlacePart.self)), ("in", words(EgressField.Location.self)),
                ("pattern", words(EgressField.Pattern.self)),
                ("derivedFrom", list(["type": "string"], 64)), ("decimals", integer(0, 9)),
                ("as", text(200)), ("list", integer(1, 10_000)),
                ("joinedBy", words(EgressField.Separator.self)),
            ])
        return object(
            [
                ("name", text(64)), ("why", text(200)), ("method", words(EgressEndpoint.Method.self)),
                ("url", text(1_024, pattern: "^(https|submissions)://|^device:")), ("fields", map(field, 32)),
                (
                    "place",
                    object(
                        [("service", words(ServiceType.self)), ("accuracy", text(100))],
                        required: ["service"])
                ),
                (
                    "response",
                    object(
                        [
                            ("type", mediaType), ("maxBytes", integer(1, 16 << 20)),
                            ("members", list(text(200), 64)),
                        ],
                        required: ["type", "maxBytes"])
                ), ("maxCalls", integer(1, 1_000)), ("maxBytes", integer(1, 64 << 20)),
                (
                    "body",
                    object(
                        [
                            ("kind", words(EgressBody.Kind.self)), ("part", identifier),
                            ("mediaTypes", list(mediaType, 32, least: 1)),
                            ("maxBytes", integer(1, EgressAsset.most)),
                        ], required: ["kind"])
                ), ("credential", ["type": "boolean"]),
                ("destination", text(1_024, pattern: "^/")),
                ("unlinkable", ["type": "boolean"]), ("together", ["type": "boolean"]),
                ("pins", list(text(51, pattern: "^sha256/[A-Za-z0-9+/]{43}=$"), 8)),
            ], required: ["name", "why", "method", "url", "response", "maxCalls"])
    }

    private static var limits: JSONValue {
        object(LimitName.ofManifest.map { ($0.rawValue, integer(1, Int64($0.most))) })
    }

    private static var artifact: JSONValue {
        object(
            [
                ("platform", words(Platform.self)), ("path", text(100)),
                ("sha256", text(64, pattern: "^[0-9a-f]{64}$")),
                ("size", integer(1, Int64(Artifact.maximumBytes))),
                ("linkage", words(Artifact.Linkage.self)), ("interpreter", words(Interpreter.self)),
            ], required: ["platform", "path"])
    }

    private static var build: JSONValue {
        object([
            ("source", text(400)), ("revision", text(128)), ("toolchain", text(128)), ("recipe", text(64)),
            ("reproducible", ["type": "boolean"]),
        ])
    }

    private static func scalar(required: [String] = ["type"], extra: [(String, JSONValue)]) -> JSONValue {
        object(
            [
                ("type", words(ScalarBounds.ScalarType.self)), ("min", ["type": "number"]),
                ("max", ["type": "number"]),
                ("maxLength", integer(1, 65_536)),
                ("oneOf", ["type": "array", "minItems": 1, "maxItems": 256]),
            ] + extra, required: required)
    }

    private static let moment = text(20, pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$")
    private static let identifier = text(64, pattern: "^[A-Za-z_][A-Za-z0-9_]*$")
    /// A column, or a term about a column or about the table's rows.
    private static let read = text(
        200,
        pattern:
            #"^[A-Za-z_][A-Za-z0-9_]*$|^(deresolve|round|truncate|hash|sample|aggregate)\([A-Za-z0-9_., -]+\)$"#
    )
    private static let mediaType = text(127, pattern: "^[a-z0-9][^/]*/[a-z0-9][^/]*$")

    private static func text(_ most: Int64, pattern: String? = nil) -> JSONValue {
        .object(
            [("type", "string"), ("minLength", 1), ("maxLength", .integer(most))]
                + (pattern.map { [("pattern", .string($0))] } ?? []))
    }

    private static func integer(_ least: Int64, _ most: Int64) -> JSONValue {
        ["type": "integer", "minimum": .integer(least), "maximum": .integer(most)]
    }

    private static func words<Word: RawRepresentable & CaseIterable>(_: Word.Type) -> JSONValue
    where Word.RawValue == String {
        ["enum": .array(Word.allCases.map { .string($0.rawValue) })]
    }

    private static func list(_ item: JSONValue, _ most: Int64, least: Int64 = 0) -> JSONValue {
        ["type": "array", "items": item, "minItems": .integer(least), "maxItems": .integer(most)]
    }

    private static func map(_ value: JSONValue, _ most: Int64) -> JSONValue {
        ["type": "object", "additionalProperties": value, "maxProperties": .integer(most)]
    }

    private static func object(
        _ members: [(String, JSONValue)], required: [String] = [], others: JSONValue? = nil,
        leading: [(String, JSONValue)] = []
    ) -> JSONValue {
        var output: [(name: String, value: JSONValue)] = leading.map { ($0.0, $0.1) }
        output.append(("type", "object"))
        output.append(("properties", .object(members.map { ($0.0, $0.1) })))
        if !required.isEmpty { output.append(("required", .array(required.map(JSONValue.string)))) }
        if let others { output.append(("patternProperties", others)) }
        output.append(("additionalProperties", false))
        return .object(output)
    }
}
