package import EscrowDiagnostics
package import EscrowSchema
internal import Synchronization

/// Reads a kind's files once for all tables of a statement: a join of two tables over one address book must not copy it
/// twice, or see it change in between.
///
/// Each statement has an asset table of its own, which names it here. Nothing is kept alive: a value goes with the last
/// snapshot that holds it.
package final class StatementShare: Sendable {
    /// One thread at a time uses a statement's sources, so it alone uses the value that is found under its key.
    private struct Slot: @unchecked Sendable {
        weak var statement: AssetTable?
        weak var value: AnyObject?
    }

    private struct Found<Value>: @unchecked Sendable { let value: Value? }

    private let slot = Mutex(Slot())

    /// What another table of the statement made already, or a new one.
    package func value<Value: AnyObject>(
        for statement: AssetTable, make: () throws(Diagnostic) -> Value
    ) throws(Diagnostic) -> Value {
        let key = ObjectIdentifier(statement)
        let found = slot.withLock { slot in
            guard let known = slot.statement, ObjectIdentifier(known) == key else {
                return Found<Value>(value: nil)
            }
            return Found(value: slot.value as? Value)
        }
        if let value = found.value { return value }
        let fresh = try make()
        let entry = Slot(statement: statement, value: fresh)
        slot.withLock { $0 = entry }
        return fresh
    }
}
