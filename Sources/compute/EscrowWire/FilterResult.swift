import EscrowJSON
public import EscrowTabular

/// Reads the whole stdout of a filter as the result that the manifest declares.
///
/// A record is one JSON object. A table has the form of the rows on stdin: lines of JSON, each an object with the
/// columns' names or an array of cells; CSV with a header line; or an Arrow stream. Text and bytes are the output
/// itself; one line end at the end of a text is dropped, since `jq` and `echo` put it there.
public struct FilterResult: Sendable {
    private let kind: ResultKind
    private let form: FilterForm
    private let columns: [(name: String, type: ColumnType)]
    private let maximumRows: Int
    private let maximumBytes: Int

    /// Says what to expect. `columns` are those of a declared table, with the types that matter for CSV, where
    /// everything is text; `maxRows` and `resultBytes` are the declared sizes.
    public init(
        kind: ResultKind, form: FilterForm, columns: [(name: String, type: ColumnType)] = [],
        maxRows: Int = 1_000_000, resultBytes: Int
    ) {
        maximumRows = maxRows
        self.kind = kind
        self.form = form
        self.columns = columns
        maximumBytes = Self.outputLimit(kind: kind, form: form, resultBytes: resultBytes)
    }

    /// The most bytes that a filter may write: the host stops it there. Lines of JSON spell the columns' names in
    /// every row, and Arrow spends eight bytes where JSON may need two.
    public static func outputLimit(kind: ResultKind, form: FilterForm, resultBytes: Int) -> Int {
        let most = min(max(resultBytes, 0), 1 << 40)
        switch kind {
        case .record: return most + 1_024
        case .table: return most * 4 + 65_536
        case .text, .bytes: return most + 1
        }
    }

    /// Reads the output.
    public func decode(_ output: [UInt8]) throws(WireError) -> ResultPayload {
        guard output.count <= maximumBytes else {
            throw WireError(.resultTooLarge, line: 1, "more output than the declared result can take")
        }
        switch kind {
        case .record:
            let node = try parse(output, line: 1)
            guard case .object = node.content else {
                throw WireError(.wrongResult, line: 1, "the output is not one JSON object")
            }
            return .json(node)
        case .table:
            switch form {
            case .arrow: return .stream(output, rows: nil)
            case .ndjson: return .rows(try lines(output))
            case .csv: return .rows(try csv(output))
            }
        case .text:
            let end = output.last == 0x0A ? output.count - 1 : output.count
            return .bytes(Array(output[..<end]), mediaType: nil)
        case .bytes: return .bytes(output, mediaType: nil)
        }
    }

    private func parse(_ text: some Collection<UInt8>, line: Int) throws(WireError) -> JSONNode {
        guard text.contains(where: { $0 != 0x20 && $0 != 0x0A && $0 != 0x0D && $0 != 0x09 }) else {
            throw WireError(.noResult, line: line, "the output is empty")
        }
        do {
            return try JSONParser.parse(
                text, limits: JSONParser.Limits(depth: 16, bytes: maximumBytes, values: 1_000_000))
        } catch {
            throw WireError(.wrongResult, line: line, "not one JSON value: \(error.impersonalMessage)")
        }
    }

    private func lines(_ output: [UInt8]) throws(WireError) -> [[JSONValue]] {
        var rows: [[JSONValue]] = []
        var line = 0
        for text in output.split(separator: 0x0A, omittingEmptySubsequences: false) {
            line += 1
            // The piece after the last line end is no line.
            if text.isEmpty, text.endIndex == output.endIndex { continue }
            guard rows.count < maximumRows else {
                throw WireError(.resultTooLarge, line: line, "more than the declared \(maximumRows) rows")
            }
            let node = try parse(text, line: line)
            switch node.content {
            case .array(let cells):
                guard cells.count == columns.count else {
                    throw WireError(.wrongResult, line: line, "a row with another number of cells")
                }
                rows.append(cells.map(\.value))
            case .object(let members): rows.append(try row(members, line: line))
            default:
                throw WireError(.wrongResult, line: line, "a line that is neither an object nor an array")
            }
        }
        return rows
    }

    private func row(_ members: [JSONNode.Member], line: Int) throws(WireError) -> [JSONValue] {
        var row = [JSONValue](repeating: .null, count: columns.count)
        for member in members {
            guard let column = columns.firstIndex(where: { $0.name.utf8.elementsEqual(member.name.utf8) })
            else {
                throw WireError(.wrongResult, line: line, "a member that is no column of the declared table")
            }
            row[column] = member.value.value
        }
        return row
    }

    private func csv(_ output: [UInt8]) throws(WireError) -> [[JSONValue]] {
        let records: [CSV.Record]
        switch CSV.parse(output, fields: columns.count, records: maximumRows + 1) {
        case .records(let found): records = found
        case .notCSV(let line):
            throw WireError(.wrongResult, line: line, "the output is not CSV: a quote stands where none may")
        case .wrongFieldCount(let line):
            throw WireError(.wrongResult, line: line, "a record with another number of fields")
        case .tooManyRecords(let line):
            throw WireError(.resultTooLarge, line: line, "more than the declared \(maximumRows) rows")
        }
        guard let header = records.first else { throw WireError(.noResult, line: 1, "the output is empty") }
        guard
            zip(header, columns).allSatisfy({ ($0 ?? []).elementsEqual($1.name.utf8) })
        else {
            throw WireError(
                .wrongResult, line: 1, "the header line does not name the declared columns in order")
        }
        var rows: [[JSONValue]] = []
        for (index, record) in records.enumerated().dropFirst() {
            var row: [JSONValue] = []
            for (field, column) in zip(record, columns) {
                guard let value = Self.value(field, column.type) else {
                    throw WireError(
                        .wrongResult, line: index + 1, "a field that is not of its column's declared type")
                }
                row.append(value)
            }
            rows.append(row)
        }
        return rows
    }

    private static func value(_ field: [UInt8]?, _ type: ColumnType) -> JSONValue? {
        guard let field else { return .null }
        guard let text = String(validating: field, as: UTF8.self) else { return nil }
        switch type {
        case .integer: return Int64(text).map { .integer($0) }
        case .real: return Double(text).flatMap { $0.isFinite ? .real($0) : nil }
        case .boolean:
            switch text {
            case "true", "1": return true
            case "false", "0": return false
            default: return nil
            }
        case .blob: return ["b64": .string(text)]
        case .text, .asset, .timestamp: return .string(text)
        }
    }
}
