internal import CSQLite
internal import EscrowDiagnostics
internal import Synchronization

/// A connection that a long-lived process opens before an access needs it: opening one, locking it down and reading its empty
/// schema takes about as long as preparing a small query.
///
/// It holds no table, statement or value, and serves one access before it is closed, so nothing of one access reaches another.
public final class SpareConnection: Sendable {
    /// `@unchecked`: handed over under a lock.
    private struct Ready: @unchecked Sendable {
        let db: OpaquePointer
    }

    private let waiting = Mutex<Ready?>(nil)

    public init() {}

    deinit {
        if let ready = waiting.withLock({ $0 }) { sqlite3_close(ready.db) }
    }

    /// Opens the next connection if none waits. Called when nobody waits for an answer.
    public func refill() {
        guard waiting.withLock({ $0 == nil }) else { return }
        // A failure shows again where an access opens its own, and is reported there.
        guard let db = try? Lockdown.open() else { return }
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

    /// The waiting connection, or a new one.
    func take() throws(Diagnostic) -> OpaquePointer {
        let ready = waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        if let ready { return ready.db }
        return try Lockdown.open()
    }
}
