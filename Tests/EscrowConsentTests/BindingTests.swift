import EscrowConsent
import EscrowDiagnostics
import EscrowManifest
import EscrowMinimisation
import Foundation
import Testing

/// What a decision is bound to, and what it says where that changes.
@Suite struct BindingTests {
    let scratch = Scratch()
    var store: GrantStore { GrantStore(directory: scratch.path) }
    let sample = DataflowDescription.sample

    func version(_ version: String, digest: String = "sha256:bb") -> DataflowDescription {
        sample.with {
            $0.plugin.version = version
            $0.plugin.manifestDigest = digest
        }
    }

    @Test func aWiderVersionAsksAgainWithTheDifference() throws {
        let grant = try store.allow(sample, .init(reason: .prompt))
        let wider = version("1.3.0").with { $0.reads[0].returned.append("birthday") }
        let decision = try store.decide(for: wider)
        #expect(decision.state == .notDetermined && decision.reason == .changedPlugin)
        #expect(
            decision.why
                == "version 1.3.0 is more than 1.2.0, which you allowed on \(grant.createdAt.prefix(10)): "
                + "it also reads Contacts.birthday")
    }

    @Test func aNarrowerVersionDoesNotAsk() throws {
        try store.allow(sample, .init(reason: .prompt))
        let narrower = version("1.3.0").with { $0.reads[0].returned = ["id"] }
        #expect(try store.decide(for: narrower).state == .authorized)
    }

    @Test func aPinnedGrantIsForItsVeryVersion() throws {
        var terms = GrantTerms(reason: .settings)
        terms.isPinned = true
        try store.allow(sample, terms)
        #expect(try store.claim(sample).state == .authorized)
        let decision = try store.decide(for: version("1.2.0"))
        #expect(decision.reason == .changedPlugin)
        #expect(decision.why.hasSuffix("it is not the very version that you allowed"))
    }

    @Test func aRangeOfVersionsHoldsWithinItAlone() throws {
        var terms = GrantTerms(reason: .settings)
        terms.versions = VersionRange(from: SemanticVersion("1.1.0"), below: SemanticVersion("2.0.0"))
        try store.allow(sample, terms)
        for (text, isAllowed) in [("1.0.9", false), ("1.1.0", true), ("1.99.0", true), ("2.0.0", false)] {
            #expect(try store.decide(for: version(text)).runs == isAllowed, "\(text)")
        }
        #expect(
            try store.decide(for: version("2.0.0")).why.hasSuffix(
                "you allowed versions from 1.1.0 and below 2.0.0"))
    }

    @Test func aParameterThatWasNamedMustHaveItsValue() throws {
        var terms = GrantTerms(reason: .settings)
        terms.arguments = ["region": "DE"]
        try store.allow(sample, terms)
        #expect(try store.decide(for: sample.with { $0.arguments = ["region": "DE"] }).runs)
        let other = try store.decide(for: sample.with { $0.arguments = ["region": "FR"] })
        #expect(other.why == "it is more than you allowed before: it is told another region")
    }

    @Test func whatIsLessWinsWhateverTheOrder() throws {
        var terms = GrantTerms(reason: .settings)
        terms.limit = GrantLimit(rows: ["Contacts": .init(ids: ["a"])])
        let wider = sample.with { $0.reads[0].returned.append("birthday") }
        try store.allow(wider, .init(reason: .settings))
        try store.allow(sample, terms)
        #expect(try store.decide(for: sample).limit == terms.limit)
        #expect(try store.decide(for: wider).state == .authorized)
        // To allow all of it takes the limit back.
        try store.allow(sample, .init(reason: .settings))
        #expect(try store.decide(for: sample).state == .authorized)
    }

    @Test func everyTermComesBackFromTheFile() throws {
        var terms = GrantTerms(.uses(7), reason: .settings)
        terms.isPinned = true
        terms.versions = VersionRange(from: SemanticVersion("1.0.0"))
        terms.arguments = ["region": "DE \" \\"]
        terms.budget = EgressBudget(bitsPerDay: 3)
        terms.limit = GrantLimit(
            rows: [
                "Contacts": .init(
                    ids: ["x", "y"], condition: "familyName = 'O''Neill'", first: 100, newestBy: "birthday")
            ],
            coarser: try .init(parsing: ["drop(Contacts.note)"]))
        let given = try store.allow(sample, terms)
        #expect(try store.list() == [given])
        var denial = GrantTerms(.until(ConsentTime("2030-01-01T00:00:00Z")!), reason: .prompt)
        denial.looksEmpty = true
        let denied = try store.deny(sample, denial)
        #expect(try store.list() == [given, denied])
    }

    @Test(arguments: [
        ("\"state\": \"limited\"", "\"state\": \"authorized\""), ("\"uses\": 7", "\"uses\": -1"),
        ("\"scope\": \"uses\"", "\"scope\": \"today\""), ("\"reason\": \"settings\"", "\"reason\": \"rule\""),
    ])
    func termsThatContradictEachOtherAllowNothing(part: String, changed: String) throws {
        var terms = GrantTerms(.uses(7), reason: .settings)
        terms.limit = GrantLimit(rows: ["Contacts": .init(ids: [])])
        try store.allow(sample, terms)
        let path = scratch.path + "/grants.json"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        try #require(text.contains(part))
        try text.replacingOccurrences(of: part, with: changed).write(
            toFile: path, atomically: true, encoding: .utf8)
        #expect(throws: Diagnostic(.grantsUnreadable, "")) { _ = try store.decide(for: sample) }
    }

    @Test func whatSendsCannotBeDeniedAsIfEmpty() throws {
        var terms = GrantTerms(reason: .settings)
        terms.looksEmpty = true
        let sends = DataflowDescription.sending
        #expect(throws: Diagnostic(.senderCannotLookEmpty, "")) { try store.deny(sends, terms) }
        // What is more than that is another question, as it would be after a yes.
        try store.deny(sample, terms)
        #expect(try store.decide(for: sample).shownState == .authorized)
        #expect(try store.decide(for: sends).shownState == .notDetermined)
    }
}
