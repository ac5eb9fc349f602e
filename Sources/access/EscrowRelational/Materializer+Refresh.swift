internal import CSQLite
internal import EscrowDiagnostics
internal import EscrowSchema

extension Materializer {
    /// More changed groups than this, or than a quarter of all, and the table is filled anew.
    private static let groupLimit = 2_000

    /// Native tables in which only the rows of changed groups are read again, equal in content and order to tables filled anew.
    /// Nil where that is not less work, or where the row ids leave no room.
    func refresh(_ base: MaterialImage, _ needs: [MaterialNeed]) throws(Diagnostic) -> MaterialImage? {
        let filler = session.filler()
        var plans: [Int: (source: GroupedTable, changes: MaterialGroups.Changes, groups: [RowGroup])] = [:]
        for (number, (need, part)) in zip(needs, base.parts).enumerated()
        where need.columns != nil && need.fingerprint != part.fingerprint {
            let (source, groups) = try grouped(need.table, filler)
            guard let old = part.groups, let groups else { return nil }
            let changes = old.changes(to: groups)
            let limit = min(Self.groupLimit, max(groups.count / 4, 1))
            guard changes.fresh.count <= limit, changes.gone.count <= limit + Self.groupLimit else {
                return nil
            }
            plans[number] = (source, changes, groups)
        }
        let db = try Lockdown.open()
        defer { withExtendedLifetime(filler) { _ = sqlite3_close(db) } }
        try base.copy(to: db)
        try begin(db, filler)
        var parts: [MaterialImage.Part] = []
        for (number, (need, part)) in zip(needs, base.parts).enumerated() {
            guard let plan = plans[number] else {
                parts.append(part)
                continue
            }
            let table = try register(need.table, plan.source, number, db, filler)
            var target = Target(
                name: SQLName.quoted(need.table.spec.name), rows: part.rows, number: number)
            for ids in plan.changes.gone {
                try run(
                    "DELETE FROM \(target.name) WHERE rowid >= \(ids.lowerBound) AND rowid < \(ids.upperBound)",
                    db, filler)
                target.rows -= Int(sqlite3_changes64(db))
            }
            guard
                let places = try insert(
                    plan.changes, plan.groups, into: &target, db, filler,
                    read: { group, ids in
                        plan.source.group = group
                        return Self.insertion(table, part.filled, number, ids: ids)
                    })
            else { return nil }
            parts.append(
                self.part(
                    need, rows: target.rows, groups: MaterialGroups(places: places), filled: part.filled))
        }
        return try end(db, filler, parts)
    }

    private struct Target {
        let name: String
        var rows: Int
        let number: Int
    }

    /// Puts the rows of fresh groups in their places; nil where a group does not fit between its neighbours.
    private func insert(
        _ changes: MaterialGroups.Changes, _ groups: [RowGroup], into target: inout Target,
        _ db: OpaquePointer,
        _ filler: Session, read: (_ group: Int, _ ids: String) -> String
    ) throws(Diagnostic) -> [MaterialGroups.Place]? {
        var places = changes.kept
        for position in changes.fresh {
            if places[position] == nil {
                // From behind the last row, and the start, of the group before it, to the start of the next group with a place.
                let next = places[position...].first { $0 != nil }??.start ?? Int64.max
                let before = position > 0 ? places[position - 1] : nil
                let last = try lastID(below: next, target, db)
                let low = max(last.map { $0 &+ 1 } ?? .min, before.map { $0.start + 1 } ?? .min, -(1 << 62))
                let waiting = Int64(places[position...].prefix { $0 == nil }.count)
                guard low < next, next.subtractingReportingOverflow(low).overflow == false else { return nil }
                let share = (next - low) / (waiting + 1)
                guard share > 0 else { return nil }
                if position > 0 { places[position - 1]!.end = low + share }
                places[position] = .init(group: groups[position], start: low + share, end: next)
            }
            guard let place = places[position] else { return nil }
            let shift = place.start.subtractingReportingOverflow(Int64(position) << RowGroup.placeBits)
            guard !shift.overflow else { return nil }
            let following =
                position + 1 < places.count ? places[(position + 1)...].first { $0 != nil }??.start : nil
            // A row that does not fit would take another one's place, or come behind it.
            guard try attempt(read(position, "rowid + (\(shift.partialValue))"), db, filler) else {
                return nil
            }
            target.rows += Int(sqlite3_changes64(db))
            if let last = try lastID(below: following ?? .max, target, db), last >= place.end { return nil }
        }
        return places.compactMap { $0 }
    }

    /// The greatest id of a row that is less than another.
    private func lastID(below id: Int64, _ target: Target, _ db: OpaquePointer) throws(Diagnostic) -> Int64? {
        var statement: OpaquePointer?
        let sql = "SELECT max(rowid) FROM \(target.name) WHERE rowid < \(id)"
        guard sqlite3_prepare_v2(db, sql, -1, &statement, nil) == SQLITE_OK else {
            throw Diagnostic(.sqliteUnfit, "SQLite cannot look into a table")
        }
        defer { sqlite3_finalize(statement) }
        guard sqlite3_step(statement) == SQLITE_ROW, sqlite3_column_type(statement, 0) != SQLITE_NULL else {
            return nil
        }
        return sqlite3_column_int64(statement, 0)
    }

    /// Runs a statement; false if a row's id was taken.
    private func attempt(_ sql: String, _ db: OpaquePointer, _ filler: Session) throws(Diagnostic) -> Bool {
        let status = sqlite3_exec(db, sql, nil, nil, nil)
        if status & 0xFF == SQLITE_CONSTRAINT, filler.failure == nil { return false }
        try check(status, filler)
        return true
    }
}
