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
        let isDone = utf8.withContiguousStorageIfAvailable { append(bytes: $0, to: &output) } != nil
        if !isDone { Array(utf8).withUnsafeBufferPointer { append(bytes: $0, to: &output) } }
    }

    /// Appends a quoted string: what stands as it is, run by run, and between the runs what is escaped.
    private static func append(bytes: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        var start = 0
        while true {
            let end = endOfRun(bytes, from: start)
            output.append(contentsOf: bytes[start..<end])
            guard end < bytes.count else { break }
            escape(bytes[end], to: &output)
            start = end + 1
        }
        output.append(UInt8(ascii: "\""))
    }

    /// Where the next byte stands that is escaped; the count if none is. Eight bytes are looked at at once: a digest list of
    /// a run is tens of thousands of plain ones.
    private static func endOfRun(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        let raw = UnsafeRawBufferPointer(bytes)
        let ones: UInt64 = 0x0101_0101_0101_0101
        var index = start
        while index + 8 <= raw.count {
            let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            let quote = word ^ ones &* 0x22
            let backslash = word ^ ones &* 0x5C
            let delete = word ^ ones &* 0x7F
            // The high bit of some byte is set exactly where a byte is below a space, or one of the three.
            let found =
                (word &- ones &* 0x20) & ~word | (quote &- ones) & ~quote
                | (backslash &- ones) & ~backslash | (delete &- ones) & ~delete
            guard found & ones &* 0x80 == 0 else { break }
            index += 8
        }
        while index < bytes.count, !isEscaped(bytes[index]) { index += 1 }
        return index
    }

    private static func isEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private static func escape(_ byte: UInt8, to output: inout [UInt8]) {
        switch byte {
        case 0x0A: output.append(contentsOf: "\\n".utf8)
        case 0x0D: output.append(contentsOf: "\\r".utf8)
        case 0x09: output.append(contentsOf: "\\t".utf8)
        case 0..<0x20, 0x7F:
            output.append(contentsOf: "\\u00".utf8)
            output.append(hexadecimal[Int(byte >> 4)])
            output.append(hexadecimal[Int(byte & 15)])
        default:
            output.append(UInt8(ascii: "\\"))
            output.append(byte)
        }
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
