import EscrowDiagnostics
import EscrowMinimisation
import Foundation
import Testing

@testable import EscrowConsent

/// The last decision is undone, with all that it had done.
@Suite struct UndoTests {
    let scratch = Scratch()
    var store: GrantStore { GrantStore(directory: scratch.path) }

    private static func limited() throws -> GrantTerms {
        var terms = GrantTerms(.always, reason: .settings)
        terms.limit = GrantLimit(coarser: try .init(parsing: ["drop(Contacts.familyName)"]))
        return terms
    }

    /// What stood, what was decided then, and what a dataflow comes to before, between and after.
    @Test(arguments: [
        (before: "yes", last: "no"), ("no", "yes"), ("less", "no"), ("no", "less"), ("less", "yes"),
    ])
    func whatTheLastDecisionReplacedStandsAgain(before: String, last: String) throws {
        func decide(_ word: String) throws -> Grant {
            switch word {
            case "no": try store.deny(.sample, .init(.always, reason: .settings))
            case "less": try store.allow(.sample, Self.limited())
            default: try store.allow(.sample, .init(.always, reason: .settings))
            }
        }
        let first = try decide(before)
        let stood = try store.decide(for: .sample)
        let second = try decide(last)
        #expect(try store.list() == [second])
        let undone = try #require(try store.undo())
        #expect(undone.taken == second && undone.back == [first])
        #expect(try store.list() == [first])
        #expect(try store.decide(for: .sample) == stood)
        // An undo is no decision.
        #expect(try store.undo() == nil)
        #expect(try store.list() == [first])
    }

    @Test func whatComesBackHasItsUses() throws {
        try store.allow(.sample, .init(.uses(3), reason: .settings))
        _ = try store.claim(.sample)
        _ = try store.claim(.sample)
        try store.deny(.sample, .init(.always, reason: .prompt))
        #expect(try store.undo()?.back.first?.useCount == 2)
        #expect(try store.claim(.sample).state == .authorized)
        #expect(try store.claim(.sample).state == .notDetermined)
    }

    /// Uses between a decision and its undo are no change of decisions.
    @Test func aRunBetweenDoesNotEndTheWayBack() throws {
        let first = try store.deny(.sample, .init(.always, reason: .settings))
        try store.allow(.sample, .init(.always, reason: .settings))
        for _ in 0..<3 { _ = try store.claim(.sample) }
        try store.note(.timeOut, to: .sample)
        #expect(try store.undo()?.back == [first])
    }

    @Test func onlyTheLastChangeIsUndone() throws {
        #expect(try store.undo() == nil)
        try store.deny(.sample, .init(.always, reason: .settings))
        let grant = try store.allow(.sample, .init(.always, reason: .settings))
        try store.revoke(grant.id)
        #expect(try store.undo() == nil)
        #expect(try store.list().isEmpty)
        try store.allow(.sample, .init(.always, reason: .settings))
        try store.reset(app: nil, plugin: nil)
        #expect(try store.undo() == nil)
    }

    /// A restored backup is as old as what it had replaced: nothing of that comes back.
    @Test func aRestoredBackupBringsNothingBack() throws {
        try store.allow(.sample, .init(.always, reason: .settings))
        try store.deny(.sample, .init(.always, reason: .settings))
        _ = try store.settleRestored(lacksRecords: true)
        #expect(try store.undo() == nil)
        #expect(try store.decide(for: .sample).state == .denied)
    }

    /// What a file says was replaced must be no decision that stands, and belong to one that does.
    @Test(arguments: [("\"made\": \"g-", "\"made\": \"g-0"), ("\"made\"", "\"by\"")])
    func aFileThatUndoesSomethingElseIsRefused(part: String, changed: String) throws {
        try store.deny(.sample, .init(.always, reason: .settings))
        try store.allow(.sample, .init(.always, reason: .settings))
        let path = scratch.path + "/grants.json"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        try #require(text.contains(part))
        try text.replacingOccurrences(of: part, with: changed).write(
            toFile: path, atomically: true, encoding: .utf8)
        #expect(throws: Diagnostic(.grantsUnreadable, "")) { _ = try store.decide(for: .sample) }
    }
}
