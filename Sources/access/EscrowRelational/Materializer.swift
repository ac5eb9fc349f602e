internal import CSQLite
internal import EscrowDiagnostics
internal import EscrowSchema
internal import EscrowTabular

/// Fills native tables from their sources, in a connection of its own that no query ever sees.
struct Materializer {
    /// The statement's session: its governor watches over the filling too.
    let session: Session

    /// Native tables for a statement: out of the cache while their sources are as they were, or filled anew.
    func image(_ cache: MaterialCache?) throws(Diagnostic) -> (image: MaterialImage, isReused: Bool) {
        // The fingerprints come first: what changes while the rows are read is read again by the next access.
        let needs = try MaterialNeed.list(session)
        if let known = cache?.image(for: needs) { return (known, true) }
        if let cache, let base = cache.base(for: needs), let image = try refresh(base, needs) {
            cache.keep(image)
            return (image, false)
        }
        let image = try fill(cache?.widen(needs) ?? needs)
        cache?.keep(image)
        return (image, false)
    }

    private func fill(_ needs: [MaterialNeed]) throws(Diagnostic) -> MaterialImage {
        // Of a database without a table there is nothing to serialize.
        guard !needs.isEmpty else { return MaterialImage(copying: .init(start: nil, count: 0), parts: []) }
        let filler = session.filler()
        let db = try Lockdown.open()
        // The tables know their session without owning it.
        defer { withExtendedLifetime(filler) { _ = sqlite3_close(db) } }
        try begin(db, filler)
        var parts: [MaterialImage.Part] = []
        for (number, need) in needs.enumerated() {
            try run(need.table.nativeDDL, db, filler)
            var rows = 0
            var groups: [RowGroup]?
            if let columns = need.columns {
                let (source, found) = try grouped(need.table, filler)
                groups = found
                let table = try register(need.table, source, number, db, filler)
                // With the source's ids a group's rows are found again.
                try run(Self.insertion(table, columns, number, ids: found == nil ? nil : "rowid"), db, filler)
                rows = Int(sqlite3_changes64(db))
            }
            parts.append(part(need, rows: rows, groups: groups.map { MaterialGroups($0) }))
        }
        return try end(db, filler, parts)
    }

    /// Makes a connection ready to be filled.
    func begin(_ db: OpaquePointer, _ filler: Session) throws(Diagnostic) {
        Connection.watch(db, filler)
        try run("PRAGMA journal_mode=OFF", db, filler)
        try run(
            "PRAGMA max_page_count=\(max(1, session.governor.budget.materializedBytes / 4_096))", db, filler)
        try run("BEGIN", db, filler)
    }

    /// The image of a connection that was filled.
    func end(
        _ db: OpaquePointer, _ filler: Session, _ parts: [MaterialImage.Part]
    ) throws(Diagnostic) -> MaterialImage {
        try run("COMMIT", db, filler)
        var size: Int64 = 0
        guard let bytes = sqlite3_serialize(db, "main", &size, 0) else { throw PrepareErrors.memory() }
        defer { sqlite3_free(bytes) }
        return MaterialImage(copying: UnsafeRawBufferPointer(start: bytes, count: Int(size)), parts: parts)
    }

    func part(
        _ need: MaterialNeed, rows: Int, groups: MaterialGroups?, filled: ColumnMask? = nil
    ) -> MaterialImage.Part {
        let spec = need.table.spec
        let filled = filled ?? need.columns ?? ColumnMask(bits: 0)
        return MaterialImage.Part(
            name: spec.name, ddl: need.table.nativeDDL, filled: filled, isFilled: need.columns != nil,
            rows: rows, fingerprint: need.fingerprint,
            isLasting: !filled.columns.contains { spec.columns[$0].type == .asset }, groups: groups)
    }

    func grouped(
        _ model: VirtualTable, _ filler: Session
    ) throws(Diagnostic) -> (source: GroupedTable, groups: [RowGroup]?) {
        try filler.gate.use { () throws(Diagnostic) in
            let snapshot = try model.source.snapshot(assets: filler.assets)
            return (GroupedTable(model.source, snapshot), try snapshot.groups())
        }
    }

    /// Makes a source a virtual table of the connection.
    func register(
        _ model: VirtualTable, _ source: any TableSource, _ number: Int, _ db: OpaquePointer,
        _ filler: Session
    ) throws(Diagnostic) -> VirtualTable {
        let table = VirtualTable(
            source, number: filler.tables.count, columns: model.columns, session: filler)
        filler.tables.append(table)
        guard TableModule.register(table, with: db, as: "source \(number)") == SQLITE_OK else {
            throw Diagnostic(.sqliteUnfit, "SQLite does not take the table \(table.spec.name)")
        }
        return table
    }

    /// Copies the rows in their order: columns that the statement does not name are not read, and stay null.
    ///
    /// - Parameter ids: what the rows' ids are; nil for consecutive ones.
    static func insertion(_ table: VirtualTable, _ columns: ColumnMask, _ number: Int, ids: String?) -> String
    {
        let names = columns.columns.map { SQLName.quoted(table.spec.columns[$0].name) }
        var (into, from) = (names, names)
        if names.isEmpty {
            into = [SQLName.quoted(table.spec.columns[table.columns[0]].name)]
            from = ["NULL"]
        }
        if let ids {
            into.insert("rowid", at: 0)
            from.insert(ids, at: 0)
        }
        return "INSERT INTO \(SQLName.quoted(table.spec.name))(\(into.joined(separator: ", "))) "
            + "SELECT \(from.joined(separator: ", ")) FROM \"source \(number)\""
    }

    func run(_ sql: String, _ db: OpaquePointer, _ filler: Session) throws(Diagnostic) {
        try check(sqlite3_exec(db, sql, nil, nil, nil), filler)
    }

    /// Tells what went wrong with a statement, if anything did.
    func check(_ status: Int32, _ filler: Session) throws(Diagnostic) {
        guard status != SQLITE_OK else { return }
        if let failure = filler.failure { throw failure }
        switch status & 0xFF {
        case SQLITE_FULL:
            throw Diagnostic(
                .tooMuchToMaterialize,
                "the tables of the query take more than \(session.governor.budget.materializedBytes) bytes "
                    + "when they are materialized",
                help: "use the engine pushdown, which keeps no copy, or name fewer columns")
        case SQLITE_NOMEM: throw PrepareErrors.memory()
        case SQLITE_INTERRUPT: throw Diagnostic(.accessCancelled, "the access was cancelled")
        default: throw Diagnostic(.sqliteUnfit, "SQLite cannot fill a table (code \(status))")
        }
    }
}

extension Session {
    /// A session in which tables are filled.
    func filler() -> Session {
        Session(rules: rules, governor: governor, pushdown: .columns, assets: assets)
    }
}
