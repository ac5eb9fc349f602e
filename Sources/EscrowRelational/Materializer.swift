internal import CSQLite
internal import EscrowDiagnostics
internal import EscrowSchema
internal import EscrowTabular

/// Fills native tables from their sources, in a connection of its own that no query ever sees.
struct Materializer {
    /// The statement's session: its governor watches over the filling too.
    let session: Session

    /// Native tables for a statement: out of the cache while their sources are as they were, or filled anew.
    /// - Throws: E0850 if they take more than their budget, and what the sources and the budgets throw.
    func image(_ cache: MaterialCache?) throws(Diagnostic) -> (image: MaterialImage, isReused: Bool) {
        // The fingerprints come first: what changes while the rows are read is read again by the next access.
        let needs = try MaterialNeed.list(session)
        if let known = cache?.image(for: needs) { return (known, true) }
        let image = try fill(cache?.widen(needs) ?? needs)
        cache?.keep(image)
        return (image, false)
    }

    private func fill(_ needs: [MaterialNeed]) throws(Diagnostic) -> MaterialImage {
        // Of a database without a table there is nothing to serialize.
        guard !needs.isEmpty else { return MaterialImage(copying: .init(start: nil, count: 0), parts: []) }
        let filler = Session(
            rules: session.rules, governor: session.governor, pushdown: .columns, assets: session.assets)
        let db = try Lockdown.open()
        // The tables know their session without owning it.
        defer { withExtendedLifetime(filler) { _ = sqlite3_close(db) } }
        Connection.watch(db, filler)
        try run("PRAGMA journal_mode=OFF", db, filler)
        try run(
            "PRAGMA max_page_count=\(max(1, session.governor.budget.materializedBytes / 4_096))", db, filler)
        try run("BEGIN", db, filler)
        var parts: [MaterialImage.Part] = []
        for (number, need) in needs.enumerated() {
            try run(need.table.nativeDDL, db, filler)
            var rows = 0
            if let columns = need.columns { rows = try copy(need.table, columns, number, db, filler) }
            parts.append(part(need, rows: rows))
        }
        try run("COMMIT", db, filler)
        var size: Int64 = 0
        guard let bytes = sqlite3_serialize(db, "main", &size, 0) else { throw PrepareErrors.memory() }
        defer { sqlite3_free(bytes) }
        return MaterialImage(copying: UnsafeRawBufferPointer(start: bytes, count: Int(size)), parts: parts)
    }

    private func part(_ need: MaterialNeed, rows: Int) -> MaterialImage.Part {
        let spec = need.table.spec
        let filled = need.columns ?? ColumnMask(bits: 0)
        return MaterialImage.Part(
            name: spec.name, ddl: need.table.nativeDDL, filled: filled, isFilled: need.columns != nil,
            rows: rows, fingerprint: need.fingerprint,
            isLasting: !filled.columns.contains { spec.columns[$0].type == .asset })
    }

    /// Copies the rows in their order: columns that the statement does not name are not read, and stay null.
    private func copy(
        _ model: VirtualTable, _ columns: ColumnMask, _ number: Int, _ db: OpaquePointer, _ filler: Session
    ) throws(Diagnostic) -> Int {
        let table = VirtualTable(
            model.source, number: filler.tables.count, columns: model.columns, session: filler)
        filler.tables.append(table)
        let source = "source \(number)"
        guard TableModule.register(table, with: db, as: source) == SQLITE_OK else {
            throw Diagnostic("E0498", "SQLite does not take the table \(table.spec.name)")
        }
        let names = columns.columns.map { VirtualTable.quoted(table.spec.columns[$0].name) }
        let first = VirtualTable.quoted(table.spec.columns[table.columns[0]].name)
        let list = names.isEmpty ? first : names.joined(separator: ", ")
        try run(
            "INSERT INTO \(VirtualTable.quoted(table.spec.name))(\(list)) "
                + "SELECT \(names.isEmpty ? "NULL" : list) FROM \"\(source)\"", db, filler)
        return Int(sqlite3_changes64(db))
    }

    private func run(_ sql: String, _ db: OpaquePointer, _ filler: Session) throws(Diagnostic) {
        let status = sqlite3_exec(db, sql, nil, nil, nil)
        guard status != SQLITE_OK else { return }
        if let failure = filler.failure { throw failure }
        switch status & 0xFF {
        case SQLITE_FULL:
            throw Diagnostic(
                "E0850",
                "the tables of the query take more than \(session.governor.budget.materializedBytes) bytes "
                    + "when they are materialized",
                help: "use the engine pushdown, which keeps no copy, or name fewer columns")
        case SQLITE_NOMEM: throw PrepareErrors.memory()
        case SQLITE_INTERRUPT: throw Diagnostic("E0495", "the access was cancelled")
        default: throw Diagnostic("E0498", "SQLite cannot fill a table (code \(status))")
        }
    }
}
