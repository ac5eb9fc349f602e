import EscrowJSON
public import EscrowTabular

/// The form in which a filter takes rows on stdin, and gives back a table on stdout.
public enum FilterForm: String, Sendable, Hashable, CaseIterable {
    case arrow
    /// One JSON object a line.
    case ndjson
    /// Comma-separated values with a header line.
    case csv
}

/// Writes rows as a filter reads them: everything on stdin, then its end.
///
///     var encoder = FilterEncoder(form: .ndjson, schema: schema)
///     write(encoder.start())
///     for batch in batches { write(try encoder.encode(batch)) }
///     write(encoder.end())
///
/// CSV is that of RFC 4180 but for the line end, which is a single `\n`: `awk` and `cut` would take a `\r` for data. A
/// null is an empty field, an empty text `""`; bytes are base64.
public struct FilterEncoder: Sendable {
    private let form: FilterForm
    private let schema: Schema
    private let encoder: RowEncoder
    private var writer: ArrowStreamWriter

    public init(form: FilterForm, schema: Schema) {
        self.form = form
        self.schema = schema
        encoder = RowEncoder(schema)
        writer = ArrowStreamWriter(schema: schema)
    }

    /// What comes before the first row: the header line of CSV, otherwise nothing.
    public func start() -> [UInt8] {
        guard form == .csv else { return [] }
        var output: [UInt8] = []
        for (index, field) in schema.fields.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            var name = field.name
            name.withUTF8 { CSV.append(UnsafeRawBufferPointer($0), to: &output) }
        }
        output.append(0x0A)
        return output
    }

    /// The rows of a batch.
    public mutating func encode(_ batch: Batch) throws(TabularError) -> [UInt8] {
        var output: [UInt8] = []
        switch form {
        case .arrow: return batch.rowCount > 0 ? try writer.encode(batch) : []
        case .ndjson:
            output.reserveCapacity(batch.byteCount * 2)
            for row in 0..<batch.rowCount {
                encoder.append(objectOf: row, in: batch, to: &output)
                output.append(0x0A)
            }
        case .csv:
            output.reserveCapacity(batch.byteCount)
            for row in 0..<batch.rowCount {
                for column in schema.fields.indices {
                    if column > 0 { output.append(UInt8(ascii: ",")) }
                    append(row, column, in: batch, to: &output)
                }
                output.append(0x0A)
            }
        }
        return output
    }

    /// What comes after the last row: the end marker of Arrow, otherwise nothing.
    public mutating func end() -> [UInt8] { form == .arrow ? writer.end() : [] }

    private func append(_ row: Int, _ column: Int, in batch: Batch, to output: inout [UInt8]) {
        guard !batch.isNull(row: row, column: column) else { return }
        switch schema.fields[column].type {
        case .integer: RowEncoder.append(batch.integer(row: row, column: column), to: &output)
        case .boolean:
            output.append(contentsOf: (batch.integer(row: row, column: column) == 0 ? "false" : "true").utf8)
        case .real: output.append(contentsOf: batch.real(row: row, column: column).description.utf8)
        case .timestamp:
            output.append(contentsOf: batch.timestamp(row: row, column: column)?.iso8601.utf8 ?? "".utf8)
        case .text, .asset: batch.withBytes(row: row, column: column) { CSV.append($0, to: &output) }
        case .blob: batch.withBytes(row: row, column: column) { Base64.append($0, to: &output) }
        }
    }
}
