internal import CSQLite
public import EscrowDiagnostics
internal import EscrowFiles
internal import Glibc

/// A SQLite file of our own. What is deleted is overwritten. One thread at a time uses it.
public final class Database {
    private let path: String
    private let handle: OpaquePointer
    private var statements: [String: OpaquePointer] = [:]

    /// Opens a file, or makes one that its owner alone may read.
    ///
    /// - Parameters:
    ///   - schema: statements that make what is missing.
    ///   - isDurable: whether a transaction waits for the disk; else a power cut can take the last ones.
    public init(_ path: String, schema: String, isDurable: Bool = true) throws(Diagnostic) {
        // SQLite gives its other files the mode of this one.
        _ = try Descriptor(opening: path, O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600)
        var handle: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_EXRESCODE
        guard sqlite3_open_v2(path, &handle, flags, nil) == SQLITE_OK, let handle else {
            sqlite3_close_v2(handle)
            throw .file(path, "cannot be opened as a database", EIO)
        }
        self.path = path
        self.handle = handle
        sqlite3_busy_timeout(handle, 10_000)
        try execute(
            """
            PRAGMA journal_mode=WAL; PRAGMA secure_delete=ON; PRAGMA temp_store=MEMORY;
            PRAGMA foreign_keys=ON; PRAGMA trusted_schema=OFF; PRAGMA synchronous=\(isDurable ? "FULL" : "NORMAL");
            """ + schema)
    }

    deinit {
        for statement in statements.values { sqlite3_finalize(statement) }
        sqlite3_close_v2(handle)
    }

    /// Runs statements that take and give nothing.
    public func execute(_ sql: String) throws(Diagnostic) {
        try check(sqlite3_exec(handle, sql, nil, nil, nil))
    }

    /// Runs one statement, and says how many rows it changed.
    @discardableResult
    public func run(_ sql: String, _ values: Value...) throws(Diagnostic) -> Int {
        _ = try query(sql, values) { _ in }
        return Int(sqlite3_changes64(handle))
    }

    /// What one statement answers, each row read by `read`.
    public func rows<Element>(_ sql: String, _ values: Value..., read: (Row) -> Element) throws(Diagnostic)
        -> [Element]
    {
        try query(sql, values, read)
    }

    /// The one number that a statement answers, 0 without an answer.
    public func number(_ sql: String, _ values: Value...) throws(Diagnostic) -> Int64 {
        try query(sql, values) { $0.integer(0) }.first ?? 0
    }

    private func query<Element>(_ sql: String, _ values: [Value], _ read: (Row) -> Element) throws(Diagnostic)
        -> [Element]
    {
        let statement = try prepared(sql)
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        for (index, value) in values.enumerated() { try check(value.bind(statement, Int32(index + 1))) }
        var elements: [Element] = []
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: elements.append(read(Row(statement: statement)))
            case SQLITE_DONE: return elements
            case let code: throw failure(code)
            }
        }
    }

    /// All of the body or nothing of it.
    public func transaction<Result>(_ body: () throws(Diagnostic) -> Result) throws(Diagnostic) -> Result {
        try execute("BEGIN IMMEDIATE")
        do {
            let result = try body()
            try execute("COMMIT")
            return result
        } catch {
            try? execute("ROLLBACK")
            throw error
        }
    }

    /// Moves what was written into the file itself, and leaves nothing in the log.
    public func checkpoint() throws(Diagnostic) { try execute("PRAGMA wal_checkpoint(TRUNCATE)") }

    private func prepared(_ sql: String) throws(Diagnostic) -> OpaquePointer {
        if let statement = statements[sql] { return statement }
        var statement: OpaquePointer?
        try check(
            sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil))
        guard let statement else { throw failure(SQLITE_MISUSE) }
        statements[sql] = statement
        return statement
    }

    private func check(_ code: Int32) throws(Diagnostic) {
        guard code == SQLITE_OK else { throw failure(code) }
    }

    /// SQLite's words for the code, never those for the statement: they can hold a value.
    private func failure(_ code: Int32) -> Diagnostic {
        Diagnostic(
            .fileOperation, "\(path): the database cannot be used: \(String(cString: sqlite3_errstr(code)))")
    }
}
