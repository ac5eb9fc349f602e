public import EscrowMinimisation

/// One table and the columns that a dataflow reads from it.
public struct TableUse: Sendable, Hashable {
    /// The table.
    public var table: String
    /// Columns whose values reach the plugin.
    public var returned: [String]
    /// Columns that only filter, join or sort.
    public var used: [String]

    /// Names a table and its columns.
    public init(table: String, returned: [String], used: [String] = []) {
        self.table = table
        self.returned = returned
        self.used = used
    }

    /// Each table once, in order of name, each column once; a column that is returned is not named again as used.
    static func merged(_ uses: [TableUse]) -> [TableUse] {
        var returned: [String: Set<String>] = [:]
        var used: [String: Set<String>] = [:]
        for use in uses {
            returned[use.table, default: []].formUnion(use.returned)
            used[use.table, default: []].formUnion(use.used)
        }
        return returned.keys.sorted().map { table in
            let values = returned[table] ?? []
            return TableUse(
                table: table, returned: values.sorted(),
                used: (used[table] ?? []).subtracting(values).sorted())
        }
    }

    /// `Table.column` for each column that `wanted` reads and `granted` does not have. To use a column is less than to
    /// return it, so what is granted to be returned may also be used.
    static func beyond(_ wanted: [TableUse], granted: [TableUse]) -> (returned: [String], used: [String]) {
        var returned: [String] = []
        var used: [String] = []
        let granted = merged(granted)
        for use in merged(wanted) {
            let has = granted.first { $0.table == use.table }
            returned += use.returned.filter { has?.returned.contains($0) != true }.map {
                "\(use.table).\($0)"
            }
            used += use.used.filter { has?.returned.contains($0) != true && has?.used.contains($0) != true }
                .map {
                    "\(use.table).\($0)"
                }
            // To count the rows of a table is to read it, though no column is named.
            if has == nil, use.returned.isEmpty, use.used.isEmpty { used.append(use.table) }
        }
        return (returned, used)
    }

    /// Whether nothing of `wanted` is `beyond` what is granted. Each decision asks that of every grant about its dataflow, so
    /// nothing is put in order or named for it.
    static func isWithin(_ wanted: [TableUse], granted: [TableUse]) -> Bool {
        wanted.allSatisfy { use in
            granted.contains { $0.table == use.table }
                && use.returned.allSatisfy { column in
                    granted.contains { $0.table == use.table && $0.returned.contains(column) }
                }
                && use.used.allSatisfy { column in
                    // What is returned as well is asked about there.
                    granted.contains {
                        $0.table == use.table && ($0.returned.contains(column) || $0.used.contains(column))
                    } || wanted.contains { $0.table == use.table && $0.returned.contains(column) }
                }
        }
    }
}

extension Minimisation {
    /// The part that is about these tables and columns.
    public func restricted(to uses: [TableUse]) -> Minimisation {
        restricted(
            to: Dictionary(
                uses.map { ($0.table, Set($0.returned + $0.used)) }, uniquingKeysWith: { $0.union($1) }))
    }
}
