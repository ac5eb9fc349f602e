internal import EscrowDiagnostics
import EscrowFiles

/// Lets one thread at a time use the sources of a session: the one that steps the statement, or one that reads ahead.
///
/// Snapshots and scans are made for one thread and share state: two cursors on one table have one snapshot, and tables of one
/// kind share what they read. So one gate stands before all sources of a session.
final class SourceGate: Sendable {
    private let lock = Condition()
    /// Guarded by the lock.
    nonisolated(unsafe) private var isClosed = false

    /// Uses a source while no other thread does. The gate is not recursive; a source that makes an access of its own has another
    /// session, and so another gate.
    func use<Value, Failure: Error>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        lock.lock()
        defer { lock.unlock() }
        return try body()
    }

    /// Reads on unless the gate is closed.
    func read<Value>(_ body: () throws(Diagnostic) -> Value) throws(Diagnostic) -> Value {
        try use { () throws(Diagnostic) in
            guard !isClosed else { throw Diagnostic(.accessCancelled, "the access was cancelled") }
            return try body()
        }
    }

    /// Waits for the read under way and forbids further ones.
    func close() {
        lock.lock()
        isClosed = true
        lock.unlock()
    }
}
