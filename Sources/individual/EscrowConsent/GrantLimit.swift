public import EscrowMinimisation

/// How much less than was asked for the individual serves.
public struct GrantLimit: Sendable, Equatable {
    /// Which records of one table are served; a record must pass all that is set.
    public struct Rows: Sendable, Equatable {
        /// The records of these ids alone; nil for all.
        public var ids: [String]?
        /// Only those for which this condition, as SQL writes it after WHERE, is true of their values as they are.
        public var condition: String?
        /// No more than so many of those that meet the condition; nil for all.
        public var first: Int?
        /// The column by whose greatest values these are chosen; nil for those that come first as they lie.
        public var newestBy: String?

        /// What `first` may be.
        public static let firstRange = 1...1_000_000

        /// Serves the records that pass all.
        public init(
            ids: [String]? = nil, condition: String? = nil, first: Int? = nil, newestBy: String? = nil
        ) {
            self.ids = ids
            self.condition = condition
            self.first = first
            self.newestBy = newestBy
        }

        /// Takes up `TABLE=N` or `TABLE.COLUMN=N` of somebody who writes it; nil where it is neither.
        public static func most(_ place: some StringProtocol, _ count: some StringProtocol) -> (
            table: String, rows: Rows
        )? {
            let names = String(place).split(separator: ".", omittingEmptySubsequences: false).map {
                String($0)
            }
            guard (1...2).contains(names.count), names.allSatisfy({ !$0.isEmpty }), let number = Int(count),
                firstRange.contains(number), String(number) == count
            else { return nil }
            return (names[0], Rows(first: number, newestBy: names.count == 2 ? names[1] : nil))
        }
    }

    /// Table → which records of it; a table that is not named is served whole.
    public var rows: [String: Rows]
    /// How much coarser than they are values are served, columns that are left out among them.
    public var coarser: Minimisation

    /// Names a limit.
    public init(rows: [String: Rows] = [:], coarser: Minimisation = .none) {
        self.rows = rows
        self.coarser = coarser
    }

    /// Whether everything is served.
    public var isEmpty: Bool { rows.isEmpty && coarser.isEmpty }

    /// What both let through: coarser columns, fewer rows. Records that are named in both are served.
    package func joined(with other: GrantLimit) -> GrantLimit {
        var both = GrantLimit(rows: rows, coarser: coarser.joined(with: other.coarser))
        for (table, more) in other.rows {
            var rows = both.rows[table] ?? Rows()
            if let ids = more.ids {
                rows.ids = (rows.ids ?? []) + ids.filter { rows.ids?.contains($0) != true }
            }
            if let condition = more.condition {
                rows.condition = rows.condition.map { "\($0) AND \(condition)" } ?? condition
            }
            if let first = more.first { (rows.first, rows.newestBy) = (first, more.newestBy) }
            both.rows[table] = rows
        }
        return both
    }

    /// No record of any of these tables: what an empty address book looks like.
    public static func nothing(of reads: [TableUse]) -> GrantLimit {
        GrantLimit(
            rows: Dictionary(uniqueKeysWithValues: Set(reads.map(\.table)).map { ($0, Rows(ids: [])) }))
    }

    /// For people, a phrase each. Neither ids nor conditions are in it: both are the individual's data.
    public var phrases: [String] {
        rows.sorted { $0.key < $1.key }.map { table, rows in
            var parts: [String] = []
            if let ids = rows.ids { parts.append(ids.isEmpty ? "no record" : "\(ids.count) chosen records") }
            if let first = rows.first {
                parts.append(
                    rows.newestBy.map { "the \(first) records with the greatest \($0)" }
                        ?? "the first \(first) records")
            }
            if rows.condition != nil { parts.append("records that meet your condition") }
            return "\(table): " + parts.joined(separator: " and ")
        } + coarser.words
    }
}
