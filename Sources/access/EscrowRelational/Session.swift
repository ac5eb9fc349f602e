internal import EscrowDiagnostics
internal import EscrowMinimisation
internal import EscrowSchema

/// What the callbacks of one connection share: its tables, its plans, what was asked, and what went wrong.
final class Session {
    let governor: Governor
    let pushdown: Pushdown
    let assets: AssetTable
    /// What every use of a source goes through, while a thread may be reading another ahead.
    let gate = SourceGate()
    /// The tables whose names stand in the statement: no other can be read by it.
    var tables: [VirtualTable] = []
    /// All that were granted, in the schema's order; for each its place among ``tables``, if it has one.
    private var offered: [(source: any TableSource, granted: Set<String>?, number: Int?)] = []
    /// Plans by their number, the `idxNum` of SQLite.
    private(set) var plans: [ScanPlan] = []
    private var planNumbers: [ScanPlan: Int] = [:]
    /// What each plan did so far.
    var tallies: [Int: ScanTally] = [:]

    /// Thrown inside a callback; SQLite knows only that there was an error.
    var failure: Diagnostic?
    var denial: Diagnostic?
    /// Columns that the authorizer was asked for.
    var authorized: Set<ColumnRef> = []
    /// Columns that the planner wants of the tables, by `colUsed`.
    var planned: Set<ColumnRef> = []
    /// Every column that is read, as far as either knows.
    var used: Set<ColumnRef> { authorized.union(planned) }
    var rowsOnly: Set<String> = []
    var functions: Set<String> = []
    /// Whether the tables are just being made known: nothing is planned then.
    var isConnecting = false
    var tablesRead: Set<String> = []
    /// Tables that exist, but not for this access.
    private(set) var withheld: [String] = []
    let rules: StatementRules
    /// What `pseudonym()` and `in_sample()` are made with; nil where they have no key.
    var hash: KeyedHash?

    private var stores: [StoreKey: HeldTable] = [:]

    init(rules: StatementRules, governor: Governor, pushdown: Pushdown, assets: AssetTable) {
        self.rules = rules
        self.governor = governor
        self.pushdown = pushdown
        self.assets = assets
    }

    /// Takes the tables of an access: those granted, with the columns granted. Only those whose names stand somewhere in
    /// the statement's text are made: of dozens a query names one or two.
    func add(_ sources: [any TableSource], granted: [String: Set<String>]?) {
        let byName = granted.map { Dictionary($0.map { ($0.lowercased(), $1) }) { $0.union($1) } }
        let text = SmallLetters(rules.tokens.bytes)
        for source in sources {
            let name = source.spec.name
            let columns = byName?[name.lowercased()]
            if byName != nil, columns == nil {
                withheld.append(name)
                continue
            }
            let number = text.contain(name) ? tables.count : nil
            if let number {
                tables.append(VirtualTable(source, number: number, granted: columns, session: self))
            }
            offered.append((source, columns, number))
        }
    }

    var offeredNames: [String] { offered.map(\.source.spec.name) }

    /// All tables that were granted, in the schema's order: for messages, and where a copy is made of each.
    var allTables: [VirtualTable] {
        offered.map { source, granted, number in
            number.map { tables[$0] }
                ?? VirtualTable(source, number: tables.count, granted: granted, session: self)
        }
    }

    func forget() {
        plans = []
        planNumbers = [:]
        authorized = []
        planned = []
        rowsOnly = []
        tablesRead = []
    }

    func number(of plan: ScanPlan) -> Int {
        if let known = planNumbers[plan] { return known }
        plans.append(plan)
        planNumbers[plan] = plans.count - 1
        return plans.count - 1
    }

    /// The table of that name, in any case, if the statement's text holds it.
    func table(named name: String) -> VirtualTable? {
        tables.first { $0.spec.name == name }
            ?? tables.first { $0.spec.name.lowercased() == name.lowercased() }
    }

    /// Rows of a table that one statement reads for the second time or more; nil the first time, so that a plain
    /// scan streams and only loops keep rows. Without rows in it when they are too many to hold.
    func held(_ key: StoreKey, kernels: [Kernel], plan: Int) throws(Diagnostic) -> HeldTable? {
        guard pushdown.contains(.index) else { return nil }
        let entry = stores[key] ?? HeldTable()
        stores[key] = entry
        try entry.prepare(key, kernels: kernels, plan: plan, in: self)
        return entry
    }

    func removeHeldRows() { stores = [:] }
}

/// Which rows and columns are held: those of a table that meet the statement's constant terms.
struct StoreKey: Hashable {
    let table: Int
    let columns: ColumnMask
    let predicates: [Predicate]
}

/// What the scans of one plan did.
struct ScanTally {
    /// Times that SQLite started a scan.
    var scans = 0
    /// Of these, how many were served from held rows.
    var heldScans = 0
    /// Of these, how many looked their rows up in an index.
    var lookups = 0
    /// Rows that came from the source.
    var scannedRows = 0
    /// Rows handed to SQLite.
    var passedRows = 0
    /// For each term of the plan, whether the source used it; nil before the first scan of the source.
    var prunes: [Bool]?
    /// Whether the source delivered the order; nil before the first scan.
    var sourceOrder: Bool?
    /// Whether the first rows were picked in a bounded buffer rather than by a full sort.
    var topRows = false
}

/// The text of a statement in which names are looked for, by SQLite's own rule: ASCII letters without case.
struct SmallLetters {
    private let bytes: [UInt8]

    init(_ text: [UInt8]) { bytes = text.map(Self.small) }

    private static func small(_ byte: UInt8) -> UInt8 {
        byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
    }

    /// Whether a name stands anywhere, be it as part of a longer word.
    func contain(_ name: String) -> Bool {
        let name = name.utf8.map(Self.small)
        guard let first = name.first else { return true }
        var at = 0
        while at + name.count <= bytes.count {
            if bytes[at] == first, bytes[at..<at + name.count].elementsEqual(name) { return true }
            at += 1
        }
        return false
    }
}
