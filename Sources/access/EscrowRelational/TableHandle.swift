internal import CSQLite

/// What SQLite holds for a connected table; begins with SQLite's own part.
struct TableHandle {
    var base = sqlite3_vtab()
    var table: Unmanaged<VirtualTable>
}
