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
