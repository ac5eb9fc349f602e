import EscrowJSON
import EscrowTabular

/// Writes rows as JSON: an array, or an object with the columns' names, for each row.
///
/// Whole numbers beyond ±(2^53 − 1) are `{"i64":"…"}`, since JavaScript and jq lose their last digits; what JSON
/// cannot spell is `{"f64":"inf"}`, `"-inf"` or `"nan"`; bytes are `{"b64":"…"}`; a boolean is `true` or `false`; a
/// moment is its ISO 8601 text with milliseconds.
struct RowEncoder {
    private let types: [ColumnType]
    /// `"name":` of each column, quoted once.
    private let names: [[UInt8]]

    init(_ schema: Schema) {
        types = schema.fields.map(\.type)
        names = schema.fields.map { field in
            var text: [UInt8] = []
            var name = field.name
            name.withUTF8 { Self.append(text: UnsafeRawBufferPointer($0), to: &text) }
            text.append(UInt8(ascii: ":"))
            return text
        }
    }

    func append(arrayOf row: Int, in batch: Batch, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "["))
        for column in types.indices {
            if column > 0 { output.append(UInt8(ascii: ",")) }
            append(row, column, in: batch, to: &output)
        }
        output.append(UInt8(ascii: "]"))
    }

    func append(objectOf row: Int, in batch: Batch, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "{"))
        for column in types.indices {
            if column > 0 { output.append(UInt8(ascii: ",")) }
            output.append(contentsOf: names[column])
            append(row, column, in: batch, to: &output)
        }
        output.append(UInt8(ascii: "}"))
    }

    private func append(_ row: Int, _ column: Int, in batch: Batch, to output: inout [UInt8]) {
        guard !batch.isNull(row: row, column: column) else {
            output.append(contentsOf: "null".utf8)
            return
        }
        switch types[column] {
        case .integer:
            let value = batch.integer(row: row, column: column)
            if value.magnitude < 1 << 53 {
                Self.append(value, to: &output)
            } else {
                output.append(contentsOf: "{\"i64\":\"".utf8)
                Self.append(value, to: &output)
                output.append(contentsOf: "\"}".utf8)
            }
        case .boolean:
            output.append(contentsOf: (batch.integer(row: row, column: column) == 0 ? "false" : "true").utf8)
        case .real: Self.append(batch.real(row: row, column: column), to: &output)
        case .timestamp:
            output.append(UInt8(ascii: "\""))
            output.append(contentsOf: batch.timestamp(row: row, column: column)?.iso8601.utf8 ?? "".utf8)
            output.append(UInt8(ascii: "\""))
        case .text, .asset:
            batch.withBytes(row: row, column: column) { Self.append(text: $0, to: &output) }
        case .blob:
            output.append(contentsOf: "{\"b64\":\"".utf8)
            batch.withBytes(row: row, column: column) { Base64.append($0, to: &output) }
            output.append(contentsOf: "\"}".utf8)
        }
    }

    static func append(_ value: Int64, to output: inout [UInt8]) {
        if value < 0 { output.append(UInt8(ascii: "-")) }
        let start = output.count
        var rest = value.magnitude
        repeat {
            output.append(UInt8(truncatingIfNeeded: rest % 10) + UInt8(ascii: "0"))
            rest /= 10
        } while rest > 0
        output[start...].reverse()
    }

    static func append(_ value: Double, to output: inout [UInt8]) {
        if value.isFinite {
            output.append(contentsOf: value.description.utf8)
        } else {
            output.append(
                contentsOf: "{\"f64\":\"\(value.isNaN ? "nan" : value < 0 ? "-inf" : "inf")\"}".utf8)
        }
    }

    /// Appends UTF-8 text in quotes: runs without anything to escape are copied whole.
    static func append(text: UnsafeRawBufferPointer, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        var start = 0
        for at in 0..<text.count {
            let byte = text[at]
            guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
            output.append(contentsOf: text[start..<at])
            start = at + 1
            output.append(UInt8(ascii: "\\"))
            switch byte {
            case 0x0A: output.append(UInt8(ascii: "n"))
            case 0x0D: output.append(UInt8(ascii: "r"))
            case 0x09: output.append(UInt8(ascii: "t"))
            case 0..<0x20:
                output.append(contentsOf: "u00".utf8)
                output.append((byte >> 4) + UInt8(ascii: "0"))
                output.append(byte & 15 < 10 ? byte & 15 + 0x30 : byte & 15 + 0x57)
            default: output.append(byte)
            }
        }
        output.append(contentsOf: text[start...])
        output.append(UInt8(ascii: "\""))
    }
}
