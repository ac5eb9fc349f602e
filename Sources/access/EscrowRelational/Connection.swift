internal import CSQLite
internal import EscrowDiagnostics
internal import EscrowSchema

/// One locked-down connection with one prepared statement.
final class Connection {
    let db: OpaquePointer
    let statement: OpaquePointer
    let session: Session
    /// Keeps the bytes alive that SQLite reads.
    private let image: MaterialImage?

    /// Native tables that stand before the virtual ones.
    enum Native {
        case image(MaterialImage)
        /// Their shape alone, to be planned with.
        case schema
    }

    /// Prepares the statement; touches no data.
    /// - Parameter spare: where a connection may wait; nil to open one.
    init(
        _ sql: String, session: Session, native: Native? = nil, spare: SpareConnection? = nil
    ) throws(Diagnostic) {
        self.session = session
        image = if case .image(let image) = native { image } else { nil }
        // Everything that can fail happens before the stored properties are set: behind that, a throw runs deinit.
        let db = if let spare { try spare.take() } else { try Lockdown.open() }
        do throws(Diagnostic) {
            guard BoundedFunctions.install(on: db, for: session),
                CoarseFunctions.install(on: db, for: session)
            else {
                throw Diagnostic(
                    .sqliteUnfit, "SQLite does not take our functions, and without them no query is run")
            }
            if let native { try Self.place(native, in: db, session) }
            // A native table comes before a virtual one of its name.
            try Self.connectTables(
                db, session.tables.filter { native == nil || $0.columns.isEmpty }, session)
            Authorizer.install(on: db, for: session)
            Self.watch(db, session)
            let statement = try Self.prepare(db, sql, session)
            do throws(Diagnostic) {
                try Self.checkKind(statement)
                if native == nil { try WithheldNames.check(sql, session) }
            } catch {
                sqlite3_finalize(statement)
                throw error
            }
            self.statement = statement
        } catch {
            sqlite3_close(db)
            throw error
        }
        self.db = db
    }

    deinit {
        sqlite3_finalize(statement)
        sqlite3_close(db)
        session.removeHeldRows()
    }

    /// The first touch of an eponymous table runs CREATE TABLE, which the authorizer must refuse to statements. So
    /// every table is touched before the authorizer stands; SQLite's own eponymous tables stay out of reach.
    private static func connectTables(
        _ db: OpaquePointer, _ tables: [VirtualTable], _ session: Session
    ) throws(Diagnostic) {
        session.isConnecting = true
        defer { session.isConnecting = false }
        for table in tables {
            var touched: OpaquePointer?
            let name = SQLName.quoted(table.spec.name)
            guard TableModule.register(table, with: db) == SQLITE_OK,
                sqlite3_prepare_v2(db, "SELECT 1 FROM \(name)", -1, &touched, nil) == SQLITE_OK
            else {
                throw Diagnostic(.sqliteUnfit, "SQLite does not take the table \(table.spec.name)")
            }
            sqlite3_finalize(touched)
        }
        session.forget()
    }

    private static func place(
        _ native: Native, in db: OpaquePointer, _ session: Session
    ) throws(Diagnostic) {
        switch native {
        case .image(let image): try image.serve(to: db)
        case .schema:
            for table in session.tables where !table.columns.isEmpty {
                guard sqlite3_exec(db, table.nativeDDL, nil, nil, nil) == SQLITE_OK else {
                    throw Diagnostic(.sqliteUnfit, "SQLite does not take the table \(table.spec.name)")
                }
            }
        }
    }

    /// Lets the session's governor look at what the connection uses up.
    static func watch(_ db: OpaquePointer, _ session: Session) {
        sqlite3_progress_handler(
            db, Governor.stepsPerLook,
            { context in
                let session = Unmanaged<Session>.fromOpaque(context!).takeUnretainedValue()
                do throws(Diagnostic) {
                    try session.governor.countSteps()
                    return 0
                } catch {
                    if session.failure == nil { session.failure = error }
                    return 1
                }
            }, Unmanaged.passUnretained(session).toOpaque())
    }

    private static func prepare(
        _ db: OpaquePointer, _ sql: String, _ session: Session
    ) throws(Diagnostic) -> OpaquePointer {
        var statement: OpaquePointer?
        var hasTail = false
        var sql = sql
        let status = sql.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { text -> Int32 in
                var tail: UnsafePointer<CChar>?
                let status = sqlite3_prepare_v2(db, text.baseAddress, Int32(text.count), &statement, &tail)
                // The text's rules allow nothing but semicolons and comments there; this is the second wall.
                if let tail, let start = text.baseAddress {
                    let rest = UnsafeRawBufferPointer(start: tail, count: max(0, text.count - (tail - start)))
                    hasTail = TokenList(String(decoding: rest, as: UTF8.self)).tokens.contains {
                        $0.kind != .semicolon
                    }
                }
                return status
            }
        }
        guard status == SQLITE_OK else { throw PrepareErrors.diagnose(db, session) }
        guard let statement else {
            throw Diagnostic(.notASelect, "the SQL holds no statement", help: StatementRules.allowed)
        }
        guard !hasTail else {
            sqlite3_finalize(statement)
            throw Diagnostic(
                .secondStatement, "there is a second statement after the first", help: StatementRules.allowed)
        }
        return statement
    }

    /// VACUUM INTO and REINDEX prepare without asking the authorizer about what they do.
    private static func checkKind(_ statement: OpaquePointer) throws(Diagnostic) {
        guard sqlite3_stmt_readonly(statement) != 0, sqlite3_column_count(statement) > 0,
            sqlite3_stmt_isexplain(statement) == 0
        else {
            throw Diagnostic(.notASelect, "the statement is not a SELECT", help: StatementRules.allowed)
        }
    }

    var columnCount: Int { Int(sqlite3_column_count(statement)) }

    /// SQLite's own EXPLAIN QUERY PLAN of the statement.
    func queryPlan(_ sql: String) -> [String] {
        var explained: OpaquePointer?
        guard sqlite3_prepare_v2(db, "EXPLAIN QUERY PLAN " + sql, -1, &explained, nil) == SQLITE_OK else {
            return []
        }
        defer { sqlite3_finalize(explained) }
        var lines: [String] = []
        var depths: [Int32: Int] = [0: -1]
        while sqlite3_step(explained) == SQLITE_ROW {
            let depth = (depths[sqlite3_column_int(explained, 1)] ?? -1) + 1
            depths[sqlite3_column_int(explained, 0)] = depth
            guard let text = sqlite3_column_text(explained, 3) else { continue }
            lines.append(String(repeating: "  ", count: depth) + String(cString: text))
        }
        return lines
    }
}
