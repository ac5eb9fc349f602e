public import EscrowTabular

/// What the engine wants from one scan of a table.
public struct ScanRequest: Sendable {
    /// The columns to fill; all others stay null and should not be read from the source at all.
    public var columns: ColumnMask
    /// Terms that every wanted row meets. Advice: a source may leave out rows that certainly fail one of them, and
    /// the engine checks each term again.
    public var predicates: [Predicate]
    /// The order in which rows are wanted, honoured only where ``ScanOffer/servesOrder`` said so.
    public var order: [OrderTerm]
    /// How many rows will probably be read (limit + offset). A hint, never a contract: the engine goes on reading
    /// when it needs more (SQLite 3.40.1 offers LIMIT in places where truncating would give wrong answers).
    public var limit: Int?
    /// The one group whose rows are wanted; nil for all. Asked only of a snapshot that tells ``TableSnapshot/groups()``.
    public var group: Int?

    public init(
        columns: ColumnMask, predicates: [Predicate] = [], order: [OrderTerm] = [], limit: Int? = nil
    ) {
        self.columns = columns
        self.predicates = predicates
        self.order = order
        self.limit = limit
    }
}

/// A set of column positions of one table.
public struct ColumnMask: Sendable, Hashable {
    /// Bit i stands for column i.
    public var bits: UInt64
    @inlinable public init(bits: UInt64) { self.bits = bits }
    @inlinable public init(_ columns: some Sequence<Int>) {
        bits = columns.reduce(0) { $0 | (1 << UInt64($1)) }
    }
    @inlinable public func contains(_ column: Int) -> Bool { bits & (1 << UInt64(column)) != 0 }
    @inlinable public mutating func insert(_ column: Int) { bits |= 1 << UInt64(column) }
    @inlinable public mutating func remove(_ column: Int) { bits &= ~(1 << UInt64(column)) }
    public var columns: [Int] {
        var columns: [Int] = []
        var rest = bits
        while rest != 0 {
            columns.append(rest.trailingZeroBitCount)
            rest &= rest - 1
        }
        return columns
    }
}

/// One term `column op value` of a WHERE clause.
public struct Predicate: Sendable, Hashable {
    public enum Operation: String, Sendable, Hashable {
        case equal = "="
        case notEqual = "<>"
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="
        case `is` = "IS"
        case isNot = "IS NOT"
        case isNull = "IS NULL"
        case notNull = "NOT NULL"
        case like = "LIKE"
        case glob = "GLOB"
        case `in` = "IN"
    }
    public enum Collation: Sendable, Hashable {
        case binary
        case noCase
    }

    public var column: Int
    public var operation: Operation
    /// The right side: none for `IS NULL` and `NOT NULL`, any number for `IN`, otherwise one.
    public var values: [Cell]
    public var collation: Collation

    public init(column: Int, operation: Operation, values: [Cell], collation: Collation = .binary) {
        self.column = column
        self.operation = operation
        self.values = values
        self.collation = collation
    }
}

/// One term of an ORDER BY clause, BINARY collation, nulls smallest.
public struct OrderTerm: Sendable, Hashable {
    public var column: Int
    public var descending: Bool
    public init(column: Int, descending: Bool = false) {
        self.column = column
        self.descending = descending
    }
}
