internal import CSQLite
internal import EscrowDiagnostics
internal import Synchronization

/// A connection that is opened before an access needs it, for a process that stays: to open one, to lock it down and to
/// have it read its empty schema takes about as long as to prepare a small query.
///
/// What waits here is as new as one that is opened on the spot: it was given no table, no statement of anybody's and no
/// value, and each connection serves one access and is closed. So nothing of an access can be left in it for another, be
/// it of another app.
public final class SpareConnection: Sendable {
    /// Opened, locked down, with the functions that are the same for all. One thread at a time holds it: it is handed over
    /// under a lock.
    private struct Ready: @unchecked Sendable {
        let db: OpaquePointer
    }

    private let waiting = Mutex<Ready?>(nil)

    /// No connection yet.
    public init() {}

    deinit {
        if let ready = waiting.withLock({ $0 }) { sqlite3_close(ready.db) }
    }

    /// Opens the next connection if none waits: in a moment in which nobody waits for an answer.
    public func refill() {
        guard waiting.withLock({ $0 == nil }) else { return }
        // What fails here fails again where an access opens its own, and is told there.
        guard let db = try? Self.open() else { return }
        // As SQLite does before the first statement: it reads the schema of the empty database.
        var statement: OpaquePointer?
        sqlite3_prepare_v2(db, "SELECT 1 FROM sqlite_schema", -1, &statement, nil)
        sqlite3_finalize(statement)
        let ready = Ready(db: db)
        let isKept = waiting.withLock { waiting in
            guard waiting == nil else { return false }
            waiting = ready
            return true
        }
        if !isKept { sqlite3_close(db) }
    }

    /// A connection that nobody else ever had; opened now if none waits.
    /// - Throws: E0494, E0498.
    func take() throws(Diagnostic) -> OpaquePointer {
        let ready = waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        if let ready { return ready.db }
        return try Self.open()
    }

    /// Opens a connection: everything about it that no access decides.
    /// - Throws: E0494, E0498.
    static func open() throws(Diagnostic) -> OpaquePointer {
        let db = try Lockdown.open()
        guard BoundedFunctions.install(on: db) else {
            sqlite3_close(db)
            throw noFunctions
        }
        return db
    }

    static let noFunctions = Diagnostic(
        .sqliteUnfit, "SQLite does not take our functions, and without them no query is run")
}
