import EscrowConsent
import EscrowJSON
import Testing

/// What rules decide, one property each.
@Suite struct RuleDecisionTests {
    private func decide(
        _ rules: String, more: String = "", _ change: (inout DataflowFacts) -> Void = { _ in }
    ) throws -> Decision {
        var facts = Fixture.facts
        change(&facts)
        return try Fixture.preferences(rules, more: more).decide(facts)
    }

    @Test func withoutRulesTheIndividualIsAsked() throws {
        let decision = Preferences().decide(Fixture.facts)
        #expect(
            decision.outcome == .open && decision.grounds.rules.isEmpty && decision.grounds.ownWaits.isEmpty)
        #expect(try decide("", more: #""unmatched": "deny", "#).outcome == .unpermitted)
    }

    @Test func aPermitDecidesUnaskedOnlyWhereItSaysSo() throws {
        let permit = #"{"id": "p", "effect": "permit", "when": {"app": ["org.example.notes"]}}"#
        #expect(try decide(permit).outcome == .open)
        #expect(try decide(permit, more: #""unmatched": "deny", "#).outcome == .open)
        let silent = #"{"id": "s", "effect": "permit", "prompt": "skip", "when": {"app": ["org.example.*"]}}"#
        let decision = try decide(permit + "," + silent)
        #expect(
            decision.outcome == .permitted && decision.grounds.rules == ["s"]
                && decision.grounds.permits == ["p", "s"])
    }

    @Test func aForbidThatMatchesWinsOverEveryPermit() throws {
        let rules = #"""
            {"id": "all", "effect": "permit", "prompt": "skip"},
            {"id": "no-places", "effect": "forbid", "when": {"table": ["Location"]}}
            """#
        let decision = try decide(rules)
        #expect(decision.outcome == .forbidden && decision.grounds.rules == ["no-places"])
        #expect(try decide(rules) { $0.tables = ["Contacts"] }.outcome == .permitted)
    }

    /// A permit for contacts must not let pass what reads contacts and places.
    @Test func aPermitCoversNothingBeyondItsListsAndAForbidAnythingInThem() throws {
        let permit = #"{"id": "p", "effect": "permit", "prompt": "skip", "when": {"table": ["Contacts"]}}"#
        #expect(try decide(permit).outcome == .open)
        #expect(try decide(permit) { $0.tables = ["Contacts"] }.outcome == .permitted)
        let column =
            #"{"id": "c", "effect": "permit", "prompt": "skip", "when": {"column": ["Contacts.birthday"]}}"#
        #expect(try decide(column).outcome == .open)
        #expect(try decide(column) { $0.columns = ["Contacts.birthday"] }.outcome == .permitted)
        // To count rows is to read: it is no dataflow without columns.
        #expect(
            try decide(column) { $0.columns = ["Contacts.birthday", "Location.count(*)"] }.outcome == .open)
        let forbid = #"{"id": "f", "effect": "forbid", "when": {"column": ["Location.latitude"]}}"#
        #expect(try decide(forbid).outcome == .forbidden)
        let endpoints =
            #"{"id": "e", "effect": "permit", "prompt": "skip", "when": {"endpoint": ["api.example.org"]}}"#
        #expect(try decide(endpoints).outcome == .permitted)
        #expect(try decide(endpoints) { $0.endpoints = [] }.outcome == .permitted)
        #expect(
            try decide(endpoints) { $0.endpoints = ["api.example.org", "ads.example.com"] }.outcome == .open)
    }

    @Test func aRuleOnAPurposeCoversItsBranch() throws {
        let forbid = #"{"id": "f", "effect": "forbid", "when": {"purpose": ["marketing"]}}"#
        #expect(try decide(forbid).outcome == .open)
        #expect(try decide(forbid) { $0.purpose = "advertising" }.outcome == .forbidden)
        let both = #"{"id": "f", "effect": "forbid", "when": {"purpose": ["personalisation"]}}"#
        #expect(try decide(both) { $0.purpose = "advertising" }.outcome == .forbidden)
        #expect(try decide(both) { $0.purpose = "recommendation" }.outcome == .forbidden)
        #expect(try decide(both) { $0.purpose = "search" }.outcome == .open)
        let iri =
            #"{"id": "f", "effect": "forbid", "when": {"purpose": ["https://w3id.org/dpv#Marketing"]}}"#
        #expect(try decide(iri) { $0.purpose = "advertising" }.outcome == .forbidden)
    }

    /// Who has a copy can use it for what was forbidden.
    @Test func aPlainCopyIsEveryPurposeToAForbidAndNoneToAPermit() throws {
        let forbid = #"{"id": "f", "effect": "forbid", "when": {"purpose": ["marketing"]}}"#
        #expect(try decide(forbid) { $0.purpose = "data-copy" }.outcome == .forbidden)
        let permit =
            #"{"id": "p", "effect": "permit", "prompt": "skip", "when": {"purpose": ["service-provision"]}}"#
        #expect(try decide(permit) { $0.purpose = "data-copy" }.outcome == .open)
    }

    @Test func aPurposeThatNobodyKnowsCanBePermittedByNoPurpose() throws {
        let permit = #"{"id": "p", "effect": "permit", "prompt": "skip", "when": {"purpose": ["purpose"]}}"#
        let decision = try decide(permit) { $0.purpose = "world-peace" }
        #expect(decision.outcome == .open && decision.grounds.unevaluable == ["p"])
        let forbid = #"{"id": "f", "effect": "forbid", "when": {"purpose": ["marketing"]}}"#
        #expect(try decide(forbid) { $0.purpose = "world-peace" }.outcome == .forbidden)
    }

    @Test func aRuleThatCannotBeEvaluatedCannotPermitAndDoesForbid() throws {
        let permit = #"{"id": "p", "effect": "permit", "prompt": "skip", "when": {"metered": false}}"#
        let forbid = #"{"id": "f", "effect": "forbid", "when": {"metered": true}}"#
        #expect(try decide(permit).outcome == .permitted)
        #expect(try decide(forbid).outcome == .open)
        let unpermitted = try decide(permit) { $0.device.metered = nil }
        #expect(unpermitted.outcome == .open && unpermitted.grounds.unevaluable == ["p"])
        let forbidden = try decide(forbid) { $0.device.metered = nil }
        #expect(forbidden.outcome == .forbidden && forbidden.grounds.unevaluable == ["f"])
    }

    @Test func whatIsKnownSettlesARuleWhateverIsNot() throws {
        let forbid = #"{"id": "f", "effect": "forbid", "when": {"metered": true, "table": ["Photos"]}}"#
        let decision = try decide(forbid) { $0.device.metered = nil }
        #expect(decision.outcome == .open && decision.grounds.unevaluable.isEmpty)
    }

    @Test func aRequirementWaitsOrRefusesAndNamesWhatIsMissing() throws {
        func rule(_ missing: String) -> String {
            #"""
            {"id": "heavy", "effect": "require", "when": {"cpuSeconds": {"atLeast": 10}}, "missing": "\#(missing)",
             "needs": {"charging": true, "metered": false}}
            """#
        }
        #expect(try decide(rule("wait")).grounds.ownWaits.isEmpty)
        let waiting = try decide(rule("wait")) { $0.device.charging = false }
        #expect(
            waiting.outcome == .open && waiting.grounds.ownWaits == ["heavy"]
                && waiting.grounds.missing == ["external power"]
        )
        let refused = try decide(rule("refuse")) { $0.device = DeviceState(charging: false) }
        #expect(refused.outcome == .refused && refused.grounds.rules == ["heavy"])
        #expect(
            refused.grounds.missing == [
                "a network that is not metered (this device does not tell)", "external power",
            ])
        #expect(
            try decide(rule("refuse")) {
                $0.cpuSeconds = 2; $0.device.charging = false
            }.outcome == .open)
    }

    @Test func hoursEndBeforeTheyBeginOverMidnight() throws {
        let forbid = #"{"id": "f", "effect": "forbid", "when": {"hour": {"from": "22:00", "to": "06:00"}}}"#
        for (minute, outcome) in [
            (22 * 60, RuleOutcome.forbidden), (23 * 60 + 59, .forbidden), (0, .forbidden),
            (359, .forbidden),
            (360, .open), (22 * 60 - 1, .open),
        ] {
            #expect(try decide(forbid) { $0.minute = minute }.outcome == outcome, "\(minute)")
        }
        #expect(try decide(forbid) { $0.minute = nil }.outcome == .forbidden)
    }

    @Test(arguments: 0..<40)
    func theOrderOfTheRulesNeverMatters(seed: UInt64) throws {
        var random = RandomPreferences(seed: seed)
        for _ in 0..<20 {
            let rules = random.rules(10)
            let facts = random.facts()
            let shuffled = rules.shuffled(using: &random.generator)
            let decided = try [rules, shuffled].map {
                try Preferences.parse(
                    JSONWriter.line(["escrow-preferences": 1, "rules": .array($0)]), file: "random"
                ).decide(facts)
            }
            #expect(decided[0] == decided[1])
        }
    }

    @Test(arguments: 0..<40)
    func knowingMoreNeverTakesBackARuleThatCounted(seed: UInt64) throws {
        var random = RandomPreferences(seed: seed)
        for _ in 0..<20 {
            let preferences = try Preferences.parse(
                JSONWriter.line(["escrow-preferences": 1, "rules": .array(random.rules(10))]), file: "random")
            random.unknownPercent = 0
            let facts = random.facts()
            var less = facts
            less.device = DeviceState()
            less.tables = nil
            let full = preferences.decide(facts)
            let partial = preferences.decide(less)
            #expect(full.grounds.unevaluable.isEmpty)
            #expect(Set(full.grounds.objections).isSubset(of: partial.grounds.objections))
            #expect(Set(partial.grounds.permits).isSubset(of: full.grounds.permits))
        }
    }

    @Test func factsReadBackAsTheyWereRecorded() {
        var random = RandomPreferences(seed: 7)
        for _ in 0..<200 {
            let facts = random.facts()
            let read = DataflowFacts(
                app: facts.app, plugin: facts.plugin, purpose: facts.purpose, record: facts.json)
            #expect(read == facts)
        }
    }
}
