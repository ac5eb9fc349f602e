public import EscrowMinimisation
public import EscrowTabular

/// One `access()`: a SQL query with its parameters, and what it may touch.
public struct AccessRequest: Sendable {
    /// One read-only `SELECT` over the escrow's tables.
    public var sql: String
    /// Values for the query's `:name` parameters, by name without the colon; exactly those that the query names.
    public var parameters: [String: Cell]
    /// The columns that may be read at all, by table; nil for all (the owner's own queries). What is not granted does
    /// not exist for the query. A table with an empty set can only be counted.
    public var granted: [String: Set<String>]?
    /// The types of the result's columns in order, as a plugin's manifest declares them; nil to infer them.
    public var columnTypes: [ColumnType]?
    public var budget: AccessBudget
    public var engine: Engine
    /// What ``Engine/pushdown`` takes over from SQLite; for tests and benchmarks, everything by default.
    public var pushdown: Pushdown
    /// What `pseudonym()` and `in_sample()` are made with; without it a query that calls them ends with `.notComputable`.
    public var hash: KeyedHash?

    public init(
        sql: String, parameters: [String: Cell] = [:], granted: [String: Set<String>]? = nil,
        columnTypes: [ColumnType]? = nil, budget: AccessBudget = AccessBudget(),
        engine: Engine = .pushdown, pushdown: Pushdown = .all, hash: KeyedHash? = nil
    ) {
        self.sql = sql
        self.parameters = parameters
        self.granted = granted
        self.columnTypes = columnTypes
        self.budget = budget
        self.engine = engine
        self.pushdown = pushdown
        self.hash = hash
    }
}

/// What one access may use up. A budget that is hit ends the access with an error; nothing is cut silently.
public struct AccessBudget: Sendable, Equatable {
    public var rows: Int
    /// Bytes delivered, as ``Batch/byteCount`` counts.
    public var bytes: Int
    /// Seconds spent within the access: the time the reader takes between its calls does not count.
    public var seconds: Double
    /// Bytes of rows held at one time for sorting and joining.
    public var heldBytes: Int
    /// Instructions of SQLite's virtual machine, counted in steps of 250.
    public var steps: Int
    /// Bytes of the native tables that ``Engine/materialized`` fills for one query.
    public var materializedBytes: Int

    public init(
        rows: Int = 10_000_000, bytes: Int = 1 << 30, seconds: Double = 60, heldBytes: Int = 64 << 20,
        steps: Int = 20_000_000_000, materializedBytes: Int = 96 << 20
    ) {
        self.rows = rows
        self.bytes = bytes
        self.seconds = seconds
        self.heldBytes = heldBytes
        self.steps = steps
        self.materializedBytes = materializedBytes
    }
}

/// The parts of a query that the engine takes over from SQLite. None at all makes plain virtual tables that read
/// every column of every row.
public struct Pushdown: OptionSet, Sendable, Hashable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Only the columns that the query names are read.
    public static let columns = Pushdown(rawValue: 1)
    /// Terms of the WHERE clause filter rows before SQLite sees them.
    public static let predicates = Pushdown(rawValue: 2)
    /// ORDER BY and GROUP BY are served by the source or the engine.
    public static let order = Pushdown(rawValue: 4)
    /// LIMIT sizes what is read first. A hint: more is read if SQLite asks for it.
    public static let limit = Pushdown(rawValue: 8)
    /// Tables read more than once in a statement are held, and indexed for equality.
    public static let index = Pushdown(rawValue: 16)
    public static let all: Pushdown = [.columns, .predicates, .order, .limit, .index]
}
