internal import EscrowSchema

/// A plan's terms once their right sides are known.
struct ResolvedTerms {
    struct Term {
        /// The position among the plan's terms.
        let position: Int
        let kernel: Kernel
        /// The term in the source's words; nil if it cannot be said in them.
        let predicate: Predicate?
        /// Whether the right side is the same in every scan of the statement.
        let isConstant: Bool
        /// The value, if the term is an equality that an index can look up.
        let key: Operand?
    }

    private(set) var all: [Term] = []
    /// LIMIT and OFFSET together; nil without a limit.
    private(set) var limit: Int?

    /// The terms that hold for every scan of the statement.
    var constants: [Predicate] { all.filter(\.isConstant).compactMap(\.predicate) }

    /// Takes the arguments of xFilter; false if no row can meet the terms.
    mutating func resolve(_ plan: ScanPlan, _ arguments: Arguments, _ kinds: [ValueKind]) -> Bool {
        for (index, term) in plan.terms.enumerated() {
            let kind = kinds[term.column]
            if term.operation == .in {
                guard let list = arguments.list(index) else { continue }
                switch Kernel.resolve(column: term.column, list: list, collation: term.collation, kind: kind)
                {
                case .never: return false
                case .leaveToSQLite: break
                case .kernel(let kernel):
                    let values = list.filter { !$0.isNull }
                    let cells = values.compactMap(\.cell)
                    let isWhole = cells.count == values.count
                    all.append(
                        Term(
                            position: index, kernel: kernel,
                            predicate: isWhole
                                ? Predicate(
                                    column: term.column, operation: .in, values: cells,
                                    collation: term.collation) : nil,
                            isConstant: false, key: nil))
                }
                continue
            }
            let operand = arguments.operand(index)
            let resolution = Kernel.resolve(
                column: term.column, operation: term.operation, collation: term.collation, kind: kind,
                operand: operand)
            switch resolution {
            case .never: return false
            case .leaveToSQLite: break
            case .kernel(let kernel):
                let predicate =
                    term.operation == .isNull || term.operation == .notNull
                    ? Predicate(column: term.column, operation: term.operation, values: [])
                    : operand.predicate(
                        column: term.column, operation: term.operation, collation: term.collation, kind: kind)
                all.append(
                    Term(
                        position: index, kernel: kernel, predicate: predicate,
                        // A term that cannot be part of the held rows' key must be tested each time.
                        isConstant: term.isConstant && predicate != nil,
                        key: key(term, kind, operand)))
            }
        }
        takeLimit(plan, arguments)
        return true
    }

    private func key(_ term: ScanPlan.Term, _ kind: ValueKind, _ operand: Operand) -> Operand? {
        guard term.operation == .equal || term.operation == .is, term.collation == .binary || kind != .text
        else { return nil }
        switch (operand, kind) {
        case (.integer, .integer), (.text, .text): return operand
        default: return nil
        }
    }

    private mutating func takeLimit(_ plan: ScanPlan, _ arguments: Arguments) {
        guard plan.hasLimit, case .integer(let count) = arguments.operand(plan.terms.count), count >= 0 else {
            return
        }
        var total = count
        if plan.hasOffset, case .integer(let skipped) = arguments.operand(plan.terms.count + 1), skipped > 0 {
            let (sum, overflow) = total.addingReportingOverflow(skipped)
            total = overflow ? .max : sum
        }
        limit = Int(total)
    }
}
