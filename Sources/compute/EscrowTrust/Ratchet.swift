public import EscrowDiagnostics
internal import EscrowFiles
internal import EscrowJSON

/// The highest sequence number installed for each plugin and key: a lower one is a rollback.
///
/// Per key, so that a stolen key which signed the highest number there is cannot block the key that follows it. Written
/// last of all, after every check has passed: a package that is refused must leave no trace here.
public struct Ratchet: Sendable, Hashable {
    private var marks: [Mark: Int64]

    private struct Mark: Hashable {
        let id: String
        let key: String
    }

    public init() { marks = [:] }

    /// Reads the file; an empty ratchet where there is none. Throws if it is damaged: it must not begin anew by itself.
    public static func load(_ path: String) throws(Diagnostic) -> Ratchet {
        guard let bytes = try file(path).read() else { return Ratchet() }
        return try parse(bytes, path)
    }

    /// Reads what the file holds.
    static func parse(_ bytes: [UInt8], _ path: String) throws(Diagnostic) -> Ratchet {
        do { return try Ratchet(parsing: bytes) } catch {
            throw Diagnostic(
                .pluginStoreDamaged, "\(path) is damaged: \(error.impersonalMessage)",
                at: .init(file: path, line: error.position.line, column: error.position.column),
                help: "put it back from a backup; without it, older versions could be passed off as new ones")
        }
    }

    public func highest(_ id: String, _ key: KeyID) -> Int64? { marks[Mark(id: id, key: key.description)] }

    func check(_ id: String, sequence: Int64, keys: [PublicKey]) -> Verification.Reason? {
        let highest = keys.compactMap { self.highest(id, $0.id) }.max()
        guard let highest, sequence < highest else { return nil }
        return .rolledBack(sequence: sequence, installed: highest)
    }

    /// Remembers a sequence, also a lower one: whoever calls has checked, or was told to go back.
    mutating func record(_ id: String, sequence: Int64, keys: [PublicKey]) {
        for key in keys { marks[Mark(id: id, key: key.id.description)] = sequence }
    }

    func save(_ path: String) throws(Diagnostic) {
        let entries = marks.sorted { ($0.key.id, $0.key.key) < ($1.key.id, $1.key.key) }.map {
            mark, sequence in
            ["id": .string(mark.id), "key": .string(mark.key), "sequence": .integer(sequence)] as JSONValue
        }
        let bytes = JSONWriter.document(["schema": .string(Self.schema), "marks": .array(entries)])
        try Self.file(path).replace(with: bytes) { (bytes) throws(Diagnostic) in
            _ = try Self.parse(bytes, path)
        }
    }

    /// The file as it is read and written.
    static func file(_ path: String) -> StoreFile {
        StoreFile(
            path, limit: 1 << 20,
            help: "it has a mark for each plugin and key that was ever installed: make a new home")
    }

    private static let schema = "escrow.ratchet/1"

    private init(parsing bytes: [UInt8]) throws(JSONError) {
        var object = try JSONObjectReader(JSONParser.parse(bytes, limits: .init(depth: 4)))
        try object.requireSchema(Self.schema)
        var marks: [Mark: Int64] = [:]
        for item in try object.required("marks").requireArray() {
            var entry = try JSONObjectReader(item)
            let mark = Mark(
                id: try entry.required("id").requireString(), key: try entry.required("key").requireString())
            let sequence = try entry.required("sequence").requireInteger()
            try entry.finish()
            marks[mark] = max(marks[mark] ?? sequence, sequence)
        }
        try object.finish()
        self.marks = marks
    }
}
