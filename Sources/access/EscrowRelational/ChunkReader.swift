internal import EscrowDiagnostics
internal import EscrowSchema

/// One scan of a source: chunks of rows, filtered by kernels, one chunk used at a time and at most two more read ahead.
final class ChunkReader {
    let table: VirtualTable
    /// Positions of the rows that passed, valid until the next chunk.
    private(set) var selection: UnsafeMutablePointer<UInt32>
    private var capacity = ColumnChunk.rowCapacity
    private let source: ReadAhead
    private var chunk: ColumnChunk
    private let views: UnsafeMutablePointer<ColumnChunk.View>
    private let mask: [Int]
    private let kernels: [Kernel]
    private let plan: Int
    /// Chunks used so far; nil where the source is not to be read ahead.
    private var used: Int?
    private var isDone = false

    /// Rows of the first chunk of a scan without limit: few, so that reading ahead starts soon.
    private static let firstRows = 256

    /// Starts the scan. The first chunks are small, smaller with a limit in the request, and grow.
    init(_ table: VirtualTable, _ request: ScanRequest, kernels: [Kernel], plan: Int) throws(Diagnostic) {
        self.table = table
        self.kernels = kernels
        self.plan = plan
        mask = request.columns.columns
        let snapshot = try table.currentSnapshot()
        let scan = try table.session.gate.use { () throws(Diagnostic) in try snapshot.scan(request) }
        // With a limit nothing is read ahead: it might be in vain.
        used = request.limit == nil ? 0 : nil
        var first = Self.firstRows
        if let limit = request.limit {
            first = min(ColumnChunk.rowCapacity, max(limit, kernels.isEmpty ? 1 : 32))
        }
        source = ReadAhead(scan, spec: table.spec, gate: table.session.gate, wanted: first)
        chunk = source.first
        selection = .allocate(capacity: capacity)
        views = .allocate(capacity: max(table.spec.columns.count, 1))
        views.initialize(repeating: .empty, count: max(table.spec.columns.count, 1))
    }

    deinit {
        source.close()
        selection.deallocate()
        views.deallocate()
    }

    var rows: RowOrder.Rows { RowOrder.Rows(views: UnsafePointer(views), ids: chunk.rowIDs) }

    /// Reads on to the next chunk of which rows pass; returns how many do, nil at the end.
    func next() throws(Diagnostic) -> Int? {
        while !isDone {
            try table.session.governor.check()
            let piece = source.next(chunk)
            (chunk, isDone) = (piece.chunk, piece.isLast)
            if let failure = piece.failure { throw failure }
            let count = chunk.rowCount
            try chunk.checkSizes(table.spec)
            if let used, !isDone {
                // A statement may need only the first chunk, so reading ahead starts with the second full one.
                self.used = used + 1
                if used > 0, chunk.isFull || used > 2 {
                    chunk = source.begin(chunk)
                    self.used = nil
                }
            }
            guard count > 0 else { continue }
            table.session.tallies[plan, default: ScanTally()].scannedRows += count
            let passed = try filter(count)
            if passed > 0 { return passed }
        }
        return nil
    }

    private func filter(_ count: Int) throws(Diagnostic) -> Int {
        if count > capacity {
            selection.deallocate()
            capacity = count
            selection = .allocate(capacity: capacity)
        }
        for row in 0..<count { selection[row] = UInt32(truncatingIfNeeded: row) }
        for column in mask { views[column] = chunk.view(of: column) }
        var passed = count
        for kernel in kernels where passed > 0 {
            try table.session.governor.check()
            passed = kernel.apply(views[kernel.column], selection, passed)
        }
        return passed
    }
}
