package import EscrowDiagnostics
public import EscrowJSON

/// Dt as an app gets it.
public enum AppResult: Sendable, Equatable {
    /// A record or a text. With `columns`, a table: an array of rows, each an array with a cell for each column.
    case value(JSONValue, columns: [String]?)
    /// Bytes, labelled with their media type.
    case bytes([UInt8], mediaType: String)

    init(_ node: JSONNode) throws(AppWireError) { try self.init(MemberReader(node, member: "result")) }

    init(_ reader: MemberReader) throws(AppWireError) {
        var reader = reader
        if let value = reader.take("value") {
            let columns = try Self.columns(reader.take("columns"))
            try reader.finish()
            if let columns { try Self.check(value, columns: columns.count) }
            self = .value(value.value, columns: columns)
        } else {
            let text = try reader.requiredString("bytes")
            let mediaType = try reader.requiredString("mediaType")
            try reader.finish()
            guard let bytes = Base64.decode(text.utf8) else { throw AppWireError(.badValue, member: "bytes") }
            self = .bytes(bytes, mediaType: mediaType)
        }
    }

    private static func columns(_ node: JSONNode?) throws(AppWireError) -> [String]? {
        guard let node else { return nil }
        guard case .array(let items) = node.content else {
            throw AppWireError(.wrongShape, member: "columns")
        }
        var names: [String] = []
        for item in items {
            guard case .string(let name) = item.content else {
                throw AppWireError(.wrongShape, member: "columns")
            }
            names.append(name)
        }
        guard Set(names).count == names.count else { throw AppWireError(.badValue, member: "columns") }
        return names
    }

    private static func check(_ value: JSONNode, columns: Int) throws(AppWireError) {
        guard case .array(let rows) = value.content else { throw AppWireError(.wrongShape, member: "value") }
        for row in rows {
            guard case .array(let cells) = row.content, cells.count == columns else {
                throw AppWireError(.wrongShape, member: "value")
            }
        }
    }

    /// Refuses a text that no answer has room for: one of quotation marks alone is a line twice as long. E0524.
    package static func checkRoom(for value: JSONValue?) throws(Diagnostic) {
        // Beside it stand the id and the names of members.
        let room = AppWire.answerCap - 256
        // A byte is spelled as six at most: only a long text is spelled to be measured. No other result is longer than declared.
        guard case .string(let text)? = value, text.utf8.count > room / 6,
            JSONWriter.line(.string(text)).count > room
        else { return }
        throw Diagnostic(
            .resultOutOfBounds, "the plugin's result is a text that takes more than a line to an app has",
            help: "plugin authors: return less; a line has at most \(AppWire.answerCap) bytes")
    }

    package var json: JSONValue {
        get throws(AppWireError) {
            switch self {
            case .value(let value, nil): return ["value": value]
            case .value(let value, let columns?):
                return ["value": value, "columns": .array(columns.map(JSONValue.string))]
            case .bytes(let bytes, let mediaType):
                // Refused before it is spelled out: a third more, in memory, for nothing.
                guard bytes.count / 3 <= AppWire.answerCap / 4 else { throw AppWireError(.lineTooLong) }
                return ["bytes": .string(Base64.encode(bytes)), "mediaType": .string(mediaType)]
            }
        }
    }
}
