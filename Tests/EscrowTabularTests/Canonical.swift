import EscrowTabular

/// Batches as text that `Tests/Vectors/arrow/peer.py` writes in the same form, to be compared as a whole.
func canonical(_ schema: Schema, _ batches: [Batch]) -> String {
    var text = ""
    for field in schema.fields {
        let type = field.type == .asset ? ColumnType.text : field.type
        text += "field \(field.name) \(type.rawValue) \(field.isNullable ? 1 : 0)\n"
    }
    for batch in batches {
        text += "batch \(batch.rowCount)\n"
        for row in 0..<batch.rowCount {
            let cells = schema.fields.indices.map { canonical(batch.cell(row: row, column: $0)) }
            text += cells.joined(separator: "|") + "\n"
        }
    }
    return text
}

private func canonical(_ cell: Cell) -> String {
    func hex(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        for byte in bytes { text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]] }
        return String(decoding: text, as: UTF8.self)
    }
    switch cell {
    case .null: return "-"
    case .integer(let value): return String(value)
    case .real(let value):
        return hex((0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> (56 - 8 * $0)) })
    case .text(let text): return "x" + hex(text.utf8)
    case .blob(let bytes): return "x" + hex(bytes)
    }
}

/// All batches of a stream that is fed in pieces of the given size.
func readStream(
    _ bytes: [UInt8], requiring schema: Schema? = nil, limits: ArrowLimits = ArrowLimits(),
    pieces: Int = .max
) throws(TabularError) -> (schema: Schema?, batches: [Batch]) {
    var reader = ArrowStreamReader(requiring: schema, limits: limits)
    var batches: [Batch] = []
    var at = 0
    while at < bytes.count {
        let end = at + min(pieces, bytes.count - at)
        batches += try reader.feed(Array(bytes[at..<end]))
        at = end
    }
    try reader.finish()
    return (reader.schema, batches)
}

/// The error that `body` throws; nil if it throws none.
func fault<Value>(_ body: () throws(TabularError) -> Value) -> TabularError? {
    do throws(TabularError) {
        _ = try body()
        return nil
    } catch { return error }
}
