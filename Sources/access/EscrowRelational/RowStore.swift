internal import EscrowDiagnostics
internal import EscrowSchema

/// Rows of one table kept in memory, charged to the access's budget for as long as they are.
final class RowStore {
    let table: VirtualTable
    let mask: [Int]
    /// By column of the spec; columns outside the mask hold nothing.
    let views: UnsafeMutablePointer<ColumnChunk.View>
    private let chunk: ColumnChunk
    private(set) var heldBytes = 0

    init(_ table: VirtualTable, columns: ColumnMask) {
        self.table = table
        mask = columns.columns
        chunk = ColumnChunk(spec: table.spec)
        views = .allocate(capacity: max(table.spec.columns.count, 1))
        views.initialize(repeating: .empty, count: max(table.spec.columns.count, 1))
    }

    deinit {
        table.session.governor.release(heldBytes)
        views.deallocate()
    }

    var count: Int { chunk.rowCount }

    /// The rows, valid until the next append.
    var rows: RowOrder.Rows { RowOrder.Rows(views: views, ids: chunk.rowIDs) }

    /// Copies rows; false, with nothing more copied, once they are more than the budget holds.
    func append(_ source: RowOrder.Rows, _ positions: UnsafePointer<UInt32>, _ count: Int) -> Bool {
        var bytes = 0
        for index in 0..<count { bytes += size(source, Int(positions[index])) }
        guard table.session.governor.tryHold(bytes) else { return false }
        heldBytes += bytes
        for index in 0..<count {
            let row = Int(positions[index])
            for column in mask where source.views[column].hasValue(row) {
                switch table.kinds[column] {
                case .integer: chunk.append(source.views[column].integer(row), to: column)
                case .real: chunk.append(source.views[column].real(row), to: column)
                case .text, .blob: chunk.append(source.views[column].bytes(row), to: column)
                case .absent: break
                }
            }
            chunk.endRow(id: source.ids.integer(row))
        }
        for column in mask { views[column] = chunk.view(of: column) }
        return true
    }

    private func size(_ source: RowOrder.Rows, _ row: Int) -> Int {
        // The row's id, and what a sort or an index keeps of it.
        var bytes = 24
        for column in mask {
            switch table.kinds[column] {
            case .integer, .real: bytes += 9
            case .text, .blob: bytes += 5 + source.views[column].bytes(row).count
            case .absent: break
            }
        }
        return bytes
    }

    func overflow() -> Diagnostic {
        let limit = table.session.governor.budget.heldBytes
        return Diagnostic(
            .tooManyRowsHeld, "sorting \(table.spec.name) holds more than \(limit) bytes of rows",
            help: "read fewer columns, narrow the query with WHERE, or add LIMIT")
    }
}
