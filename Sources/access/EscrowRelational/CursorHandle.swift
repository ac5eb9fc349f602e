internal import CSQLite
internal import EscrowSchema

/// What SQLite holds for a cursor; begins with SQLite's own part. Plain data on purpose: objects, arrays and strings
/// on the way of each cell cost a third of all time in retain and release.
struct CursorHandle {
    struct Column {
        var kind = ValueKind.absent
        var view: ColumnChunk.View
    }

    var base = sqlite3_vtab_cursor()
    /// The current row, as a position in `rows`.
    var position = 0
    /// Rows ready; 0 at the end.
    var count = 0
    /// Positions of the ready rows in the columns' memory.
    var rows: UnsafePointer<UInt32>
    var rowIDs: ColumnChunk.View
    /// By column of the DDL.
    var columns: UnsafeMutablePointer<Column>
    var scan: Unmanaged<CursorScan>
}
