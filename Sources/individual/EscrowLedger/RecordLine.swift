import EscrowJSON

/// One line of the log: `{"commitment":"…","salt":"…","record":{…}}`, with exactly this spelling.
///
/// The layout is fixed to the byte, so that every bit of the file is either checked by the commitment or compared with
/// the layout.
struct RecordLine: Sendable, Equatable {
    /// SHA-256(salt || record).
    let commitment: [UInt8]
    let salt: [UInt8]
    let record: [UInt8]

    /// The most bytes of a record: SQL, tables and columns fit many times over.
    static let maximumRecord = 256 * 1024
    /// The most bytes of a line, without its end.
    static let maximumLine = maximumRecord + 256

    /// What may stand in a record so that it need not be read again: half of what is read.
    static let plain = JSONParser.Limits(depth: 8, values: 25_000)
    private static let read = JSONParser.Limits(depth: 16, bytes: maximumRecord, values: 50_000)

    static let opening = Array(#"{"commitment":""#.utf8)
    private static let middle = Array(#"","salt":""#.utf8)
    private static let last = Array(#"","record":"#.utf8)
    private static let closing = UInt8(ascii: "}")

    init(salt: [UInt8], record: [UInt8]) {
        self.salt = salt
        self.record = record
        commitment = Hashing.commitment(salt: salt, record: record)
    }

    /// The bytes of the line, without its end.
    var bytes: [UInt8] {
        var line = Self.opening
        line += Hex.bytes(commitment)
        line += Self.middle
        line += Hex.bytes(salt)
        line += Self.last
        line += record
        line.append(Self.closing)
        return line
    }

    enum Refusal: Error, Equatable {
        case malformed
        /// The layout, but the commitment is not that of the record.
        case altered
        /// A record of a version or kind that this host does not know.
        case unknown
    }

    /// Takes a line apart and checks its commitment.
    init(_ line: [UInt8]) throws(Refusal) {
        var rest = line[...]
        func take(_ count: Int) throws(Refusal) -> ArraySlice<UInt8> {
            guard rest.count >= count else { throw .malformed }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count)
        }
        func expect(_ text: [UInt8]) throws(Refusal) {
            guard try take(text.count).elementsEqual(text) else { throw .malformed }
        }
        func hash() throws(Refusal) -> [UInt8] {
            guard let bytes = Hex.read(try take(64)) else { throw .malformed }
            return bytes
        }
        guard line.count <= Self.maximumLine else { throw .malformed }
        try expect(Self.opening)
        let stated = try hash()
        try expect(Self.middle)
        let salt = try hash()
        try expect(Self.last)
        guard rest.last == Self.closing, rest.count >= 3 else { throw .malformed }
        self.init(salt: salt, record: Array(rest.dropLast()))
        guard commitment == stated else { throw .altered }
    }

    var leaf: [UInt8] { Hashing.leaf(commitment: commitment) }

    func entry() throws(Refusal) -> LedgerEntry { try Self.entry(record, commitment: commitment) }

    /// Reads a record, as it was written or as what was left of it.
    static func entry(
        _ record: [UInt8], commitment: [UInt8], reduced: LedgerEntry.Reduction? = nil
    ) throws(Refusal) -> LedgerEntry {
        let draft: Draft
        do { draft = try Draft(record) } catch { throw .malformed }
        guard draft.version == 1, let kind = LedgerEntry.Kind(rawValue: draft.kind) else { throw .unknown }
        let clock = draft.clock.flatMap { LedgerTime($0) }
        guard draft.sequence > 0, let time = LedgerTime(draft.time), draft.clock == nil || clock != nil else {
            throw .malformed
        }
        return LedgerEntry(
            sequence: UInt64(draft.sequence), time: time, clock: clock, kind: kind, run: draft.run,
            fields: draft.fields, commitment: Hex.string(commitment), reduced: reduced)
    }

    /// A record as it is spelled, before its words are understood.
    private struct Draft {
        let version: Int64
        let sequence: Int64
        let time: String
        let clock: String?
        let kind: String
        let run: String?
        let fields: JSONValue

        init(_ record: [UInt8]) throws(JSONError) {
            var object = try JSONObjectReader(try JSONParser.parse(record, limits: RecordLine.read))
            version = try object.required("v").requireInteger()
            sequence = try object.required("sequence").requireInteger()
            time = try object.required("time").requireString()
            clock = try object.optional("clock")?.requireString()
            kind = try object.required("kind").requireString()
            run = try object.optional("run")?.requireString()
            let fields = try object.required("fields")
            _ = try fields.requireMembers()
            try object.finish()
            self.fields = fields.value
        }
    }

    static func record(
        sequence: UInt64, time: LedgerTime, clock: LedgerTime?, kind: LedgerEntry.Kind, run: String?,
        fields: JSONValue
    ) -> [UInt8] {
        var members: [(name: String, value: JSONValue)] = [
            ("v", 1), ("sequence", .integer(Int64(clamping: sequence))), ("time", .string(time.description)),
        ]
        if let clock { members.append(("clock", .string(clock.description))) }
        members.append(("kind", .string(kind.rawValue)))
        if let run { members.append(("run", .string(run))) }
        members.append(("fields", fields))
        return JSONWriter.line(.object(members))
    }
}
