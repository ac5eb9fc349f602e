import EscrowConsent
import EscrowDiagnostics
import Foundation
import Synchronization
import Testing

/// A change and its record: whatever a crash leaves, the two agree at the next opening.
@Suite struct GrantCrashTests {
    /// A ledger that can end the process, as it were, before or after it wrote a record.
    final class Journal: GrantJournal {
        enum Crash: Equatable { case never, before, after }
        struct State {
            var crash = Crash.never
            var records: [String] = []
            var repairs: [Bool] = []
        }
        let state = Mutex(State())

        func record(_ change: GrantChange) throws(Diagnostic) {
            let crashes = state.withLock { state in
                if state.crash != .before { state.records.append(change.id) }
                return state.crash != .never
            }
            if crashes { throw Diagnostic(.ownFault, "the process ended") }
        }

        func hasRecord(of id: String) -> Bool { state.withLock { $0.records.contains(id) } }

        func recordRepair(of id: String, wasCompleted: Bool) {
            state.withLock { $0.repairs.append(wasCompleted) }
        }
    }

    let scratch = Scratch()
    let journal = Journal()
    var store: GrantStore { GrantStore(directory: scratch.path, journal: journal) }
    let sample = DataflowDescription.sample

    @Test func aChangeThatWasNotRecordedNeverWas() throws {
        try store.allow(sample, .init(reason: .settings))
        journal.state.withLock { $0.crash = .before }
        #expect(throws: Diagnostic(.ownFault, "")) { try store.deny(sample, .init(reason: .settings)) }
        #expect(try store.decide(for: sample).state == .authorized)
        #expect(journal.state.withLock { $0.repairs } == [false])
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: scratch.path).sorted() == [
                "grants.json", "grants.lock",
            ])
    }

    @Test func aChangeThatWasRecordedIsCompleted() throws {
        try store.allow(sample, .init(reason: .settings))
        journal.state.withLock { $0.crash = .after }
        #expect(throws: Diagnostic(.ownFault, "")) { try store.deny(sample, .init(reason: .settings)) }
        // The first question after the crash sees the denial.
        #expect(try store.decide(for: sample).state == .denied)
        #expect(journal.state.withLock { $0.repairs } == [true])
        #expect(try store.list().count == 1)
    }

    @Test func aDraftThatCannotBeReadStopsEverything() throws {
        try store.allow(sample, .init(reason: .settings))
        try Data("{".utf8).write(to: URL(fileURLWithPath: scratch.path + "/grants.next"))
        #expect(throws: Diagnostic(.grantsUnreadable, "")) { _ = try store.decide(for: sample) }
    }

    @Test func everyChangeIsRecordedAndNoUseIs() throws {
        let grant = try store.allow(sample, .init(reason: .settings))
        _ = try store.claim(sample)
        try store.note(.no, to: sample)
        #expect(journal.state.withLock { $0.records.count } == 1)
        try store.note(.no, to: sample)
        #expect(journal.state.withLock { $0.records.count } == 2)
        #expect(throws: Diagnostic(.noSuchGrant, "")) { try store.revoke(grant.id) }
        try store.reset(app: nil, plugin: nil)
        #expect(journal.state.withLock { $0.records.count } == 3)
    }
}
