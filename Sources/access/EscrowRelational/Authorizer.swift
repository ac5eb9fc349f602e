internal import CSQLite
internal import EscrowDiagnostics
internal import EscrowSchema

/// SQLite's authorizer: what a statement may name at all. It also learns what the statement reads.
///
/// It is no boundary between columns by itself: NATURAL and USING read columns without asking it. The text's rules
/// refuse those, columns that were not granted do not exist, and the planner's `colUsed` is checked and recorded.
enum Authorizer {
    /// Sets the authorizer. From here on nothing but a SELECT over the session's tables can be prepared.
    static func install(on db: OpaquePointer, for session: Session) {
        sqlite3_set_authorizer(
            db,
            { context, action, first, second, _, _ in
                let session = Unmanaged<Session>.fromOpaque(context!).takeUnretainedValue()
                return Authorizer.decide(
                    session, action, first.map { String(cString: $0) }, second.map { String(cString: $0) })
            }, Unmanaged.passUnretained(session).toOpaque())
    }

    private static func decide(_ session: Session, _ action: Int32, _ first: String?, _ second: String?)
        -> Int32
    {
        switch action {
        case SQLITE_SELECT: return SQLITE_OK
        case SQLITE_READ: return read(session, first ?? "", second ?? "")
        case SQLITE_FUNCTION: return function(session, second ?? "")
        case SQLITE_RECURSIVE:
            return deny(
                session,
                Diagnostic(.recursiveQuery, "recursive queries are not allowed", help: StatementRules.allowed)
            )
        case SQLITE_INSERT where first == "sqlite_master", SQLITE_UPDATE where first == "sqlite_master":
            // A SELECT gets here by the first touch of one of SQLite's own tables: pragma_*, json_each, dbstat.
            return deny(session, PrepareErrors.noTable(session))
        default:
            let what = names[action] ?? "something else than reading"
            return deny(
                session,
                Diagnostic(.moreThanReading, "the query wants to \(what)", help: StatementRules.allowed))
        }
    }

    private static func read(_ session: Session, _ tableName: String, _ column: String) -> Int32 {
        guard let table = session.table(named: tableName) else {
            // Only the rows of a common table expression are wanted: what it reads is asked for by itself. A name that
            // is a table of SQLite's own stays refused, whatever the statement calls so.
            if column.isEmpty, session.rules.definesTable(tableName), !isReserved(tableName) {
                return SQLITE_OK
            }
            return deny(session, PrepareErrors.noTable(session))
        }
        session.tablesRead.insert(table.spec.name)
        if column.isEmpty {
            session.rowsOnly.insert(table.spec.name)
            return SQLITE_OK
        }
        guard let position = table.columns.first(where: { table.spec.columns[$0].name == column }) else {
            // ROWID, or the placeholder of a table without granted columns.
            return deny(
                session,
                Diagnostic(
                    .rowNumber,
                    "the query reads the row number of \(table.spec.name), which is no column of it",
                    help: "name columns that `escrow schema \(table.spec.name)` lists"))
        }
        session.authorized.insert(
            ColumnRef(table: table.spec.name, column: table.spec.columns[position].name))
        return SQLITE_OK
    }

    private static func isReserved(_ name: String) -> Bool {
        let name = name.lowercased()
        return ["sqlite_", "pragma_", "json_"].contains { name.hasPrefix($0) } || name == "dbstat"
    }

    private static func function(_ session: Session, _ name: String) -> Int32 {
        let name = name.lowercased()
        guard AllowedFunctions.names.contains(name) else {
            return deny(
                session,
                Diagnostic(
                    .functionNotAllowed, "the function \(name) is not allowed in access()",
                    notes: ["allowed are \(AllowedFunctions.names.sorted().joined(separator: ", "))"],
                    help: StatementRules.allowed))
        }
        session.functions.insert(name)
        return SQLITE_OK
    }

    /// Keeps the first refusal: SQLite's own words name less.
    private static func deny(_ session: Session, _ diagnostic: Diagnostic) -> Int32 {
        if session.denial == nil { session.denial = diagnostic }
        return SQLITE_DENY
    }

    private static let names: [Int32: String] = [
        SQLITE_INSERT: "write", SQLITE_UPDATE: "write", SQLITE_DELETE: "write",
        SQLITE_PRAGMA: "run a PRAGMA", SQLITE_ATTACH: "open a file", SQLITE_DETACH: "detach a database",
        SQLITE_TRANSACTION: "begin a transaction", SQLITE_ANALYZE: "run ANALYZE",
        SQLITE_REINDEX: "run REINDEX",
    ]
}

/// The functions that a query may call: none that makes large values out of small ones, reads the machine, or loads
/// code.
enum AllowedFunctions {
    static let names: Set<String> = [
        "abs", "avg", "coalesce", "count", "cume_dist", "date", "datetime", "dense_rank", "first_value",
        "glob", "group_concat", "ifnull", "iif", "instr", "julianday", "lag", "last_value", "lead", "length",
        "like", "lower", "ltrim", "max", "min", "nth_value", "ntile", "nullif", "percent_rank", "rank",
        "replace", "round", "row_number", "rtrim", "sign", "strftime", "substr", "substring", "sum", "time",
        "total", "trim", "typeof", "unixepoch", "upper",
        // To hand on less than a column holds.
        "deresolve", "in_sample", "pseudonym", "round_to",
        // Pure arithmetic, for distances.
        "acos", "asin", "atan", "atan2", "ceil", "ceiling", "cos", "degrees", "exp", "floor", "ln", "log",
        "log10", "log2", "mod", "pi", "pow", "power", "radians", "sin", "sqrt", "tan", "trunc",
    ]
}
