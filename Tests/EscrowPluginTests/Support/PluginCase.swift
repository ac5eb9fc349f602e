import EscrowJSON
import EscrowTabular
import EscrowWire
import Glibc

/// A test case of a plugin (docs/spec/cases.md), with what the plugin's manifest says that matters to run it.
struct PluginCase {
    let name: String
    let process: PluginProcess
    let filter: FilterForm?
    let resultColumns: [(name: String, type: ColumnType)]
    /// To how many digits after the point the host rounds a field of the record.
    let decimals: [String: Int]
    let expected: JSONValue

    struct Malformed: Error { let what: String }

    /// Reads `Plugins/NAME/Tests/cases/CASE.json`; `command` starts the plugin.
    init(_ path: String, manifest: JSONValue, command: [String]) throws {
        let node = try JSONParser.parse(try bytes(of: path)).value
        name = node["name"]?.string ?? ""
        var fields: [Field] = []
        for column in manifest["accepts"]?["columns"]?.array ?? [] {
            guard let name = column["name"]?.string,
                let type = column["type"]?.string.flatMap(ColumnType.init(rawValue:))
            else { throw Malformed(what: "accepts.columns") }
            fields.append(Field(name, type: type))
        }
        var process = PluginProcess(command: command, schema: try Schema(fields))
        let builder = BatchBuilder(schema: process.schema)
        for row in node["rows"]?.array ?? [] {
            for (column, cell) in (row.array ?? []).enumerated() { try Self.append(cell, column, builder) }
            try builder.endRow()
        }
        process.batches = builder.rowCount > 0 ? [builder.finish()] : []
        let folder = path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)
        for (handle, file) in node["assets"]?.members ?? [] {
            let file = file.string ?? ""
            process.assets[handle] = (Self.mediaType(file), try bytes(of: "\(folder)/\(file)"))
        }
        for (name, parameter) in manifest["parameters"]?.members ?? [] {
            process.parameters.append((name, node["params"]?[name] ?? parameter["default"] ?? nil))
        }
        let result = manifest["result"]
        guard let kind = result?["kind"]?.string.flatMap(ResultKind.init(rawValue:)) else {
            throw Malformed(what: "result.kind")
        }
        process.resultKind = kind
        process.resultBytes = Int(result?["maxBytes"]?.integer ?? 0)
        resultColumns = (result?["columns"]?.array ?? []).map {
            ($0["name"]?.string ?? "", ColumnType(rawValue: $0["type"]?.string ?? "") ?? .text)
        }
        decimals = Dictionary(
            (result?["fields"]?.members ?? []).compactMap { field in
                field.value["decimals"]?.integer.map { (field.name, Int($0)) }
            }, uniquingKeysWith: { first, _ in first })
        filter = manifest["protocol"]?["input"]?.string.flatMap(FilterForm.init(rawValue:))
        expected = node["expect"] ?? nil
        self.process = process
    }

    /// Runs the case; nil if it came out as expected, else what came instead. The data is a test's own.
    func run() throws -> String? {
        let payload: ResultPayload
        if let filter {
            var encoder = FilterEncoder(form: filter, schema: process.schema)
            var input = encoder.start()
            for batch in process.batches { input += try encoder.encode(batch) }
            let (output, status) = try process.filter(input + encoder.end())
            guard status == 0 else { return "exit status \(status)" }
            payload = try FilterResult(
                kind: process.resultKind, form: filter, columns: resultColumns,
                resultBytes: process.resultBytes
            ).decode(output)
        } else {
            let outcome = try process.run()
            guard outcome.exitStatus == 0 else { return "exit status \(outcome.exitStatus)" }
            if let refusal = outcome.refusal {
                return expected["refuse"]?.string == refusal.code.rawValue ? nil : "refused: \(refusal.code)"
            }
            guard let result = outcome.result else { return "neither result nor refusal" }
            payload = result
        }
        let value = rounded(try Self.value(payload))
        return expected["result"].map { Self.same($0, value) } == true ? nil : Self.text(value)
    }

    /// A record with its numbers rounded as the host does it: half away from zero.
    private func rounded(_ value: JSONValue) -> JSONValue {
        guard case .object(let members) = value else { return value }
        return .object(
            members.map { name, value in
                guard let digits = decimals[name], let number = value.real else { return (name, value) }
                let scale = pow(10, Double(digits))
                return (name, .real((number * scale).rounded(.toNearestOrAwayFromZero) / scale))
            })
    }

    /// A result as cases spell it: the object of a record, the rows of a table, the text.
    private static func value(_ payload: ResultPayload) throws -> JSONValue {
        switch payload {
        case .json(let node):
            // A record has no field of its own by these names in any case here.
            return node.value["rows"] ?? node.value["text"] ?? node.value
        case .rows(let rows): return .array(rows.map(JSONValue.array))
        case .bytes(let bytes, _): return .string(String(decoding: bytes, as: UTF8.self))
        case .stream(let bytes, _):
            var reader = ArrowStreamReader()
            let batches = try reader.feed(bytes)
            try reader.finish()
            return .array(
                batches.flatMap { batch in
                    (0..<batch.rowCount).map { row in
                        .array(batch.schema.fields.indices.map { json(batch.cell(row: row, column: $0)) })
                    }
                })
        }
    }

    private static func json(_ cell: Cell) -> JSONValue {
        switch cell {
        case .null: nil
        case .integer(let value): .integer(value)
        case .real(let value): .real(value)
        case .text(let value): .string(value)
        case .blob(let bytes): ["b64": .string(Base64.encode(bytes))]
        }
    }

    /// Whether a value is as expected: members that are not expected are not compared; numbers are, to two digits after
    /// the point, since the host also rounds tables and nobody has rounded those here.
    private static func same(_ left: JSONValue, _ right: JSONValue) -> Bool {
        switch (left, right) {
        case (.object(let a), .object):
            return a.allSatisfy { member in right[member.name].map { same(member.value, $0) } == true }
        case (.array(let a), .array(let b)): return a.count == b.count && zip(a, b).allSatisfy(same)
        case (.real, _), (_, .real):
            guard let a = left.real, let b = right.real else { return false }
            return abs(a - b) < 0.0051
        default: return left == right
        }
    }

    private static func text(_ value: JSONValue) -> String {
        String(decoding: JSONWriter.line(value), as: UTF8.self)
    }

    static func append(_ cell: JSONValue, _ column: Int, _ builder: BatchBuilder) throws {
        switch cell {
        case .null: try builder.appendNull(to: column)
        case .bool(let value): try builder.append(value ? 1 : 0, to: column)
        case .integer(let value): try builder.append(value, to: column)
        case .real(let value): try builder.append(value, to: column)
        case .string(let value): try builder.appendText(value, to: column)
        case .object, .array:
            if let wide = cell["i64"]?.string.flatMap({ Int64($0) }) {
                try builder.append(wide, to: column)
                return
            }
            guard let text = cell["b64"]?.string, let bytes = Base64.decode(Array(text.utf8)) else {
                throw Malformed(what: "rows")
            }
            try builder.append(cell: .blob(bytes), to: column)
        }
    }

    private static func mediaType(_ file: String) -> String {
        switch file.split(separator: ".").last {
        case "jpg", "jpeg": "image/jpeg"
        case "png": "image/png"
        case "heic": "image/heic"
        default: "application/octet-stream"
        }
    }
}

/// The bytes of a file.
func bytes(of path: String) throws -> [UInt8] {
    guard let file = fopen(path, "r") else { throw PluginCase.Malformed(what: "\(path): errno \(errno)") }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
        let count = fread(&buffer, 1, buffer.count, file)
        guard count > 0 else { return bytes }
        bytes += buffer[..<count]
    }
}
