package import EscrowDiagnostics
package import EscrowSchema
internal import Synchronization

/// What the tables of one kind read for one statement, read once for all of them: Thunderbird's address book serves four tables,
/// and a join of two of them would copy it twice, and might find it changed in between.
///
/// A statement is told by its table of assets, which each has for itself. Nothing is kept alive here: what was shared goes with the
/// last snapshot that holds it.
package final class StatementShare: Sendable {
    /// A statement's sources are used by one thread at a time, so what is found under its own key is that thread's for now.
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
