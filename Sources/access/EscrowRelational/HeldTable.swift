internal import EscrowDiagnostics
internal import EscrowSchema

/// Rows that a statement reads again and again, an inner loop of a join for example, with sorted indexes for
/// equality. SQLite builds no automatic index on a virtual table.
final class HeldTable {
    private(set) var store: RowStore?
    private var uses = 0
    private var isTooLarge = false
    private var indexes: [Int: UnsafeMutableBufferPointer<UInt32>] = [:]

    deinit {
        for index in indexes.values { index.deallocate() }
    }

    /// Counts a use; from the second on the rows are held, unless they are too many for the budget: then each use
    /// scans the source anew, in bounded memory.
    func prepare(_ key: StoreKey, kernels: [Kernel], plan: Int, in session: Session) throws(Diagnostic) {
        uses += 1
        guard uses > 1, store == nil, !isTooLarge else { return }
        let table = session.tables[key.table]
        let request = ScanRequest(columns: key.columns, predicates: key.predicates)
        let reader = try ChunkReader(table, request, kernels: kernels, plan: plan)
        let fresh = RowStore(table, columns: key.columns)
        while let count = try reader.next() {
            guard fresh.append(reader.rows, reader.selection, count) else {
                isTooLarge = true
                return
            }
        }
        store = fresh
    }

    /// The positions of the rows whose column equals the value, in the order of the rows, by binary search in an
    /// index that is sorted on first use.
    func lookup(_ column: Int, _ operand: Operand, in store: RowStore) -> UnsafeBufferPointer<UInt32> {
        let index = index(column, of: store)
        let lower = Self.partition(index) { Self.compare(store, column, $0, operand) < 0 }
        let upper = Self.partition(index) { Self.compare(store, column, $0, operand) <= 0 }
        return UnsafeBufferPointer(rebasing: UnsafeBufferPointer(index)[lower..<upper])
    }

    private func index(_ column: Int, of store: RowStore) -> UnsafeMutableBufferPointer<UInt32> {
        if let known = indexes[column] { return known }
        var positions = Array(0..<UInt32(store.count))
        RowOrder(terms: [OrderTerm(column: column)], kinds: store.table.kinds).sort(
            &positions, of: store.rows)
        let fresh = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: positions.count)
        _ = fresh.initialize(from: positions)
        indexes[column] = fresh
        return fresh
    }

    /// How many leading elements meet the condition, which no later one does.
    private static func partition(
        _ index: UnsafeMutableBufferPointer<UInt32>, _ belongs: (Int) -> Bool
    ) -> Int {
        var low = 0
        var high = index.count
        while low < high {
            let middle = (low + high) / 2
            if belongs(Int(index[middle])) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private static func compare(_ store: RowStore, _ column: Int, _ row: Int, _ operand: Operand) -> Int {
        let view = store.views[column]
        guard view.hasValue(row) else { return -1 }
        switch operand {
        case .integer(let value): return compareValues(view.integer(row), value)
        case .text(let value), .blob(let value):
            return value.withUnsafeBytes { compareBytes(view.bytes(row), $0) }
        case .real, .null: return -1
        }
    }
}

/// Which rows and columns are held: those of a table that meet the statement's constant terms.
struct StoreKey: Hashable {
    let table: Int
    let columns: ColumnMask
    let predicates: [Predicate]
}
