import EscrowConsent
import EscrowDiagnostics
import Testing

/// Every state, each with every reason that it can have.
@Suite struct StateTests {
    let scratch = Scratch()
    var store: GrantStore { GrantStore(directory: scratch.path) }
    let sample = DataflowDescription.sample

    @Test func whatOthersRestrictNobodyAllows() throws {
        try store.allow(sample, .init(reason: .settings))
        let decision = try store.decide(for: sample, rules: .rules(.restricted, id: "no-contacts"))
        #expect(decision.state == .restricted && decision.reason == .restriction && !decision.runs)
        #expect(decision.why == "Example School (organisational, school) does not allow it: no-contacts")
        #expect(decision.shownState == .restricted)
    }

    @Test func aRuleThatForbidsWinsOverAGrant() throws {
        try store.allow(sample, .init(reason: .settings))
        let decision = try store.decide(for: sample, rules: .rules(.forbidden, id: "night"))
        #expect(decision.state == .denied && decision.reason == .rule)
        #expect(decision.why == "your rules forbid it: night")
    }

    @Test func aRuleThatPermitsAsksNobodyAndLosesToADenial() throws {
        let permits = try Decision.rules(.permitted, id: "weather")
        let decision = try store.claim(sample, rules: permits)
        #expect(decision.state == .authorized && decision.reason == .rule)
        #expect(decision.grant?.id == "rule:weather")
        // Nothing is stored, and with the rule the permission is gone, for a run under way as well.
        #expect(try store.list().isEmpty)
        #expect(try store.decide(for: sample, claimed: decision.grant).state == .notDetermined)
        try store.deny(sample, .init(reason: .prompt))
        #expect(try store.decide(for: sample, rules: permits).state == .denied)
    }

    @Test func whoDoesNotSayWhatForIsDenied() throws {
        let silent = sample.with { $0.purpose.text = " \u{9}\n" }
        try store.allow(silent, .init(reason: .settings))
        let decision = try store.decide(for: silent)
        #expect(decision.state == .denied && decision.reason == .missingPurpose)
    }

    @Test func aDecisionForOneRunHoldsForThatRunAndFallsToADenial() throws {
        let once = store.once(for: sample, terms: .init(.once, reason: .prompt))
        #expect(try store.decide(for: sample).state == .notDetermined)
        #expect(try store.decide(for: sample, claimed: once).state == .authorized)
        try store.deny(sample, .init(reason: .settings))
        #expect(try store.decide(for: sample, claimed: once).state == .denied)
    }

    @Test func aGrantThatIsRevokedIsGoneForTheRunThatClaimedIt() throws {
        let grant = try store.allow(sample, .init(reason: .settings))
        let claimed = try #require(try store.claim(sample).grant)
        try store.revoke(grant.id)
        #expect(try store.decide(for: sample, claimed: claimed).state == .notDetermined)
    }

    @Test func theAppIsToldNothingOfALimit() throws {
        var terms = GrantTerms(reason: .settings)
        terms.limit = GrantLimit(rows: ["Contacts": .init(condition: "1")])
        try store.allow(sample, terms)
        let decision = try store.decide(for: sample)
        #expect(decision.state == .limited && decision.shownState == .authorized)
        #expect(decision.why == "you allowed less of it, always: Contacts: records that meet your condition")
    }

    @Test func resetTakesBackWhatItNames() throws {
        let other = sample.with { $0.app = "org.example.other" }
        try store.allow(sample, .init(reason: .settings))
        try store.deny(other, .init(reason: .settings))
        try store.note(.no, to: sample)
        #expect(try store.reset(app: sample.app, plugin: nil).map(\.app) == [sample.app])
        #expect(try store.decide(for: sample).reason == .neverAsked)
        #expect(try store.decide(for: other).state == .denied)
        #expect(try store.reset(app: nil, plugin: nil).count == 1)
        #expect(try store.list().isEmpty)
    }

    @Test func exportedDecisionsComeBackElsewhere() throws {
        try store.allow(sample, .init(reason: .settings))
        try store.allow(sample.with { $0.app = "org.example.b" }, .init(.session, reason: .settings))
        try store.deny(sample.with { $0.app = "org.example.c" }, .init(.today, reason: .prompt))
        let bytes = try store.export()
        let elsewhere = Scratch()
        let other = GrantStore(directory: elsewhere.path)
        try other.deny(sample, .init(reason: .settings))
        let grants = try other.read(exported: bytes, name: "file")
        // That run of the app is of another place.
        #expect(grants.map(\.app) == ["org.example.notes", "org.example.c"])
        #expect(try other.add(grants).count == 2)
        #expect(try other.add(grants).isEmpty)
        #expect(try other.decide(for: sample).state == .denied)
        #expect(throws: Diagnostic(.notAnExport, "")) {
            try other.read(exported: Array("{}".utf8), name: "file")
        }
    }
}
