internal import EscrowDiagnostics
internal import EscrowSchema

/// The rows of one cursor: what xFilter started and xNext draws from.
final class CursorScan {
    let table: VirtualTable
    private var mode = Mode.finished
    private var plan = 0
    private var request = ScanRequest(columns: ColumnMask(bits: 0))
    private var kernels: [Kernel] = []
    private var slice: UnsafeMutablePointer<UInt32>?
    /// Keeps alive what the cursor points into.
    private var sorted: [UInt32] = []
    private var lookedUp: HeldTable?

    private enum Mode {
        case finished
        /// Chunks as the source yields them.
        case stream(ChunkReader)
        /// Held rows: all, or those of a lookup; filtered by the kernels a slice at a time.
        case held(RowStore, UnsafeBufferPointer<UInt32>?, at: Int)
        /// Sorted rows; `continues` if there may be more behind them.
        case sorted(RowStore, isDelivered: Bool, continues: Bool)
    }

    /// The most rows that are picked in a bounded buffer; a larger LIMIT sorts fully.
    private static let topCapacity = 10_000

    init(_ table: VirtualTable) { self.table = table }

    deinit { slice?.deallocate() }

    /// Where a cursor without rows points. Never read or written.
    nonisolated(unsafe) static let noRows = UnsafePointer(UnsafeMutablePointer<UInt32>.allocate(capacity: 1))

    /// Starts anew with a plan and its arguments.
    func start(plan number: Int, arguments: Arguments) throws(Diagnostic) {
        mode = .finished
        sorted = []
        let session = table.session
        guard session.plans.indices.contains(number) else { return }
        let scan = session.plans[number]
        plan = number
        session.tallies[number, default: ScanTally()].scans += 1
        var terms = ResolvedTerms()
        guard terms.resolve(scan, arguments, table.kinds) else { return }
        request = ScanRequest(columns: scan.columns, predicates: terms.all.compactMap(\.predicate))
        kernels = terms.all.map(\.kernel)
        if let held = try session.held(
            StoreKey(table: scan.table, columns: scan.columns, predicates: terms.constants),
            kernels: terms.all.filter(\.isConstant).map(\.kernel), plan: number), let store = held.store
        {
            try serve(held, store, terms, order: scan.order)
        } else {
            try read(scan, terms)
        }
    }

    private func serve(
        _ held: HeldTable, _ store: RowStore, _ terms: ResolvedTerms, order: [OrderTerm]
    ) throws(Diagnostic) {
        lookedUp = held
        var varying = terms.all.filter { !$0.isConstant }
        var found: UnsafeBufferPointer<UInt32>?
        if let key = varying.firstIndex(where: { $0.key != nil }), let operand = varying[key].key {
            found = held.lookup(varying[key].kernel.column, operand, in: store)
            varying.remove(at: key)
            table.session.tallies[plan]?.lookups += 1
        }
        table.session.tallies[plan]?.heldScans += 1
        kernels = varying.map(\.kernel)
        mode = .held(store, found, at: 0)
        guard !order.isEmpty else { return }
        var rows: [UInt32] = []
        while let (positions, count) = try nextSlice() {
            rows.append(contentsOf: UnsafeBufferPointer(start: positions, count: count))
        }
        RowOrder(terms: order, kinds: table.kinds).sort(&rows, of: store.rows)
        sorted = rows
        mode = .sorted(store, isDelivered: false, continues: false)
    }

    private func read(_ scan: ScanPlan, _ terms: ResolvedTerms) throws(Diagnostic) {
        let limit = terms.limit
        var ordered = request
        ordered.order = scan.order
        ordered.limit = limit
        let snapshot = try table.currentSnapshot()
        let known = try table.session.gate.use { () throws(Diagnostic) in try snapshot.offer(for: ordered) }
        let offer = known ?? table.source.offer(for: ordered)
        var prunes = [Bool](repeating: false, count: scan.terms.count)
        let positions = terms.all.filter { $0.predicate != nil }.map(\.position)
        for (position, isUsed) in zip(positions, offer.prunes) { prunes[position] = isUsed }
        table.session.tallies[plan]?.prunes = prunes
        guard scan.order.isEmpty || offer.servesOrder else {
            table.session.tallies[plan]?.sourceOrder = false
            return try sort(scan, limit: limit.flatMap { $0 <= Self.topCapacity ? max($0, 1) : nil })
        }
        table.session.tallies[plan]?.sourceOrder = scan.order.isEmpty ? nil : true
        mode = .stream(try ChunkReader(table, ordered, kernels: kernels, plan: plan))
    }

    private func sort(_ scan: ScanPlan, limit: Int?) throws(Diagnostic) {
        let top = TopRows(
            order: RowOrder(terms: scan.order, kinds: table.kinds), table: table, columns: scan.columns)
        let reader = try ChunkReader(table, request, kernels: kernels, plan: plan)
        let (store, rows) = try top.pick(limit, from: reader, after: nil)
        sorted = rows
        if limit != nil { table.session.tallies[plan]?.topRows = true }
        mode = .sorted(store, isDelivered: false, continues: rows.count == limit)
    }

    /// Sorts the rows behind those delivered, where SQLite filtered some out and asks for more than LIMIT. Compares by value
    /// with the last row delivered, so that nothing is repeated or lost.
    private func goOn(after store: RowStore) throws(Diagnostic) {
        let scan = table.session.plans[plan]
        guard let last = sorted.last else { return mode = .finished }
        let top = TopRows(
            order: RowOrder(terms: scan.order, kinds: table.kinds), table: table, columns: scan.columns)
        let reader = try ChunkReader(table, request, kernels: kernels, plan: plan)
        let (rest, rows) = try top.pick(nil, from: reader, after: (store, Int(last)))
        sorted = rows
        mode = .sorted(rest, isDelivered: false, continues: false)
    }

    /// Points the cursor at the next rows; leaves it without rows at the end.
    func refill(_ handle: UnsafeMutablePointer<CursorHandle>) throws(Diagnostic) {
        switch mode {
        case .finished: return
        case .stream(let reader):
            guard let count = try reader.next() else { return mode = .finished }
            point(handle, at: reader.rows, UnsafePointer(reader.selection), count)
        case .held(let store, _, _):
            guard let (positions, count) = try nextSlice() else { return mode = .finished }
            point(handle, at: store.rows, positions, count)
        case .sorted(let store, true, let continues):
            guard continues else { return mode = .finished }
            try goOn(after: store)
            try refill(handle)
        case .sorted(let store, false, let continues):
            mode = .sorted(store, isDelivered: true, continues: continues)
            guard !sorted.isEmpty else { return mode = .finished }
            // The array is not touched before the next start, and the cursor reads no further than its count.
            let positions = sorted.withUnsafeBufferPointer { $0.baseAddress! }
            point(handle, at: store.rows, positions, sorted.count)
        }
    }

    /// The next held rows that pass the kernels; nil at the end.
    private func nextSlice() throws(Diagnostic) -> (UnsafePointer<UInt32>, Int)? {
        guard case .held(let store, let found, var at) = mode else { return nil }
        let total = found?.count ?? store.count
        let buffer = slice ?? .allocate(capacity: ColumnChunk.rowCapacity)
        slice = buffer
        while at < total {
            let size = min(ColumnChunk.rowCapacity, total - at)
            for index in 0..<size {
                buffer[index] = found?[at + index] ?? UInt32(truncatingIfNeeded: at + index)
            }
            at += size
            var passed = size
            for kernel in kernels where passed > 0 {
                try table.session.governor.check()
                passed = kernel.apply(store.views[kernel.column], buffer, passed)
            }
            mode = .held(store, found, at: at)
            if passed > 0 { return (UnsafePointer(buffer), passed) }
        }
        return nil
    }

    private func point(
        _ handle: UnsafeMutablePointer<CursorHandle>, at rows: RowOrder.Rows,
        _ positions: UnsafePointer<UInt32>, _ count: Int
    ) {
        handle.pointee.rows = positions
        handle.pointee.count = count
        handle.pointee.rowIDs = rows.ids
        for (index, column) in table.columns.enumerated() {
            guard request.columns.contains(column) else { continue }
            handle.pointee.columns[index] = CursorHandle.Column(
                kind: table.kinds[column], view: rows.views[column])
        }
        table.session.tallies[plan]?.passedRows += count
    }
}
