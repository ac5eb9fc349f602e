internal import CSQLite
internal import EscrowDiagnostics
internal import EscrowSchema

/// Turns SQLite's errors into diagnostics. SQLite's own messages quote the SQL, literals included, so none of their
/// words is passed on but names that the schema knows.
enum PrepareErrors {
    static func diagnose(_ db: OpaquePointer, _ session: Session, shift: Int = 0) -> Diagnostic {
        if let failure = session.failure { return failure }
        if let denial = session.denial { return denial }
        let code = sqlite3_extended_errcode(db)
        let message = String(cString: sqlite3_errmsg(db))
        let offset = Int(sqlite3_error_offset(db))
        let notes = offset >= 0 ? [session.rules.place(offset: offset - shift)] : []
        func named(_ prefix: String) -> String? {
            message.hasPrefix(prefix) ? String(message.dropFirst(prefix.count)) : nil
        }
        if code & 0xFF == SQLITE_NOMEM { return memory() }
        if let name = named("no such table: ") { return noTable(session, name, notes) }
        if let name = named("no such column: ") {
            let isQuoted = offset >= 0 && session.rules.isDoubleQuoted(at: offset - shift)
            return noColumn(session, name, notes, isQuoted: isQuoted)
        }
        if named("ambiguous column name: ") != nil {
            return Diagnostic(
                .ambiguousColumn, "a column's name could mean more than one table's", notes: notes,
                help: "write the table before it: Contacts.id")
        }
        if named("no such function: ") != nil {
            return Diagnostic(
                .functionNotAllowed, "there is no such function", notes: notes, help: StatementRules.allowed)
        }
        if message.hasSuffix("may not be modified") {
            return Diagnostic(.moreThanReading, "the query wants to write", help: StatementRules.allowed)
        }
        for limit in [
            "too many", "too large", "too deep", "overflow", "too big", "maximum depth", "too complex",
        ]
        where message.contains(limit) {
            return Diagnostic(
                .sqlTooLarge, "the query is too long, too deep or too wide", notes: notes,
                help: "split it; an expression nests at most 64 deep, a result has at most 200 columns")
        }
        return Diagnostic(
            .sqlNotUnderstood, "the SQL cannot be understood", notes: notes, help: StatementRules.allowed)
    }

    static func diagnoseStep(_ db: OpaquePointer, _ session: Session, _ status: Int32) -> Diagnostic {
        if let failure = session.failure { return failure }
        if let denial = session.denial { return denial }
        switch status & 0xFF {
        case SQLITE_NOMEM: return memory()
        case SQLITE_TOOBIG:
            return Diagnostic(
                .valueTooLong, "a text, a blob or a row to sort grew beyond \(Lockdown.valueLength) bytes",
                help: "join fewer texts, for example with a narrower GROUP BY")
        case SQLITE_INTERRUPT: return Diagnostic(.accessCancelled, "the access was cancelled")
        default:
            let message = String(cString: sqlite3_errmsg(db))
            if message == "integer overflow" {
                return Diagnostic(
                    .notComputable, "a sum or an absolute value does not fit 64 bits",
                    help: "use total(), a float")
            }
            if message.hasPrefix("escrow: ") {
                return Diagnostic(.notComputable, String(message.dropFirst("escrow: ".count)))
            }
            return Diagnostic(.notComputable, "SQLite cannot compute the query (code \(status))")
        }
    }

    static func memory() -> Diagnostic {
        Diagnostic(
            .sqliteOutOfMemory,
            "the query needs more than the \(Lockdown.heapLimit >> 20) MiB that SQLite may use",
            help: "read fewer columns, narrow the query with WHERE, or drop ORDER BY and DISTINCT")
    }

    static func noTable(_ session: Session, _ name: String = "", _ notes: [String] = []) -> Diagnostic {
        let bare = name.split(separator: ".").last.map(String.init)?.lowercased() ?? ""
        if let known = session.withheld.first(where: { $0.lowercased() == bare }) {
            return Diagnostic(
                .notGranted, "the table \(known) is not granted to this access", notes: notes,
                help: "name the table among the manifest's inputs")
        }
        let near =
            Nearest.name(to: bare, among: session.offeredNames.sorted()).map { ["there is \($0)"] } ?? []
        let names = session.offeredNames.sorted().joined(separator: ", ")
        return Diagnostic(
            .noSuchTable, "the query names a table that the escrow does not have", notes: notes + near,
            help: names.isEmpty ? "add a source with `escrow source add`" : "the tables are \(names)")
    }

    private static func noColumn(
        _ session: Session, _ name: String, _ notes: [String], isQuoted: Bool
    ) -> Diagnostic {
        let parts = name.split(separator: ".").map { $0.lowercased() }
        let column = parts.last ?? ""
        let all = session.allTables
        let tables = all.filter {
            session.tablesRead.isEmpty || session.tablesRead.contains($0.spec.name)
        }
        for table in tables + all {
            guard let position = table.spec.column(named: column), !table.columns.contains(position) else {
                continue
            }
            return withheld(table.spec.name, table.spec.columns[position].name, notes)
        }
        if ["rowid", "oid", "_rowid_"].contains(column) {
            return Diagnostic(
                .rowNumber, "the query reads a row number, which is no column", notes: notes,
                help: "name columns that `escrow schema` lists")
        }
        return Diagnostic(
            .noSuchColumn, "the query names a column that its tables do not have",
            notes: notes + suggestion(session, column),
            help: isQuoted
                ? "a text stands in single quotes, 'so'; double quotes name a column"
                : "`escrow schema TABLE` lists the columns; a text is written in single quotes")
    }

    static func withheld(_ table: String, _ column: String, _ notes: [String]) -> Diagnostic {
        Diagnostic(
            .notGranted, "the column \(table).\(column) is not granted to this access", notes: notes,
            help: "name the column among the manifest's inputs, or leave it out of the query")
    }

    /// What people call a column before they have seen its name.
    private static let everyday = [
        "name": ["givenName", "familyName"], "firstname": ["givenName"], "lastname": ["familyName"],
        "surname": ["familyName"], "phone": ["phoneNumber"], "tel": ["phoneNumber"],
        "mobile": ["phoneNumber"],
        "email": ["emailAddress"], "company": ["organizationName"], "dob": ["birthday"], "lat": ["latitude"],
        "lon": ["longitude"], "lng": ["longitude"], "date": ["creationDate", "startDate", "timestamp"],
        "time": ["timestamp", "creationDate", "startDate"], "file": ["filename"],
        "size": ["fileSize", "size"],
        "from": ["fromName", "fromAddress"], "sender": ["fromName", "fromAddress"],
        "start": ["startDate"], "end": ["endDate"], "url": ["urlAddress", "url"],
    ]

    /// Columns of the query's tables that were meant: what the word is used for, else whose name has the word, else one that is spelt nearly so; else all that the
    /// only such table has.
    private static func suggestion(_ session: Session, _ name: String) -> [String] {
        let tables = session.tables
        func names(_ pick: ([String]) -> [String]) -> [String] {
            tables.flatMap { table in
                pick(table.columns.map { table.spec.columns[$0].name }).map { "\(table.spec.name).\($0)" }
            }
        }
        let usual = names { known in everyday[name, default: []].filter { known.contains($0) } }
        let meant = usual.isEmpty ? names { Nearest.names(with: name, among: $0) } : usual
        if !meant.isEmpty {
            let shown = meant.prefix(8).joined(separator: ", ") + (meant.count > 8 ? " and others" : "")
            return ["there \(meant.count == 1 ? "is" : "are") \(shown)"]
        }
        let near = names { known in Nearest.name(to: name, among: known).map { [$0] } ?? [] }
        if let first = near.first { return ["there is \(first)"] }
        guard tables.count == 1, let table = tables.first else { return [] }
        return [
            "\(table.spec.name) has \(names { $0 }.map { $0.dropFirst(table.spec.name.count + 1) }.joined(separator: ", "))"
        ]
    }
}
