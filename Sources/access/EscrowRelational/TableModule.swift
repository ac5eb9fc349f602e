internal import CSQLite
internal import EscrowDiagnostics
internal import EscrowSchema

/// The functions that SQLite calls for our tables: one `sqlite3_module` that outlives every connection.
///
/// `xCreate` is nil, which makes the tables eponymous: `FROM Contacts` works without CREATE VIRTUAL TABLE.
enum TableModule {
    /// Immutable after its one initialization, and SQLite only reads it.
    nonisolated(unsafe) static let module: UnsafePointer<sqlite3_module> = {
        let module = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
        var functions = sqlite3_module()
        functions.iVersion = 1
        functions.xConnect = { db, table, _, _, result, message in connect(db, table, result, message) }
        functions.xBestIndex = { table, info in bestIndex(table, info) }
        functions.xDisconnect = { handle in disconnect(handle) }
        functions.xDestroy = { handle in disconnect(handle) }
        functions.xOpen = { table, cursor in open(table, cursor) }
        functions.xClose = { cursor in close(cursor) }
        functions.xFilter = { cursor, plan, _, count, arguments in filter(cursor, plan, count, arguments) }
        functions.xNext = { cursor in
            let handle = UnsafeMutableRawPointer(cursor!).assumingMemoryBound(to: CursorHandle.self)
            handle.pointee.position &+= 1
            return handle.pointee.position < handle.pointee.count ? SQLITE_OK : refill(handle)
        }
        functions.xEof = { cursor in
            let handle = UnsafeMutableRawPointer(cursor!).assumingMemoryBound(to: CursorHandle.self)
            return handle.pointee.position < handle.pointee.count ? 0 : 1
        }
        functions.xColumn = { cursor, context, column in
            let handle = UnsafeMutableRawPointer(cursor!).assumingMemoryBound(to: CursorHandle.self)
            let storage = handle.pointee.columns + Int(column)
            let row = Int(handle.pointee.rows[handle.pointee.position])
            switch storage.pointee.kind {
            case .absent: break
            case _ where !storage.pointee.view.hasValue(row): break
            case .integer: sqlite3_result_int64(context, storage.pointee.view.integer(row))
            case .real: sqlite3_result_double(context, storage.pointee.view.real(row))
            case .text:
                let bytes = storage.pointee.view.bytes(row)
                csqlite_result_text(context, bytes.baseAddress, UInt64(bytes.count))
            case .blob:
                let bytes = storage.pointee.view.bytes(row)
                csqlite_result_blob(context, bytes.baseAddress, UInt64(bytes.count))
            }
            return SQLITE_OK
        }
        functions.xRowid = { cursor, result in
            let handle = UnsafeMutableRawPointer(cursor!).assumingMemoryBound(to: CursorHandle.self)
            let row = Int(handle.pointee.rows[handle.pointee.position])
            result!.pointee = handle.pointee.rowIDs.integer(row)
            return SQLITE_OK
        }
        module.initialize(to: functions)
        return UnsafePointer(module)
    }()

    static func register(
        _ table: VirtualTable, with db: OpaquePointer, as name: String? = nil
    ) -> Int32 {
        sqlite3_create_module_v2(
            db, name ?? table.spec.name, module, Unmanaged.passRetained(table).toOpaque(),
            { Unmanaged<VirtualTable>.fromOpaque($0!).release() })
    }

    private static func connect(
        _ db: OpaquePointer?, _ table: UnsafeMutableRawPointer?,
        _ result: UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab>?>?,
        _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    ) -> Int32 {
        let object = Unmanaged<VirtualTable>.fromOpaque(table!)
        let status = sqlite3_declare_vtab(db, object.takeUnretainedValue().ddl)
        guard status == SQLITE_OK else { return status }
        _ = csqlite_vtab_config(db, SQLITE_VTAB_DIRECTONLY)
        let handle = UnsafeMutablePointer<TableHandle>.allocate(capacity: 1)
        handle.initialize(to: TableHandle(table: object))
        result!.pointee = UnsafeMutableRawPointer(handle).assumingMemoryBound(to: sqlite3_vtab.self)
        return SQLITE_OK
    }

    private static func disconnect(_ handle: UnsafeMutablePointer<sqlite3_vtab>?) -> Int32 {
        sqlite3_free(handle!.pointee.zErrMsg)
        UnsafeMutableRawPointer(handle!).assumingMemoryBound(to: TableHandle.self).deallocate()
        return SQLITE_OK
    }

    private static func table(_ handle: UnsafeMutablePointer<sqlite3_vtab>?) -> VirtualTable {
        UnsafeMutableRawPointer(handle!).assumingMemoryBound(to: TableHandle.self)
            .pointee.table.takeUnretainedValue()
    }

    private static func bestIndex(
        _ handle: UnsafeMutablePointer<sqlite3_vtab>?, _ info: UnsafeMutablePointer<sqlite3_index_info>?
    ) -> Int32 {
        BestIndex(table: table(handle), info: info!).plan()
    }

    private static func open(
        _ handle: UnsafeMutablePointer<sqlite3_vtab>?,
        _ result: UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab_cursor>?>?
    ) -> Int32 {
        let table = table(handle)
        let scan = CursorScan(table)
        let columns = UnsafeMutablePointer<CursorHandle.Column>.allocate(
            capacity: max(table.columns.count, 1))
        let empty = ColumnChunk.View.empty
        columns.initialize(repeating: CursorHandle.Column(view: empty), count: max(table.columns.count, 1))
        let cursor = UnsafeMutablePointer<CursorHandle>.allocate(capacity: 1)
        cursor.initialize(
            to: CursorHandle(
                rows: CursorScan.noRows, rowIDs: empty, columns: columns, scan: .passRetained(scan)))
        result!.pointee = UnsafeMutableRawPointer(cursor).assumingMemoryBound(to: sqlite3_vtab_cursor.self)
        return SQLITE_OK
    }

    private static func close(_ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?) -> Int32 {
        let handle = UnsafeMutableRawPointer(cursor!).assumingMemoryBound(to: CursorHandle.self)
        handle.pointee.scan.release()
        handle.pointee.columns.deallocate()
        handle.deallocate()
        return SQLITE_OK
    }

    private static func filter(
        _ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?, _ plan: Int32, _ count: Int32,
        _ arguments: UnsafeMutablePointer<OpaquePointer?>?
    ) -> Int32 {
        let handle = UnsafeMutableRawPointer(cursor!).assumingMemoryBound(to: CursorHandle.self)
        let scan = handle.pointee.scan.takeUnretainedValue()
        do throws(Diagnostic) {
            let arguments = Arguments(start: arguments, count: Int(count))
            try scan.start(plan: Int(plan), arguments: arguments)
        } catch {
            return fail(error, scan.table.session)
        }
        return refill(handle)
    }

    /// Makes the next rows ready. Kept out of line: it runs once in some two thousand rows.
    @inline(never)
    private static func refill(_ handle: UnsafeMutablePointer<CursorHandle>) -> Int32 {
        let scan = handle.pointee.scan.takeUnretainedValue()
        handle.pointee.position = 0
        handle.pointee.count = 0
        do throws(Diagnostic) {
            try scan.refill(handle)
            return SQLITE_OK
        } catch {
            handle.pointee.count = 0
            return fail(error, scan.table.session)
        }
    }

    /// Keeps the error for the caller of the statement; SQLite learns only that there was one.
    private static func fail(_ error: Diagnostic, _ session: Session) -> Int32 {
        if session.failure == nil { session.failure = error }
        return SQLITE_ERROR
    }
}
