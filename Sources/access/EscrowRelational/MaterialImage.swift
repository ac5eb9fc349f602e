internal import CSQLite
internal import EscrowDiagnostics
internal import EscrowSchema

/// Native tables filled from their sources: a SQLite database as bytes in memory, never changed once it is made.
///
/// Any number of connections read the same bytes, each with settings, authorizer and functions of its own. So nothing that
/// one access left behind in a connection reaches another.
final class MaterialImage: @unchecked Sendable {
    struct Part: Sendable {
        let name: String
        /// The shape, and thereby what was granted.
        let ddl: String
        /// The columns that were filled; the others hold nulls alone.
        let filled: ColumnMask
        /// Whether the table was read at all.
        let isFilled: Bool
        let rows: Int
        /// The state of the source before it was read; nil where it is not known.
        let fingerprint: TableFingerprint?
        /// Whether the rows mean something in other accesses too: handles of assets are of one run.
        let isLasting: Bool
        /// Where the rows of each group of the source lie; nil where it does not tell them apart.
        let groups: MaterialGroups?
    }

    let parts: [Part]
    private let bytes: UnsafeMutableRawBufferPointer

    var byteCount: Int { bytes.count }

    /// Whether another access may read it.
    var isLasting: Bool {
        !parts.isEmpty && parts.allSatisfy { !$0.isFilled || $0.isLasting && $0.fingerprint != nil }
    }

    init(copying source: UnsafeRawBufferPointer, parts: [Part]) {
        bytes = .allocate(byteCount: source.count, alignment: 16)
        bytes.copyMemory(from: source)
        self.parts = parts
    }

    deinit { bytes.deallocate() }

    /// Gives a connection a copy of the tables, which it may change.
    func copy(to db: OpaquePointer) throws(Diagnostic) {
        guard let memory = sqlite3_malloc64(UInt64(bytes.count)) else { throw PrepareErrors.memory() }
        memory.copyMemory(from: bytes.baseAddress!, byteCount: bytes.count)
        // SQLite frees the memory, also where it does not take it.
        let status = sqlite3_deserialize(
            db, "main", memory.assumingMemoryBound(to: UInt8.self), Int64(bytes.count), Int64(bytes.count),
            UInt32(SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE))
        try Self.check(status)
    }

    /// Makes the tables those of a connection, which must not outlive this object.
    func serve(to db: OpaquePointer) throws(Diagnostic) {
        guard !bytes.isEmpty else { return }
        // Read-only: SQLite writes no byte of it and frees none.
        let status = sqlite3_deserialize(
            db, "main", bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), Int64(bytes.count),
            Int64(bytes.count), UInt32(SQLITE_DESERIALIZE_READONLY))
        try Self.check(status)
    }

    private static func check(_ status: Int32) throws(Diagnostic) {
        guard status == SQLITE_OK else {
            throw Diagnostic(.sqliteUnfit, "SQLite does not take its tables back (code \(status))")
        }
    }
}
