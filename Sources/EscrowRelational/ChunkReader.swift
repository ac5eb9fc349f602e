internal import EscrowDiagnostics
internal import EscrowSchema

/// One scan of a source: chunks of rows, filtered by kernels, one chunk in memory at a time.
final class ChunkReader {
    let table: VirtualTable
    /// Positions of the rows that passed, valid until the next chunk.
    private(set) var selection: UnsafeMutablePointer<UInt32>
    private var capacity = ColumnChunk.rowCapacity
    private let scan: any TableScan
    private let chunk: ColumnChunk
    private let views: UnsafeMutablePointer<ColumnChunk.View>
    private let mask: [Int]
    private let kernels: [Kernel]
    private let plan: Int
    private var wanted: Int
    private var isDone = false

    /// Starts the scan. With a limit in the request the first chunks are small, and grow.
    init(_ table: VirtualTable, _ request: ScanRequest, kernels: [Kernel], plan: Int) throws(Diagnostic) {
        self.table = table
        self.kernels = kernels
        self.plan = plan
        mask = request.columns.columns
        scan = try table.currentSnapshot().scan(request)
        chunk = ColumnChunk(spec: table.spec)
        wanted = ColumnChunk.rowCapacity
        if let limit = request.limit { wanted = min(wanted, max(limit, kernels.isEmpty ? 1 : 32)) }
        selection = .allocate(capacity: capacity)
        views = .allocate(capacity: max(table.spec.columns.count, 1))
        views.initialize(repeating: .empty, count: max(table.spec.columns.count, 1))
    }

    deinit {
        selection.deallocate()
        views.deallocate()
    }

    /// The rows of the current chunk.
    var rows: RowOrder.Rows { RowOrder.Rows(views: UnsafePointer(views), ids: chunk.rowIDs) }

    /// Reads on to the next chunk of which rows pass; returns how many do, nil at the end.
    /// - Throws: what the source throws, and E0492, E0495, E0496.
    func next() throws(Diagnostic) -> Int? {
        while !isDone {
            try table.session.governor.check()
            chunk.removeAll()
            chunk.wantedRows = wanted
            wanted = min(wanted * 4, ColumnChunk.rowCapacity)
            // A source may say "no more" along with the last rows.
            isDone = try !scan.next(into: chunk)
            let count = chunk.rowCount
            if let column = chunk.oversizedColumn { throw oversized(column) }
            guard count > 0 else { continue }
            table.session.tallies[plan, default: ScanTally()].scannedRows += count
            let passed = filter(count)
            if passed > 0 { return passed }
        }
        return nil
    }

    private func filter(_ count: Int) -> Int {
        if count > capacity {
            selection.deallocate()
            capacity = count
            selection = .allocate(capacity: capacity)
        }
        for row in 0..<count { selection[row] = UInt32(truncatingIfNeeded: row) }
        for column in mask { views[column] = chunk.view(of: column) }
        var passed = count
        for kernel in kernels where passed > 0 {
            passed = kernel.apply(views[kernel.column], selection, passed)
        }
        return passed
    }

    private func oversized(_ column: Int) -> Diagnostic {
        Diagnostic(
            "E0496",
            "a value of \(table.spec.name).\(table.spec.columns[column].name) is longer than "
                + "\(ColumnChunk.valueCapacity) bytes",
            help: "leave the column out of the query")
    }
}
