internal import EscrowSchema

/// What xBestIndex promised for one scan of one table; xFilter carries it out. Equal plans have one number.
struct ScanPlan: Hashable {
    /// A term of the WHERE clause that the engine takes; its right side arrives as an argument of xFilter.
    struct Term: Hashable {
        let column: Int
        let operation: Predicate.Operation
        let collation: Predicate.Collation
        /// Whether SQLite relies on the engine for the term. Otherwise SQLite checks each row again.
        let isExact: Bool
        /// Whether the right side is a constant of the statement, not a parameter or another table's column.
        let isConstant: Bool
        /// The term with its constant, in the source's words; nil if either is missing.
        let constant: Predicate?
    }

    /// A term that SQLite keeps to itself, and why.
    struct Left: Hashable {
        let column: Int
        /// The comparison as people read it.
        let operation: String
        let why: String
    }

    /// The table, as a position in the session.
    let table: Int
    var columns: ColumnMask
    /// The terms, in the order of the arguments.
    var terms: [Term] = []
    var left: [Left] = []
    /// The order that SQLite relies on.
    var order: [OrderTerm] = []
    /// Whether LIMIT and OFFSET follow as arguments.
    var hasLimit = false
    var hasOffset = false
    /// Why an order that SQLite offered was left to it; nil if none was.
    var orderLeft: String?
    /// Why a LIMIT that SQLite offered was left to it; nil if none was.
    var limitLeft: String?
    /// Rows that the planner was told to expect.
    var estimatedRows: Int64 = 0

    static func == (left: ScanPlan, right: ScanPlan) -> Bool {
        left.table == right.table && left.columns == right.columns && left.terms == right.terms
            && left.left == right.left && left.order == right.order && left.hasLimit == right.hasLimit
            && left.hasOffset == right.hasOffset && left.orderLeft == right.orderLeft
            && left.limitLeft == right.limitLeft
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(table)
        hasher.combine(columns)
        hasher.combine(terms)
        hasher.combine(order)
    }

    /// The plan in words, as EXPLAIN QUERY PLAN shows it; `~` marks terms that SQLite checks again.
    func description(_ spec: TableSpec) -> String {
        var parts = ["cols(\(columns.columns.map { spec.columns[$0].name }.joined(separator: ",")))"]
        if !terms.isEmpty {
            let words = terms.map {
                "\(spec.columns[$0.column].name) \($0.operation.rawValue)\($0.isExact ? "" : "~")"
            }
            parts.append("where(\(words.joined(separator: ", ")))")
        }
        if !order.isEmpty {
            let words = order.map { spec.columns[$0.column].name + ($0.descending ? " desc" : "") }
            parts.append("order(\(words.joined(separator: ", ")))")
        }
        if hasLimit { parts.append("limit") }
        return parts.joined(separator: " ")
    }
}
