internal import EscrowDiagnostics

/// Lets one thread at a time use the sources of a session: the one that steps the statement, or one that reads ahead.
///
/// Snapshots and scans are made for one thread, and those of one statement share what they hold: two cursors on one table have
/// one snapshot, tables of one kind what they read together. So one gate stands before all sources of a session.
final class SourceGate: Sendable {
    private let lock = Condition()
    /// Guarded by the lock.
    nonisolated(unsafe) private var isClosed = false

    /// Uses a source while no other thread does. Not to be called again from the body: the gate is no recursive lock. A
    /// source that makes an access of its own has another session, and so another gate.
    func use<Value, Failure: Error>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        lock.lock()
        defer { lock.unlock() }
        return try body()
    }

    /// Reads on unless the gate is closed.
    /// - Throws: E0495 once it is, and what the body throws.
    func read<Value>(_ body: () throws(Diagnostic) -> Value) throws(Diagnostic) -> Value {
        try use { () throws(Diagnostic) in
            guard !isClosed else { throw Diagnostic(.accessCancelled, "the access was cancelled") }
            return try body()
        }
    }

    /// From here on no rows are read; waits for those that are being read.
    func close() {
        lock.lock()
        isClosed = true
        lock.unlock()
    }
}
