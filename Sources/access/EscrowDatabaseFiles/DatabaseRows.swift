internal import CSQLite
public import EscrowDiagnostics

/// The rows of one query, one after the other. Values are valid until the next row.
public final class DatabaseRows {
    private let file: DatabaseFile
    private let statement: OpaquePointer
    /// The key of the row at hand, where column 0 holds ascending keys.
    private var key: Int64?
    private let isKeyed: Bool
    /// How many bytes of texts and blobs may still come. The cells of a hostile file can share their pages.
    private var bytesLeft: Int

    /// - Parameter times: how many times the file's size its rows may hold in all.
    init(_ sql: String, in file: DatabaseFile, isKeyed: Bool = false, times: Int = 2) throws(Diagnostic) {
        var prepared: OpaquePointer?
        file.deadline.begin()
        let status = sqlite3_prepare_v2(file.db, sql, -1, &prepared, nil)
        guard status == SQLITE_OK, let prepared else {
            sqlite3_finalize(prepared)
            throw Self.diagnose(status, file)
        }
        self.file = file
        self.isKeyed = isKeyed
        bytesLeft = max(DatabaseFile.leastBytes, file.size * times)
        statement = prepared
    }

    deinit { sqlite3_finalize(statement) }

    /// Moves on to the next row; false when there are none left.
    ///
    /// - Throws: E0830, E0831, E0837.
    public func next() throws(Diagnostic) -> Bool {
        guard bytesLeft >= 0 else { throw .damagedDatabase(SQLITE_CORRUPT) }
        file.deadline.begin()
        let status = sqlite3_step(statement)
        switch status {
        case SQLITE_ROW:
            guard isKeyed else { return true }
            let next = integer(0)
            guard let next, key.map({ $0 < next }) ?? true else { throw .damagedDatabase(SQLITE_CORRUPT) }
            key = next
            return true
        case SQLITE_DONE: return false
        default: throw Self.diagnose(status, file)
        }
    }

    private static func diagnose(_ status: Int32, _ file: DatabaseFile) -> Diagnostic {
        switch status & 0xFF {
        case SQLITE_NOTADB: .notADatabase()
        case SQLITE_INTERRUPT where file.deadline.hasPassed: .databaseTooSlow()
        case SQLITE_ERROR, SQLITE_AUTH:
            .unknownSchema("a table or a column is not what it was expected to be")
        default: .damagedDatabase(status)
        }
    }

    /// The integer in a column; nil if it holds none. A float without a fraction counts.
    public func integer(_ column: Int) -> Int64? {
        switch sqlite3_column_type(statement, Int32(column)) {
        case SQLITE_INTEGER: sqlite3_column_int64(statement, Int32(column))
        case SQLITE_FLOAT: Int64(exactly: sqlite3_column_double(statement, Int32(column)))
        default: nil
        }
    }

    /// The number in a column; nil if it holds none.
    public func real(_ column: Int) -> Double? {
        switch sqlite3_column_type(statement, Int32(column)) {
        case SQLITE_INTEGER, SQLITE_FLOAT: sqlite3_column_double(statement, Int32(column))
        default: nil
        }
    }

    /// The bytes of a text in a column; nil if it holds none. They need not be UTF-8.
    public func text(_ column: Int) -> [UInt8]? {
        guard sqlite3_column_type(statement, Int32(column)) == SQLITE_TEXT else { return nil }
        // First of all this, which turns UTF-16 into UTF-8.
        return bytes(column, at: UnsafeRawPointer(sqlite3_column_text(statement, Int32(column))))
    }

    /// The bytes of a blob in a column; nil if it holds none.
    public func blob(_ column: Int) -> [UInt8]? {
        guard sqlite3_column_type(statement, Int32(column)) == SQLITE_BLOB else { return nil }
        return bytes(column, at: sqlite3_column_blob(statement, Int32(column)))
    }

    private func bytes(_ column: Int, at start: UnsafeRawPointer?) -> [UInt8] {
        let count = Int(sqlite3_column_bytes(statement, Int32(column)))
        bytesLeft -= count
        return Array(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
    }
}
