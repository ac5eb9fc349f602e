internal import CSQLite
public import EscrowDiagnostics
internal import Glibc

/// Another program's database, open for reading.
///
/// The file is as hostile as any other input. SQLite gets it as read-only memory, so no path, lock or journal is
/// involved; views, triggers, virtual tables, generated columns and functions do not run; and a scan that a damaged tree
/// would keep busy ends by a deadline.
public final class DatabaseFile {
    /// The longest text or blob that is read, in bytes.
    public static let valueLimit = 16_000_000
    /// The most bytes that SQLite allocates in the whole process.
    static let heapLimit: Int64 = 256 << 20
    /// The most seconds that SQLite may work for one row.
    static let secondsPerRow = 20
    /// The bytes of texts and blobs that a scan of any file may give, however small the file is.
    static let leastBytes = 64 << 20
    /// How many times a file's size a scan that joins tables may give: many visits show the title of one page.
    private static let joinedTimes = 32

    let db: OpaquePointer
    let deadline = Deadline()
    private let copy: PrivateCopy
    private var knownTables: [String]?

    /// Its size in bytes.
    public var size: Int { copy.size }

    /// Opens a copy.
    ///
    /// - Throws: E0830, E0831.
    public init(_ copy: PrivateCopy) throws(Diagnostic) {
        var opened: OpaquePointer?
        // It holds for the whole process. Queries set the same limit, so it does not matter which comes first.
        sqlite3_hard_heap_limit64(Self.heapLimit)
        let flags =
            SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE
        let status = sqlite3_open_v2(":memory:", &opened, flags, nil)
        guard status == SQLITE_OK, let opened else {
            sqlite3_close(opened)
            throw .damagedDatabase(status)
        }
        self.copy = copy
        db = opened
        do throws(Diagnostic) {
            try Self.lock(opened, on: copy)
        } catch {
            sqlite3_close(opened)
            throw error
        }
        deadline.watch(opened)
    }

    deinit { sqlite3_close_v2(db) }

    private static func lock(_ db: OpaquePointer, on copy: PrivateCopy) throws(Diagnostic) {
        for (option, value) in switches {
            var now: Int32 = -1
            guard csqlite_db_config(db, option, value, &now) == SQLITE_OK, now == value else {
                throw .damagedDatabase(SQLITE_MISUSE)
            }
        }
        let status = sqlite3_deserialize(
            db, "main", copy.base.assumingMemoryBound(to: UInt8.self), Int64(copy.size), Int64(copy.size),
            UInt32(SQLITE_DESERIALIZE_READONLY))
        guard status == SQLITE_OK else { throw .damagedDatabase(status) }
        // Cells are checked before they are followed. An index that SQLite makes for itself would cost memory.
        for pragma in [
            "temp_store=MEMORY", "cell_size_check=ON", "query_only=ON", "automatic_index=OFF",
            "cache_size=-2000",
        ] {
            guard sqlite3_exec(db, "PRAGMA " + pragma, nil, nil, nil) == SQLITE_OK else {
                throw sqlite3_errcode(db) & 0xFF == SQLITE_NOTADB
                    ? .notADatabase() : .damagedDatabase(sqlite3_errcode(db))
            }
        }
        for (limit, value) in limits { _ = sqlite3_limit(db, limit, value) }
        sqlite3_set_authorizer(
            db,
            { _, action, first, _, _, _ in
                switch action {
                case SQLITE_SELECT, SQLITE_READ: return SQLITE_OK
                // What is asked of the schema before a table is read.
                case SQLITE_PRAGMA:
                    let name = first.map { String(cString: $0) } ?? ""
                    return name == "table_xinfo" || name == "user_version" ? SQLITE_OK : SQLITE_DENY
                default: return SQLITE_DENY
                }
            }, nil)
    }

    private static let switches: [(Int32, Int32)] = [
        (SQLITE_DBCONFIG_DEFENSIVE, 1),
        (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
        (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0),
        (SQLITE_DBCONFIG_DQS_DML, 0),
        (SQLITE_DBCONFIG_ENABLE_TRIGGER, 0),
        (SQLITE_DBCONFIG_ENABLE_VIEW, 0),
        (SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0),
        (SQLITE_DBCONFIG_WRITABLE_SCHEMA, 0),
    ]

    private static let limits: [(Int32, Int32)] = [
        (SQLITE_LIMIT_LENGTH, Int32(valueLimit)),
        (SQLITE_LIMIT_SQL_LENGTH, 1_000_000),
        (SQLITE_LIMIT_COLUMN, 2_000),
        (SQLITE_LIMIT_EXPR_DEPTH, 100),
        (SQLITE_LIMIT_COMPOUND_SELECT, 1),
        (SQLITE_LIMIT_VDBE_OP, 25_000),
        (SQLITE_LIMIT_ATTACHED, 0),
        (SQLITE_LIMIT_TRIGGER_DEPTH, 0),
        (SQLITE_LIMIT_VARIABLE_NUMBER, 8),
        (SQLITE_LIMIT_WORKER_THREADS, 0),
    ]

    /// The names of all ordinary tables, in the order of the schema.
    ///
    /// - Throws: E0830, E0831.
    public func tables() throws(Diagnostic) -> [String] {
        if let knownTables { return knownTables }
        let rows = try DatabaseRows(
            "SELECT name, rootpage FROM sqlite_schema WHERE type = 'table'", in: self)
        var names: [String] = []
        while try rows.next() {
            // A virtual table has no page of its own.
            guard let name = rows.text(0), rows.integer(1) ?? 0 > 0 else { continue }
            names.append(String(decoding: name, as: UTF8.self))
        }
        knownTables = names
        return names
    }

    /// The columns of a table that are stored; generated ones, which run code, are not among them. None if there is no
    /// such table.
    ///
    /// - Throws: E0830, E0831.
    public func columns(of table: String) throws(Diagnostic) -> [String] {
        guard try tables().contains(table) else { return [] }
        let rows = try DatabaseRows("PRAGMA table_xinfo(\(Self.quoted(table)))", in: self)
        var names: [String] = []
        while try rows.next() {
            if let name = rows.text(1), rows.integer(6) == 0 {
                names.append(String(decoding: name, as: UTF8.self))
            }
        }
        return names
    }

    /// Checks that a table has columns.
    ///
    /// - Throws: E0836 if one is missing, E0830, E0831.
    public func require(_ table: String, _ columns: [String]) throws(Diagnostic) {
        let found = try self.columns(of: table)
        guard !found.isEmpty else { throw .unknownSchema("it has no table \(table)") }
        let names = Set(found.map { $0.lowercased() })
        for column in columns where !names.contains(column.lowercased()) {
            throw .unknownSchema("its table \(table) has no column \(column)")
        }
    }

    /// Starts a query whose first column is the row id of the table that is scanned. The names of tables and columns in it
    /// were checked with ``require(_:_:)``.
    ///
    /// In a sound table the ids ascend. Pages of a damaged one may lead back to others, so that rows would never end;
    /// the first id that does not ascend ends the scan, as do more bytes than a sound file of this size could give.
    ///
    /// - Parameter joins: whether rows of one table may be read again and again beside those of another.
    /// - Throws: E0831, E0836.
    public func scan(_ sql: String, joins: Bool = false) throws(Diagnostic) -> DatabaseRows {
        try DatabaseRows(sql, in: self, isKeyed: true, times: joins ? Self.joinedTimes : 2)
    }

    /// A name as SQL writes it, whatever is in it.
    public static func quoted(_ name: String) -> String {
        "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}
