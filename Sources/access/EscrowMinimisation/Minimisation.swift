/// How much coarser tables are served: what a manifest asks for, what a grant imposes, or both together.
///
/// Spelled one term each: `round(Location.latitude, 1)`, `deresolve(Location.timestamp, hour)`,
/// `truncate(Contacts.familyName, 1)`, `hash(Contacts.id, per-app)`, `drop(Contacts.note)`,
/// `strip(Photos.asset)`, `sample(Location, 0.1)`,
/// `sample(Location, 0.1, person)`, `aggregate(Location, 5)`. Names of tables and columns compare without case, as SQL
/// does. Values with fewer or coarser details are "coarser"; see docs/spec/minimisation.md.
public struct Minimisation: Sendable, Hashable {
    public struct Table: Sendable, Hashable {
        /// Column → transform, by the spelling in which it was first named; never one that does nothing.
        public internal(set) var columns: [String: ColumnTransform] = [:]
        public internal(set) var rows = RowRules()

        init() {}

        public func transform(of column: String) -> ColumnTransform {
            columns.first { $0.key.lowercased() == column.lowercased() }?.value ?? ColumnTransform()
        }

        var isIdentity: Bool { columns.isEmpty && rows.isIdentity }

        mutating func add(_ transform: ColumnTransform, to column: String) {
            let name = columns.keys.first { $0.lowercased() == column.lowercased() } ?? column
            let both = (columns[name] ?? ColumnTransform()).joined(with: transform)
            if !both.isIdentity { columns[name] = both }
        }
    }

    /// Table → what is done to it, by the spelling in which it was first named; never one that does nothing.
    public internal(set) var tables: [String: Table] = [:]

    public init() {}

    public static let none = Minimisation()

    public var isEmpty: Bool { tables.isEmpty }

    public func table(_ name: String) -> Table {
        tables.first { $0.key.lowercased() == name.lowercased() }?.value ?? Table()
    }

    /// Adds a transform of a column; of two for one column the coarser holds in each respect.
    public mutating func add(_ transform: ColumnTransform, to column: String, of table: String) {
        change(table) { $0.add(transform, to: column) }
    }

    /// Adds a rule about a table's rows.
    public mutating func add(_ rules: RowRules, to table: String) {
        change(table) { $0.rows = $0.rows.joined(with: rules) }
    }

    private mutating func change(_ table: String, _ body: (inout Table) -> Void) {
        let name = tables.keys.first { $0.lowercased() == table.lowercased() } ?? table
        var value = tables[name] ?? Table()
        body(&value)
        if !value.isIdentity { tables[name] = value }
    }

    /// Both together: in each respect the coarser of the two.
    public func joined(with other: Minimisation) -> Minimisation {
        var both = self
        for (name, table) in other.tables {
            both.add(table.rows, to: name)
            for (column, transform) in table.columns { both.add(transform, to: column, of: name) }
        }
        return both
    }

    /// Whether files of any table are handed out without what they say of themselves: then all files of the run are.
    public var stripsFiles: Bool {
        tables.values.contains { $0.columns.values.contains(where: \.isStripped) }
    }

    /// Whether this tells no more than the other about any column or table.
    public func isAtLeastAsCoarse(as other: Minimisation) -> Bool {
        other.tables.allSatisfy { name, theirs in
            let own = table(name)
            return own.rows.isAtLeastAsCoarse(as: theirs.rows)
                && theirs.columns.allSatisfy {
                    own.transform(of: $0.key).isAtLeastAsCoarse(as: $0.value)
                }
        }
    }

    /// The part about the given tables and columns, as a query that reads only these meets it. Rules about rows stay for
    /// every named table.
    public func restricted(to reads: [String: Set<String>]) -> Minimisation {
        var part = Minimisation()
        for (name, columns) in reads {
            let own = table(name)
            part.add(own.rows, to: name)
            for column in columns { part.add(own.transform(of: column), to: column, of: name) }
        }
        return part
    }

    /// Every term as it is spelled, in one order: by table, rules about rows first, then columns by name.
    public var terms: [String] {
        tables.sorted { $0.key < $1.key }.flatMap { name, table in
            table.rows.spelled(name)
                + table.columns.sorted { $0.key < $1.key }.flatMap { $1.spelled("\(name).\($0)") }
        }
    }

    /// One table's terms as a manifest spells them, without the table's name.
    public func terms(of table: String) -> [String] {
        let own = self.table(table)
        return own.rows.spelled(nil)
            + own.columns.sorted { $0.key < $1.key }.flatMap { $1.spelled($0) }
    }
}
