import EscrowJSON
public import EscrowTabular
import EscrowWire

/// What a plugin returns; the manifest declares which of the kinds, and its fields.
///
/// A record can be written as a literal: `["n": .integer(12), "mean": 41.5]`.
public enum Result: Sendable {
    /// One object.
    case record([(name: String, value: Value)])
    /// Rows.
    case table(Table)
    /// Rows in columns, sent as an Arrow stream: for large tables.
    case batches(Schema, [Batch])
    /// A text.
    case text(String)
    /// Bytes with their media type.
    case bytes([UInt8], mediaType: String)
}

extension Result: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, Value)...) {
        self = .record(elements.map { (name: $0.0, value: $0.1) })
    }
}

/// One value of a result.
public indirect enum Value: Sendable, Equatable {
    case integer(Int)
    case real(Double)
    case text(String)
    case boolean(Bool)
    case blob([UInt8])
    case list([Value])
    case null

    /// The value as the protocol spells it.
    func json() throws(PluginError) -> JSONValue {
        switch self {
        case .integer(let value): return .integer(Int64(value))
        case .real(let value):
            guard value.isFinite else {
                throw PluginError(
                    .badResult, "a result cannot hold a number that is infinite or not a number")
            }
            return .real(value)
        case .text(let value): return .string(value)
        case .boolean(let value): return .bool(value)
        case .blob(let bytes): return ["b64": .string(Base64.encode(bytes))]
        case .list(let values):
            var items: [JSONValue] = []
            items.reserveCapacity(values.count)
            for value in values { items.append(try value.json()) }
            return .array(items)
        case .null: return .null
        }
    }
}

extension Value: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByNilLiteral
{
    public init(integerLiteral value: Int) { self = .integer(value) }
    public init(floatLiteral value: Double) { self = .real(value) }
    public init(stringLiteral value: String) { self = .text(value) }
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
    public init(arrayLiteral elements: Value...) { self = .list(elements) }
    public init(nilLiteral: ()) { self = .null }
}

/// The rows of a result, kept as the text that will be sent: a row costs its bytes and nothing more.
public struct Table: Sendable {
    /// Rows so far.
    public private(set) var rowCount = 0
    private(set) var text: [UInt8] = []

    /// A table without rows.
    public init() {}

    /// Adds a row, its cells in the order of the declared columns.
    public mutating func append(_ cells: [Value]) throws(PluginError) {
        let row = JSONWriter.line(try Value.list(cells).json())
        if rowCount > 0 { text.append(UInt8(ascii: ",")) }
        text.append(contentsOf: row)
        rowCount += 1
    }
}

/// What a run came to.
enum PluginOutcome {
    case result(Result)
    case refusal(Refusal)

    /// The bytes that say so.
    func encoded() throws -> [[UInt8]] {
        let end = Array("}\n".utf8)
        switch self {
        case .refusal(let refusal):
            return [
                JSONWriter.line([
                    "refuse": ["code": .string(refusal.code.rawValue), "message": .string(refusal.message)]
                ]) + [0x0A]
            ]
        case .result(.record(let fields)):
            var members: [(name: String, value: JSONValue)] = []
            for field in fields { members.append((field.name, try field.value.json())) }
            return [Array("{\"result\":".utf8), JSONWriter.line(.object(members)), end]
        case .result(.table(let table)):
            return [Array("{\"result\":{\"rows\":[".utf8), table.text, Array("]}".utf8), end]
        case .result(.batches(let schema, let batches)):
            var writer = ArrowStreamWriter(schema: schema)
            var stream: [UInt8] = []
            for batch in batches { stream += try writer.encode(batch) }
            stream += writer.end()
            let header: JSONValue = [
                "rows": .integer(Int64(writer.rowCount)), "bytes": .integer(Int64(stream.count)),
            ]
            return [JSONWriter.line(["result": ["batch": header]]) + [0x0A], stream]
        case .result(.text(let text)):
            return [Array("{\"result\":".utf8), JSONWriter.line(["text": .string(text)]), end]
        case .result(.bytes(let bytes, let mediaType)):
            let header: JSONValue = ["bytes": .integer(Int64(bytes.count)), "mediaType": .string(mediaType)]
            return [JSONWriter.line(["result": header]) + [0x0A], bytes]
        }
    }
}
