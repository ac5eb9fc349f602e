internal import EscrowSchema

extension Access {
    /// How the query is carried out; before the first row as planned, later with what was really read.
    public var explanation: AccessExplanation {
        guard request.engine != .materialized else { return overNativeTables }
        let lines = connection.queryPlan(request.sql)
        var seen: Set<Int> = []
        let numbers = lines.compactMap(Self.planNumber).filter { seen.insert($0).inserted }
        let plans = numbers.filter(session.plans.indices.contains)
        return AccessExplanation(
            engine: request.engine,
            scans: plans.map {
                let plan = session.plans[$0]
                return ScanExplanation(plan, session.tables[plan.table], session.tallies[$0] ?? ScanTally())
            }, queryPlan: lines, keptBySQLite: kept(plans.map { session.plans[$0] }, lines))
    }

    /// The `idxNum` in a line such as `SCAN c VIRTUAL TABLE INDEX 3:cols(givenName)`.
    private static func planNumber(_ line: String) -> Int? {
        let words = line.split(separator: " ")
        guard
            let at = words.indices.dropLast(3).first(where: {
                words[$0...].starts(with: ["VIRTUAL", "TABLE", "INDEX"])
            })
        else { return nil }
        return words[at + 3].split(separator: ":").first.flatMap { Int($0) }
    }

    /// The parts of the query about which SQLite asked no table.
    private func kept(_ plans: [ScanPlan], _ lines: [String]) -> [String] {
        var kept: [String] = []
        if lines.contains(where: { $0.hasSuffix("FOR ORDER BY") }),
            !plans.contains(where: { $0.orderLeft != nil })
        {
            kept.append("order (it is not by columns of one table alone)")
        }
        let hasLimit = session.rules.tokens.tokens.contains { session.rules.tokens.keyword($0) == "LIMIT" }
        if hasLimit, !plans.contains(where: { $0.hasLimit || $0.limitLeft != nil }) {
            kept.append("limit (offered for the rows of one table alone, as they are)")
        }
        return kept
    }

    /// Native tables as they are, or as they would be filled.
    private var overNativeTables: AccessExplanation {
        let plan = (native?.connection ?? (try? nativeConnection(.schema)))?.queryPlan(request.sql) ?? []
        let used = session.used
        let copies = session.tables.compactMap { table -> CopyExplanation? in
            let name = table.spec.name
            if let native {
                guard let part = native.image.parts.first(where: { $0.name == name }), part.isFilled else {
                    return nil
                }
                return CopyExplanation(
                    table: name, columns: part.filled.columns.map { table.spec.columns[$0].name },
                    rows: part.rows,
                    isReused: native.isReused)
            }
            let columns = table.columns.map { table.spec.columns[$0].name }
                .filter { used.contains(ColumnRef(table: name, column: $0)) }
            guard !columns.isEmpty || session.tablesRead.contains(name) else { return nil }
            return CopyExplanation(table: name, columns: columns, rows: nil, isReused: false)
        }
        return AccessExplanation(engine: .materialized, scans: [], queryPlan: plan, copies: copies)
    }
}
