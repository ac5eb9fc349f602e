internal import EscrowSchema

/// How a query is, or was, carried out: for people who wonder what is read and why it takes long.
public struct AccessExplanation: Sendable {
    public internal(set) var engine = Engine.pushdown
    /// One entry for each way in which a table is scanned, in the order of the query plan.
    public internal(set) var scans: [ScanExplanation]
    /// The lines of SQLite's own EXPLAIN QUERY PLAN, indented by two spaces a level.
    public internal(set) var queryPlan: [String]
    /// The native tables of ``Engine/materialized``; none for the other engines.
    public internal(set) var copies: [CopyExplanation] = []
    /// What SQLite does by itself with ORDER BY and LIMIT, which it never offered to the tables.
    public internal(set) var keptBySQLite: [String] = []
}

public struct CopyExplanation: Sendable {
    public let table: String
    /// The columns copied: those that the statement names, and those that earlier ones did.
    public let columns: [String]
    /// Rows copied; nil before the first row was asked for.
    public let rows: Int?
    /// Whether the rows are those of an earlier access, for the source has not changed since.
    public let isReused: Bool
}

/// One way in which a query scans a table.
public struct ScanExplanation: Sendable {
    /// A term of the WHERE clause, or of a join, that filters rows before SQLite sees them.
    public struct Term: Sendable, Hashable, CustomStringConvertible {
        public let column: String
        /// The comparison: `=`, `<`, `LIKE`, `IN` and so on. Its right side is never shown.
        public let operation: String
        /// Whether SQLite relies on the engine; otherwise it checks each row once more.
        public let isExact: Bool
        /// Why SQLite checks once more; nil for an exact term.
        public let whyRechecked: String?
        /// Whether the source leaves rows unread by this term; nil while the right side is not known yet.
        public let isUsedBySource: Bool?

        /// The term as the query plan spells it, `~` for one that SQLite checks once more.
        public var description: String { "\(column) \(operation)\(isExact ? "" : "~")" }
    }

    /// A term that SQLite offered and keeps to itself.
    public struct LeftTerm: Sendable, Hashable, CustomStringConvertible {
        public let column: String
        /// The comparison. Its right side is never shown.
        public let operation: String
        /// Why it was not taken over, in one clause.
        public let why: String
        public var description: String { "\(column) \(operation) (\(why))" }
    }

    /// Who puts rows in order.
    public enum Sorter: String, Sendable {
        /// The source yields them so.
        case source
        /// The engine sorts them, or picks the first ones in a bounded buffer.
        case engine
    }

    public let table: String
    public let columns: [String]
    /// The terms taken over from SQLite.
    public let terms: [Term]
    /// The terms that SQLite offered and keeps to itself. OR, and terms between two columns or over expressions, are not
    /// offered at all.
    public let leftToSQLite: [LeftTerm]
    /// The order taken over from SQLite: column names, with ` desc` behind where it descends.
    public let order: [String]
    /// Who sorts; nil without an order.
    public let sorter: Sorter?
    /// Why an order that SQLite offered was left to it; nil if none was.
    public let whyNoOrder: String?
    /// Whether LIMIT sizes what is read first.
    public let usesLimit: Bool
    /// Why a LIMIT that SQLite offered was left to it; nil if none was.
    public let whyNoLimit: String?
    /// Rows in the table, as the source estimates.
    public let estimatedTableRows: Int
    /// Rows that the planner expects to pass the terms.
    public let estimatedRows: Int
    /// How often SQLite started the scan so far.
    public let scanCount: Int
    /// How many of these were served from rows held in memory.
    public let heldCount: Int
    /// How many of these looked their rows up in an index.
    public let lookupCount: Int
    /// Rows that the source yielded so far.
    public let scannedRows: Int
    /// Rows that were handed to SQLite so far.
    public let passedRows: Int
}

extension ScanExplanation {
    init(_ plan: ScanPlan, _ table: VirtualTable, _ tally: ScanTally) {
        func name(_ column: Int) -> String { table.spec.columns[column].name }
        let offer = table.source.offer(
            for: ScanRequest(
                columns: plan.columns, predicates: plan.terms.compactMap(\.constant), order: plan.order))
        var prunes = offer.prunes.makeIterator()
        var terms: [Term] = []
        for (index, term) in plan.terms.enumerated() {
            let expected = term.constant == nil ? nil : prunes.next()
            terms.append(
                Term(
                    column: name(term.column), operation: term.operation.rawValue, isExact: term.isExact,
                    whyRechecked: term.whyRechecked, isUsedBySource: tally.prunes?[index] ?? expected))
        }
        self.table = table.spec.name
        columns = plan.columns.columns.map(name)
        self.terms = terms
        leftToSQLite = plan.left.map {
            LeftTerm(column: name($0.column), operation: $0.operation, why: $0.why)
        }
        whyNoOrder = plan.orderLeft
        whyNoLimit = plan.limitLeft
        order = plan.order.map { name($0.column) + ($0.descending ? " desc" : "") }
        let isServed = tally.sourceOrder ?? offer.servesOrder
        sorter = plan.order.isEmpty ? nil : isServed ? .source : .engine
        usesLimit = plan.hasLimit
        estimatedTableRows = offer.estimatedRows
        estimatedRows = Int(plan.estimatedRows)
        scanCount = tally.scans
        heldCount = tally.heldScans
        lookupCount = tally.lookups
        scannedRows = tally.scannedRows
        passedRows = tally.passedRows
    }
}

extension ScanPlan.Term {
    /// Why SQLite checks each row once more; nil if it does not.
    var whyRechecked: String? {
        if isExact { return nil }
        switch operation {
        case .in: return "lists always are"
        case .like, .glob: return "patterns always are"
        case .less, .lessOrEqual, .greater, .greaterOrEqual: return "ranges always are"
        case .equal, .notEqual, .is, .isNot, .isNull, .notNull:
            return "the value is known only when the query runs"
        }
    }
}
