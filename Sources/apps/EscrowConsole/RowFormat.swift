import ArgumentParser
import EscrowJSON
package import EscrowTabular

/// How rows are printed.
package enum RowFormat: String, ExpressibleByArgument, CaseIterable {
    case table
    case json
    case ndjson
    case csv
    case line
}

/// Prints rows for the owner as they come, in one of the formats.
package struct RowPrinter {
    private let format: RowFormat
    private let names: [String]
    private let widest: Int
    private var pending: [[String]] = []
    private var printed = 0

    package init(_ format: RowFormat, columns: [String]) {
        self.format = format
        names = columns
        widest = columns.map(\.count).max() ?? 0
        if format == .csv { Console.line(columns.map(Self.quoted).joined(separator: ",")) }
    }

    package mutating func add(_ batch: Batch) {
        for row in 0..<batch.rowCount {
            let values = batch.schema.fields.indices.map { Self.value(batch, row, $0) }
            switch format {
            case .table: pending.append(values.map(Self.words))
            case .json:
                let start = printed == 0 ? "[" : ",\n"
                Console.data(Array((start + Console.escaped(object(values))).utf8))
            case .ndjson: Console.line(Console.escaped(object(values)))
            case .csv: Console.line(values.map { Self.quoted(Self.words($0)) }.joined(separator: ","))
            case .line:
                if printed > 0 { Console.line("") }
                for (name, value) in zip(names, values) {
                    let left = String(repeating: " ", count: widest - name.count) + name
                    Console.columns("\(left)  \(Self.words(value))")
                }
            }
            printed += 1
        }
        // A table is laid out block by block, so that memory does not grow with its length.
        if pending.count >= 2_048 { flush() }
    }

    package mutating func finish() {
        switch format {
        case .table where !pending.isEmpty || printed == 0: flush()
        case .json: Console.line(printed == 0 ? "[]" : "]")
        case .table, .ndjson, .csv, .line: break
        }
    }

    private mutating func flush() {
        Console.table(names, pending)
        pending.removeAll()
    }

    private func object(_ values: [JSONValue]) -> String {
        String(decoding: JSONWriter.line(.object(Array(zip(names, values)))), as: UTF8.self)
    }

    /// A moment as SQL has it and not as the batch counts it; bytes by their number, for a reader has no use for more.
    private static func value(_ batch: Batch, _ row: Int, _ column: Int) -> JSONValue {
        let type = batch.schema.fields[column].type
        if type == .timestamp {
            return batch.timestamp(row: row, column: column).map { .string($0.iso8601) } ?? .null
        }
        return switch batch.cell(row: row, column: column) {
        case .null: .null
        case .integer(let value): type == .boolean ? .bool(value != 0) : .integer(value)
        case .real(let value): .real(value)
        case .text(let value): .string(value)
        case .blob(let bytes): ["bytes": .integer(Int64(bytes.count))]
        }
    }

    private static func words(_ value: JSONValue) -> String {
        switch value {
        case .null: ""
        case .string(let text): text
        case .object(let members): "(\(members.first?.value.integer ?? 0) bytes)"
        default: String(decoding: JSONWriter.line(value), as: UTF8.self)
        }
    }

    /// RFC 4180.
    private static func quoted(_ text: String) -> String {
        guard text.utf8.contains(where: { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }) else { return text }
        return "\"\(text.replacing("\"", with: "\"\""))\""
    }
}
