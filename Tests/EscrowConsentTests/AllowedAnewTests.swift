import EscrowConsent
import EscrowMinimisation
import Testing

/// A decision that is over and is made for good is for nothing more than it was.
@Suite struct AllowedAnewTests {
    let scratch = Scratch()
    var store: GrantStore { GrantStore(directory: scratch.path) }

    @Test func aNarrowYesStaysWhatItWas() throws {
        let narrow = DataflowDescription.sample.with {
            $0.proof = .token
            $0.place = .server("home")
        }
        var terms = GrantTerms(.once, reason: .prompt)
        terms.limit = GrantLimit(rows: ["Contacts": .init(first: 1)])
        terms.budget = EgressBudget(bitsPerDay: 8)
        terms.isPinned = true
        let old = try store.allow(narrow, terms)
        try #require(old.canBeAllowedAnew)
        let anew = try store.allow(narrow, GrantTerms(.always, reason: .settings, like: old))
        #expect(anew.dataflow == old.dataflow && anew.state == .limited && anew.scope == .always)
        #expect(anew.limit == old.limit && anew.budget == old.budget && anew.isPinned)
        for wider in [
            narrow.with { $0.proof = .claim }, narrow.with { $0.place = .device },
            narrow.with { $0.plugin.manifestDigest = "sha256:cc" },
        ] {
            #expect(try store.decide(for: wider).runs == false)
        }
    }

    @Test func aDenialOfAllIsNoneOfAnything() throws {
        let all = try store.deny(.sample.with { $0.reads = [] }, GrantTerms(.always, reason: .settings))
        #expect(!all.canBeAllowedAnew)
        let one = try store.deny(.sample, GrantTerms(.always, reason: .settings))
        #expect(one.canBeAllowedAnew)
    }
}
