internal import EscrowDiagnostics
internal import EscrowSchema

/// What a statement needs of one table, so that a native one can stand for it.
struct MaterialNeed {
    let table: VirtualTable
    /// The columns that the statement reads; nil if it does not read the table.
    var columns: ColumnMask?
    /// The source's state before anything is read.
    var fingerprint: TableFingerprint?

    /// Needs of all tables of a prepared statement. A table without granted columns stays virtual: there is nothing in it
    /// but its number of rows.
    static func list(_ session: Session) throws(Diagnostic) -> [MaterialNeed] {
        let used = session.used
        var needs: [MaterialNeed] = []
        for table in session.allTables where !table.columns.isEmpty {
            var need = MaterialNeed(table: table)
            let names = Set(used.filter { $0.table == table.spec.name }.map(\.column))
            if session.tablesRead.contains(table.spec.name) || !names.isEmpty {
                need.columns = ColumnMask(
                    table.columns.filter { names.contains(table.spec.columns[$0].name) })
                need.fingerprint = try table.source.fingerprint()
            }
            needs.append(need)
        }
        return needs
    }

    /// Whether a table of an image answers for this one.
    func isMet(by part: MaterialImage.Part) -> Bool {
        guard part.name == table.spec.name, part.ddl == table.nativeDDL else { return false }
        guard let columns else { return true }
        guard let fingerprint else { return false }
        return part.isFilled && part.fingerprint == fingerprint
            && columns.bits & ~part.filled.bits == 0
    }

    /// Whether a table of an image answers for this one, or would if some of its groups of rows were replaced.
    func isNearlyMet(by part: MaterialImage.Part) -> Bool {
        guard part.name == table.spec.name, part.ddl == table.nativeDDL else { return false }
        guard let columns else { return !part.isFilled }
        guard part.isFilled, part.isLasting, fingerprint != nil, columns.bits & ~part.filled.bits == 0 else {
            return false
        }
        return part.fingerprint == fingerprint || part.groups != nil
    }
}
