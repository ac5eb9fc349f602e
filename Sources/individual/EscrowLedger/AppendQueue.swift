import Dispatch
import EscrowDiagnostics
import EscrowJSON
import Synchronization

struct Append: Sendable {
    let kind: LedgerEntry.Kind
    let run: String?
    let fields: JSONValue
}

enum AppendOutcome: Sendable {
    case written(LedgerEntry)
    /// It does not fit the ledger; the others of its batch were written.
    case refused(Diagnostic)
}

/// Appends of several threads, brought together: while one waits for the disk, the others queue up, and all of them
/// become durable with the next wait.
final class AppendQueue: Sendable {
    private final class Ticket: Sendable {
        let append: Append
        let ready = DispatchSemaphore(value: 0)
        let outcome = Mutex<AppendOutcome?>(nil)

        init(_ append: Append) { self.append = append }
    }

    private struct State {
        var waiting: [Ticket] = []
        var isLed = false
    }
    private let state = Mutex(State())

    /// The most appends of one batch, so that its checkpoint comes soon.
    static let most = 256

    /// Appends by `write`, in one batch with whatever else waits. When `write` throws, the whole batch gets the error.
    func append(
        _ append: Append, _ write: ([Append]) throws(Diagnostic) -> [AppendOutcome]
    ) throws(Diagnostic) -> LedgerEntry {
        let ticket = Ticket(append)
        let leads = state.withLock { state in
            state.waiting.append(ticket)
            defer { state.isLed = true }
            return !state.isLed
        }
        // Woken with an outcome, or without one to lead the next batch.
        if !leads { ticket.ready.wait() }
        if ticket.outcome.withLock({ $0 == nil }) { lead(write) }
        switch ticket.outcome.withLock({ $0 }) {
        case .written(let entry)?: return entry
        case .refused(let diagnostic)?: throw diagnostic
        case nil: throw .unwritable("it was not written with its batch")
        }
    }

    /// Writes the batch that waits, wakes its threads, and lets the first of those who came meanwhile lead the next one.
    private func lead(_ write: ([Append]) throws(Diagnostic) -> [AppendOutcome]) {
        let batch = state.withLock { state in
            defer { state.waiting.removeFirst(min(Self.most, state.waiting.count)) }
            return Array(state.waiting.prefix(Self.most))
        }
        let outcomes: [AppendOutcome]
        do throws(Diagnostic) {
            outcomes = try write(batch.map(\.append))
        } catch {
            outcomes = batch.map { _ in .refused(error) }
        }
        for (ticket, outcome) in zip(batch, outcomes) { ticket.outcome.withLock { $0 = outcome } }
        let next = state.withLock { state in
            state.isLed = !state.waiting.isEmpty
            return state.waiting.first
        }
        next?.ready.signal()
        for ticket in batch { ticket.ready.signal() }
    }
}
