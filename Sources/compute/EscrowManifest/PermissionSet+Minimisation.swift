import EscrowMinimisation

extension PermissionSet {
    /// What is served more or less coarsely than before, of the columns and tables that both sets read: coarser is
    /// narrower.
    func minimisationChanges(_ old: PermissionSet, _ changes: inout Changes) {
        for (table, columns) in reads.sorted(by: { $0.key < $1.key }) {
            guard let before = old.reads[table] else { continue }
            let (now, was) = (minimisation.table(table), old.minimisation.table(table))
            for column in columns.intersection(before).sorted() {
                let (own, other) = (now.transform(of: column), was.transform(of: column))
                guard own != other else { continue }
                changes.add(
                    Self.direction(own.isAtLeastAsCoarse(as: other), other.isAtLeastAsCoarse(as: own)),
                    "reads \(table).\(column) \(own.phrase(column)), it was \(other.phrase(column))")
            }
            guard now.rows != was.rows else { continue }
            changes.add(
                Self.direction(
                    now.rows.isAtLeastAsCoarse(as: was.rows), was.rows.isAtLeastAsCoarse(as: now.rows)),
                "reads of \(table) \(now.rows.phrase), it was \(was.rows.phrase)")
        }
    }

    private static func direction(
        _ isCoarser: Bool, _ isFiner: Bool
    ) -> PermissionChange.Direction { isCoarser ? .narrower : isFiner ? .wider : .different }
}

extension ColumnTransform {
    fileprivate func phrase(_ column: String) -> String { isIdentity ? "as it is" : words(for: column) }
}

extension RowRules {
    fileprivate var phrase: String { isIdentity ? "all rows" : words.joined(separator: ", ") }
}
