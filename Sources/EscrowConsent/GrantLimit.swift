public import EscrowMinimisation

/// How much less than was asked for the individual serves.
public struct GrantLimit: Sendable, Equatable {
    /// Which records of one table are served; a record must pass all that is set.
    public struct Rows: Sendable, Equatable {
        /// The records of these ids alone; nil for all.
        public var ids: [String]?
        /// Only those for which this condition, as SQL writes it after WHERE, is true of their values as they are.
        public var condition: String?

        /// Serves the records that pass both.
        public init(ids: [String]? = nil, condition: String? = nil) {
            self.ids = ids
            self.condition = condition
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
            if rows.condition != nil { parts.append("records that meet your condition") }
            return "\(table): " + parts.joined(separator: " and ")
        } + coarser.words
    }
}
