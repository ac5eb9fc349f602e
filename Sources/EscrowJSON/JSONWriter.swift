/// Writes JSON: compact for lines, indented for files that people read.
public enum JSONWriter {
    /// The compact text of a value, without a line end.
    public static func line(_ value: JSONValue) -> [UInt8] {
        var output: [UInt8] = []
        append(value, to: &output)
        return output
    }

    /// The indented text of a value, with a line end.
    public static func document(_ value: JSONValue) -> [UInt8] {
        var output: [UInt8] = []
        append(value, to: &output, indent: 0)
        output.append(0x0A)
        return output
    }

    /// Appends the compact text of a value.
    public static func append(_ value: JSONValue, to output: inout [UInt8]) {
        append(value, to: &output, indent: nil)
    }

    /// Appends a quoted string given as UTF-8 bytes.
    public static func append(utf8: some Sequence<UInt8>, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                output.append(UInt8(ascii: "\\"))
                output.append(byte)
            case 0x0A: output.append(contentsOf: "\\n".utf8)
            case 0x0D: output.append(contentsOf: "\\r".utf8)
            case 0x09: output.append(contentsOf: "\\t".utf8)
            case 0..<0x20, 0x7F:
                output.append(contentsOf: "\\u00".utf8)
                output.append(hexadecimal[Int(byte >> 4)])
                output.append(hexadecimal[Int(byte & 15)])
            default: output.append(byte)
            }
        }
        output.append(UInt8(ascii: "\""))
    }

    /// Appends a number; one that JSON cannot spell (infinite, not a number) becomes `null`.
    public static func append(_ real: Double, to output: inout [UInt8]) {
        output.append(contentsOf: (real.isFinite ? real.description : "null").utf8)
    }

    private static let hexadecimal = Array("0123456789abcdef".utf8)

    private static func append(_ value: JSONValue, to output: inout [UInt8], indent: Int?) {
        switch value {
        case .null: output.append(contentsOf: "null".utf8)
        case .bool(let value): output.append(contentsOf: (value ? "true" : "false").utf8)
        case .integer(let value): output.append(contentsOf: String(value).utf8)
        case .real(let value): append(value, to: &output)
        case .string(let value): append(utf8: value.utf8, to: &output)
        case .array(let items):
            // An array of scalars stays on one line: lists of names read better so.
            let isFlat = items.allSatisfy { $0.array == nil && $0.members == nil }
            let inner = isFlat ? nil : indent.map { $0 + 1 }
            output.append(UInt8(ascii: "["))
            for (index, item) in items.enumerated() {
                if index > 0 { output.append(contentsOf: (isFlat && indent != nil ? ", " : ",").utf8) }
                newLine(&output, inner)
                append(item, to: &output, indent: inner)
            }
            if !items.isEmpty, !isFlat { newLine(&output, indent) }
            output.append(UInt8(ascii: "]"))
        case .object(let members):
            let inner = indent.map { $0 + 1 }
            output.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                newLine(&output, inner)
                append(utf8: member.name.utf8, to: &output)
                output.append(contentsOf: (indent == nil ? ":" : ": ").utf8)
                append(member.value, to: &output, indent: inner)
            }
            if !members.isEmpty { newLine(&output, indent) }
            output.append(UInt8(ascii: "}"))
        }
    }

    private static func newLine(_ output: inout [UInt8], _ indent: Int?) {
        guard let indent else { return }
        output.append(0x0A)
        output.append(contentsOf: repeatElement(0x20, count: indent * 2))
    }
}
