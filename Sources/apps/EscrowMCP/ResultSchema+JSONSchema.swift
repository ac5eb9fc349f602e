import EscrowHost
import EscrowJSON
import EscrowManifest

/// A plugin's result as JSON Schema, and a result in that shape. Each is an object, as the protocol asks.
extension ResultSchema {
    var jsonSchema: JSONValue {
        switch kind {
        case .record(let fields): Self.object(fields.map { ($0.name, $0.jsonSchema) })
        case .table(let table):
            Self.object([
                ("columns", ["type": "array", "items": ["type": "string"]]),
                (
                    "rows",
                    [
                        "type": "array", "maxItems": .integer(Int64(table.maxRows)),
                        "items": [
                            "type": "array", "prefixItems": .array(table.columns.map(\.jsonSchema)),
                            "minItems": .integer(Int64(table.columns.count)),
                            "maxItems": .integer(Int64(table.columns.count)),
                        ],
                    ]
                ),
            ])
        case .text(_, let maxLength):
            Self.object([("text", ["type": "string", "maxLength": .integer(Int64(maxLength))])])
        case .bytes(let mediaType):
            Self.object([
                ("mediaType", ["const": .string(mediaType)]),
                ("base64", ["type": "string", "contentEncoding": "base64"]),
            ])
        }
    }

    static func object(_ properties: [(String, JSONValue)], required: [String]? = nil) -> JSONValue {
        [
            "type": "object", "properties": .object(properties.map { (name: $0.0, value: $0.1) }),
            "required": .array((required ?? properties.map(\.0)).map(JSONValue.string)),
            "additionalProperties": false,
        ]
    }
}

extension ResultField {
    fileprivate var jsonSchema: JSONValue {
        let schema = type.jsonSchema
        return nullable ? ["anyOf": [schema, ["type": "null"]]] : schema
    }
}

extension ResultType {
    fileprivate var jsonSchema: JSONValue {
        switch self {
        case .integer(let range, let oneOf):
            if let oneOf {
                ["enum": .array(oneOf.map(JSONValue.integer))]
            } else {
                [
                    "type": "integer", "minimum": .integer(range.lowerBound),
                    "maximum": .integer(range.upperBound),
                ]
            }
        case .real(let minimum, let maximum, _):
            .object(
                [("type", "number")] + (minimum.map { [("minimum", .real($0))] } ?? [])
                    + (maximum.map { [("maximum", .real($0))] } ?? []))
        case .text(let maxLength, let oneOf):
            if let oneOf {
                ["enum": .array(oneOf.map(JSONValue.string))]
            } else {
                ["type": "string", "maxLength": .integer(Int64(maxLength))]
            }
        case .boolean: ["type": "boolean"]
        case .blob:
            ResultSchema.object([("b64", ["type": "string", "contentEncoding": "base64"])])
        case .list(let item, let maxItems):
            ["type": "array", "items": item.jsonSchema, "maxItems": .integer(Int64(maxItems))]
        }
    }
}

extension RunResult {
    /// Dt in the shape of its plugin's schema.
    var structured: JSONValue {
        switch value {
        case .bytes(let bytes, let mediaType):
            ["mediaType": .string(mediaType), "base64": .string(Base64.encode(bytes))]
        case .json(.string(let text)): ["text": .string(text)]
        case .json(let value):
            if let columns {
                ["columns": .array(columns.map(JSONValue.string)), "rows": value]
            } else {
                value
            }
        }
    }
}
