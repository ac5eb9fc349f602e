internal import CSQLite
internal import EscrowDiagnostics
internal import EscrowSchema

/// The settings that make a connection fit for hostile SQL.
enum Lockdown {
    /// The longest pattern of LIKE and GLOB in bytes.
    static let patternLength = 128
    /// The longest text or blob that a query makes, and the longest row that SQLite sorts, in bytes. Two values of a source fit.
    static let valueLength = 2 * ColumnChunk.valueCapacity
    static let heapLimit: Int64 = 256 << 20

    /// Opens an empty in-memory database with nothing switched on that a SELECT does not need.
    static func open() throws(Diagnostic) -> OpaquePointer {
        guard sqlite3_libversion_number() >= 3_038_000 else {
            throw Diagnostic(
                .sqliteUnfit, "SQLite \(String(cString: sqlite3_libversion())) is too old",
                help: "install SQLite 3.38 or newer (Debian 12 has it: libsqlite3-0)")
        }
        // Process-wide, and only ever lowered.
        sqlite3_hard_heap_limit64(heapLimit)
        var db: OpaquePointer?
        let flags =
            SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE
        let status = sqlite3_open_v2(":memory:", &db, flags, nil)
        guard status == SQLITE_OK, let db else {
            sqlite3_close(db)
            throw Diagnostic(.sqliteOutOfMemory, "SQLite cannot open a database in memory (code \(status))")
        }
        do throws(Diagnostic) {
            try lock(db)
        } catch {
            sqlite3_close(db)
            throw error
        }
        return db
    }

    private static func lock(_ db: OpaquePointer) throws(Diagnostic) {
        // First of all: Debian's default spills sorts of personal data to files in /var/tmp.
        guard sqlite3_exec(db, "PRAGMA temp_store=MEMORY", nil, nil, nil) == SQLITE_OK else {
            throw fault("temp_store")
        }
        for (option, value) in switches {
            var now: Int32 = -1
            guard csqlite_db_config(db, option, value, &now) == SQLITE_OK, now == value else {
                throw fault("option \(option)")
            }
        }
        for (limit, value) in limits {
            _ = sqlite3_limit(db, limit, value)
            guard sqlite3_limit(db, limit, -1) == value else { throw fault("limit \(limit)") }
        }
    }

    private static func fault(_ what: String) -> Diagnostic {
        Diagnostic(.sqliteUnfit, "SQLite does not take the setting \(what), and without it no query is run")
    }

    private static let switches: [(Int32, Int32)] = [
        (SQLITE_DBCONFIG_DEFENSIVE, 1),
        (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
        (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0),
        // Otherwise "nosuch" would be a text, and a misspelt column no error.
        (SQLITE_DBCONFIG_DQS_DML, 0),
        (SQLITE_DBCONFIG_DQS_DDL, 0),
        (SQLITE_DBCONFIG_ENABLE_TRIGGER, 0),
        (SQLITE_DBCONFIG_ENABLE_VIEW, 0),
        (SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0),
        (SQLITE_DBCONFIG_WRITABLE_SCHEMA, 0),
        // The plan that was shown is the plan that runs, whatever values are bound.
        (SQLITE_DBCONFIG_ENABLE_QPSG, 1),
    ]

    private static let limits: [(Int32, Int32)] = [
        (SQLITE_LIMIT_LENGTH, Int32(valueLength)),
        (SQLITE_LIMIT_SQL_LENGTH, Int32(StatementRules.maximumLength) + 64),
        (SQLITE_LIMIT_COLUMN, 200),
        (SQLITE_LIMIT_EXPR_DEPTH, 64),
        (SQLITE_LIMIT_COMPOUND_SELECT, 10),
        (SQLITE_LIMIT_VDBE_OP, 100_000),
        (SQLITE_LIMIT_FUNCTION_ARG, 16),
        (SQLITE_LIMIT_ATTACHED, 0),
        (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, Int32(patternLength)),
        (SQLITE_LIMIT_VARIABLE_NUMBER, 64),
        (SQLITE_LIMIT_TRIGGER_DEPTH, 0),
        (SQLITE_LIMIT_WORKER_THREADS, 0),
    ]
}
