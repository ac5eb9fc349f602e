internal import CSQLite
internal import EscrowSchema
internal import EscrowTabular

/// One call of xBestIndex: what the engine can take over of what SQLite offers. No I/O, no data.
struct BestIndex {
    let table: VirtualTable
    let info: UnsafeMutablePointer<sqlite3_index_info>

    private enum Taken {
        case term(ScanPlan.Term)
        case left(ScanPlan.Left)
        case ignored
    }

    func plan() -> Int32 {
        let session = table.session
        // The statement that touches a table to connect it is never run.
        if session.isConnecting { return SQLITE_OK }
        // The third wall around columns that were not granted; they do not even exist in the DDL.
        guard let used = table.mask(used: info.pointee.colUsed) else { return refuse() }
        for column in used.columns {
            session.planned.insert(ColumnRef(table: table.spec.name, column: table.spec.columns[column].name))
        }
        let all = ColumnMask(table.columns)
        var plan = ScanPlan(
            table: table.number, columns: session.pushdown.contains(.columns) ? used : all)
        var argument: Int32 = 0
        takeTerms(&plan, &argument)
        let constants = plan.terms.compactMap(\.constant)
        takeOrder(&plan, constants)
        takeLimit(&plan, &argument)
        estimate(&plan, constants)
        info.pointee.idxNum = Int32(session.number(of: plan))
        info.pointee.idxStr = csqlite_strdup(plan.description(table.spec))
        info.pointee.needToFreeIdxStr = 1
        return info.pointee.idxStr == nil ? SQLITE_NOMEM : SQLITE_OK
    }

    private func refuse() -> Int32 {
        sqlite3_free(info.pointee.idxStr)
        return SQLITE_AUTH
    }

    private func constraint(_ index: Int) -> sqlite3_index_constraint { info.pointee.aConstraint[index] }

    private func use(_ index: Int, _ argument: inout Int32, omit: Bool) {
        argument += 1
        info.pointee.aConstraintUsage[index].argvIndex = argument
        info.pointee.aConstraintUsage[index].omit = omit ? 1 : 0
    }

    private func takeTerms(_ plan: inout ScanPlan, _ argument: inout Int32) {
        for index in 0..<Int(info.pointee.nConstraint) where constraint(index).usable != 0 {
            switch take(index) {
            case .term(let term):
                use(index, &argument, omit: term.isExact)
                plan.terms.append(term)
            case .left(let term): plan.left.append(term)
            case .ignored: break
            }
        }
    }

    private func take(_ index: Int) -> Taken {
        let offered = constraint(index)
        switch Int32(offered.op) {
        case SQLITE_INDEX_CONSTRAINT_LIMIT, SQLITE_INDEX_CONSTRAINT_OFFSET: return .ignored
        default: break
        }
        guard offered.iColumn >= 0, Int(offered.iColumn) < table.columns.count else { return .ignored }
        let column = table.columns[Int(offered.iColumn)]
        func left(_ operation: Predicate.Operation?, _ why: String) -> Taken {
            .left(
                ScanPlan.Left(
                    column: column, operation: operation?.rawValue ?? "in a function", why: why))
        }
        guard let operation = Self.operation(offered.op) else {
            return left(nil, "the engine knows comparisons alone")
        }
        guard table.session.pushdown.contains(.predicates) else { return left(operation, Self.isOff) }
        let collation: Predicate.Collation
        switch String(cString: sqlite3_vtab_collation(info, Int32(index))) {
        case "BINARY": collation = .binary
        case "NOCASE": collation = .noCase
        default: return left(operation, "its collation is neither BINARY nor NOCASE")
        }
        let kind = table.kinds[column]
        if operation == .like || operation == .glob, kind != .text {
            return left(operation, "the column holds no text")
        }
        if operation == .equal, sqlite3_vtab_in(info, Int32(index), -1) != 0 {
            // An IN that is not taken whole would call xFilter once a value and spoil the order.
            guard sqlite3_vtab_in(info, Int32(index), 1) != 0 else {
                return left(.in, "SQLite hands the list over value by value")
            }
            return .term(
                ScanPlan.Term(
                    column: column, operation: .in, collation: collation, isExact: false, isConstant: false,
                    constant: nil))
        }
        if operation == .isNull || operation == .notNull {
            let predicate = Predicate(column: column, operation: operation, values: [])
            return .term(
                ScanPlan.Term(
                    column: column, operation: operation, collation: .binary, isExact: true, isConstant: true,
                    constant: predicate))
        }
        var value: OpaquePointer?
        var exact = false
        var constant: Predicate?
        if sqlite3_vtab_rhs_value(info, Int32(index), &value) == SQLITE_OK, let value {
            let operand = Operand(value)
            // Affinity decides there: `text = 7` means '7', and only SQLite knows what `text < x'61'` means.
            guard operand.isNull || operand.decides(against: kind, operation) else {
                return left(operation, "the value is of another class than the column's")
            }
            exact = operation.canBeExact && operand.decides(against: kind, operation)
            constant = operand.predicate(
                column: column, operation: operation, collation: collation, kind: kind)
        }
        return .term(
            ScanPlan.Term(
                column: column, operation: operation, collation: collation, isExact: exact,
                isConstant: value != nil, constant: constant))
    }

    private static let isOff = "this engine takes nothing over"

    private static func operation(_ code: UInt8) -> Predicate.Operation? {
        switch Int32(code) {
        case SQLITE_INDEX_CONSTRAINT_EQ: .equal
        case SQLITE_INDEX_CONSTRAINT_NE: .notEqual
        case SQLITE_INDEX_CONSTRAINT_LT: .less
        case SQLITE_INDEX_CONSTRAINT_LE: .lessOrEqual
        case SQLITE_INDEX_CONSTRAINT_GT: .greater
        case SQLITE_INDEX_CONSTRAINT_GE: .greaterOrEqual
        case SQLITE_INDEX_CONSTRAINT_IS: .is
        case SQLITE_INDEX_CONSTRAINT_ISNOT: .isNot
        case SQLITE_INDEX_CONSTRAINT_ISNULL: .isNull
        case SQLITE_INDEX_CONSTRAINT_ISNOTNULL: .notNull
        case SQLITE_INDEX_CONSTRAINT_LIKE: .like
        case SQLITE_INDEX_CONSTRAINT_GLOB: .glob
        default: nil
        }
    }

    private func takeOrder(_ plan: inout ScanPlan, _ constants: [Predicate]) {
        let count = Int(info.pointee.nOrderBy)
        guard count > 0 else { return }
        guard table.session.pushdown.contains(.order) else {
            plan.orderLeft = Self.isOff
            return
        }
        var order: [OrderTerm] = []
        for index in 0..<count {
            let term = info.pointee.aOrderBy[index]
            guard term.iColumn >= 0, Int(term.iColumn) < table.columns.count else {
                plan.orderLeft = "it is not by columns"
                return
            }
            order.append(OrderTerm(column: table.columns[Int(term.iColumn)], descending: term.desc != 0))
        }
        // For DISTINCT (modes 2 and 3) SQLite keeps the distinct rows alone, which are fewer than all rows sorted.
        let distinct = sqlite3_vtab_distinct(info)
        if distinct >= 2 {
            let request = ScanRequest(columns: plan.columns, predicates: constants, order: order)
            guard table.source.offer(for: request).servesOrder else {
                plan.orderLeft = "SQLite sorts fewer rows, the distinct ones alone"
                return
            }
        }
        plan.order = order
        info.pointee.orderByConsumed = 1
    }

    /// LIMIT is a hint, never `omit`: SQLite 3.40.1 offers it although a term such as `a = b` still has to filter
    /// (wherecode.c), and drops the first WHERE term if LIMIT is omitted (whereInt iParent).
    private func takeLimit(_ plan: inout ScanPlan, _ argument: inout Int32) {
        let offers = (0..<Int(info.pointee.nConstraint)).filter { constraint($0).usable != 0 }
        guard let limit = offers.first(where: { Int32(constraint($0).op) == SQLITE_INDEX_CONSTRAINT_LIMIT })
        else { return }
        guard table.session.pushdown.contains(.limit) else {
            plan.limitLeft = Self.isOff
            return
        }
        guard info.pointee.nOrderBy == 0 || info.pointee.orderByConsumed != 0 else {
            plan.limitLeft = "SQLite puts the rows in order first"
            return
        }
        use(limit, &argument, omit: false)
        plan.hasLimit = true
        if let offset = offers.first(where: { Int32(constraint($0).op) == SQLITE_INDEX_CONSTRAINT_OFFSET }) {
            use(offset, &argument, omit: false)
            plan.hasOffset = true
        }
    }

    private func estimate(_ plan: inout ScanPlan, _ constants: [Predicate]) {
        let offer = table.source.offer(
            for: ScanRequest(columns: plan.columns, predicates: constants, order: plan.order))
        let rows = Double(max(offer.estimatedRows, 1))
        var matching = rows
        var hasLookup = false
        for term in plan.terms {
            switch term.operation {
            case .equal, .is:
                matching *= 0.01
                hasLookup = hasLookup || (!term.isConstant && table.session.pushdown.contains(.index))
            case .in, .like, .glob: matching *= 0.05
            case .less, .lessOrEqual, .greater, .greaterOrEqual: matching *= 0.3
            case .notEqual, .isNot, .isNull, .notNull: matching *= 0.95
            }
        }
        matching = max(matching, 1)
        let width = Double(plan.columns.bits.nonzeroBitCount)
        let sorting = plan.order.isEmpty || offer.servesOrder ? 0 : 2 * matching
        info.pointee.estimatedCost = hasLookup ? 20 + matching : 0.2 * rows + matching * width + sorting
        info.pointee.estimatedRows = Int64(matching)
        plan.estimatedRows = Int64(matching)
    }
}

extension Predicate.Operation {
    /// Whether SQLite may be told to rely on the engine. Not for LIKE, GLOB and ranges: SQLite 3.40.1 splits LIKE into
    /// a term for the module and two ranges, and once these are relied on in a LEFT JOIN it checks the LIKE against
    /// the row of nulls after all and loses it (whereInt TERM_LIKECOND, with SQLITE_LIKE_DOESNT_MATCH_BLOBS).
    var canBeExact: Bool {
        switch self {
        case .equal, .notEqual, .is, .isNot, .isNull, .notNull: true
        case .less, .lessOrEqual, .greater, .greaterOrEqual, .like, .glob, .in: false
        }
    }
}
