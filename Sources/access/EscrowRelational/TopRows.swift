internal import EscrowDiagnostics
internal import EscrowSchema

/// The first rows of an order, picked in a buffer that never holds more than a few times as many; or, without a
/// number, all rows sorted.
struct TopRows {
    let order: RowOrder
    let table: VirtualTable
    let columns: ColumnMask

    /// Reads all rows that come after `last` and keeps the first `count` of them, or all.
    func pick(
        _ count: Int?, from reader: ChunkReader, after last: (store: RowStore, row: Int)?
    ) throws(Diagnostic) -> (store: RowStore, sorted: [UInt32]) {
        var store = RowStore(table, columns: columns)
        var bound: (store: RowStore, row: Int)?
        while var passed = try reader.next() {
            if let last {
                passed = compact(reader, passed) {
                    order.compare(reader.rows, $0, last.store.rows, last.row) > 0
                }
            }
            if let bound {
                passed = compact(reader, passed) {
                    order.compare(reader.rows, $0, bound.store.rows, bound.row) < 0
                }
            }
            guard store.append(reader.rows, reader.selection, passed) else { throw store.overflow() }
            if let count, store.count >= 2 * count + ColumnChunk.rowCapacity {
                store = try truncated(store, to: count)
                bound = (store, count - 1)
            }
        }
        var sorted = Array(0..<UInt32(store.count))
        order.sort(&sorted, of: store.rows)
        if let count, sorted.count > count { sorted.removeLast(sorted.count - count) }
        return (store, sorted)
    }

    private func compact(_ reader: ChunkReader, _ count: Int, _ keep: (Int) -> Bool) -> Int {
        var kept = 0
        for index in 0..<count where keep(Int(reader.selection[index])) {
            reader.selection[kept] = reader.selection[index]
            kept += 1
        }
        return kept
    }

    private func truncated(_ store: RowStore, to count: Int) throws(Diagnostic) -> RowStore {
        var sorted = Array(0..<UInt32(store.count))
        order.sort(&sorted, of: store.rows)
        let fresh = RowStore(table, columns: columns)
        guard fresh.append(store.rows, sorted, count) else { throw store.overflow() }
        return fresh
    }
}
