import EscrowConsent
import EscrowDiagnostics
import EscrowJSON
import Testing

/// What `escrow preferences check` finds is so.
@Suite struct CheckTests {
    static let catalogue = Catalogue(columns: [
        "Contacts": ["id", "birthday"], "Photos": ["asset"], "Location": ["latitude"],
    ])

    private func findings(_ rules: String, device: DeviceState? = nil) throws -> [String] {
        var catalogue = Self.catalogue
        catalogue.device = device
        return try Fixture.preferences(rules).check(against: catalogue).map {
            "\($0.kind.rawValue): \($0.message)"
        }
    }

    @Test func aPermitWhollyCoveredByAForbidIsAContradiction() throws {
        let found = try findings(
            #"""
            {"id": "p", "effect": "permit", "when": {"purpose": ["advertising"], "column": ["Contacts.id"]}},
            {"id": "f", "effect": "forbid", "when": {"purpose": ["marketing"], "table": ["Contacts"]}}
            """#)
        #expect(found == ["contradiction: p permits nothing: f forbids all that it permits"])
    }

    @Test func aForbidOfAllHoursCoversEveryHour() throws {
        let found = try findings(
            #"""
            {"id": "p", "effect": "permit", "when": {"table": ["Contacts"]}},
            {"id": "f", "effect": "forbid", "when": {"hour": {"from": "00:00", "to": "24:00"}}}
            """#)
        #expect(found == ["contradiction: p permits nothing: f forbids all that it permits"])
    }

    @Test(arguments: [
        (#""table": ["Contact"]"#, "there is no table Contact"),
        (#""column": ["Contacts.shoeSize"]"#, "there is no column Contacts.shoeSize"),
        (#""hour": {"from": "08:00", "to": "08:00"}"#, "its hours begin and end at 08:00"),
        (#""sends": false, "endpoint": ["a.example.org"]"#, "what sends nothing has no endpoint"),
    ])
    func whatCanNeverFireIsNamed(when: String, reason: String) throws {
        let found = try findings(#"{"id": "a", "effect": "forbid", "when": {\#(when)}}"#)
        #expect(found == ["never-fires: a can never fire: \(reason)"])
    }

    @Test func aPlaceThatNobodyKnowsIsNamedUntilItIsKnown() throws {
        let preferences = try Preferences.parse(
            Array(
                #"""
                {"escrow-preferences": 1, "trustZone": {"servers": ["attic"]}, "rules": [
                  {"id": "r", "effect": "forbid", "when": {"place": ["device", "server:attic", "server:cellar"]}}]}
                """#.utf8), file: "preferences.json")
        func found(_ servers: Set<String>) -> [String] {
            var catalogue = Self.catalogue
            catalogue.servers = servers
            return preferences.check(against: catalogue).map { "\($0.kind.rawValue): \($0.message)" }
        }
        #expect(
            found([]) == [
                "no-referent: the trust zone names a server that this home does not know: attic",
                "no-referent: r names a place that this home does not know: server:attic",
                "no-referent: r names a place that this home does not know: server:cellar",
            ])
        #expect(found(["attic", "cellar"]).isEmpty)
    }

    @Test func whatIsTriedIsRulesOrAWholeFile() throws {
        func proposal(_ text: String) throws -> Proposal {
            try Preferences.parseProposal(Array(text.utf8), file: "f")
        }
        let rule = #"{"id": "a", "effect": "forbid"}"#
        for text in [rule, "[\(rule)]"] {
            guard case .rules(let rules) = try proposal(text) else {
                Issue.record("no rules")
                continue
            }
            #expect(rules.map(\.id) == ["a"])
        }
        let whole = #"{"escrow-preferences": 1, "unmatched": "deny", "rules": [\#(rule)]}"#
        guard case .whole(let preferences) = try proposal(whole) else {
            Issue.record("no file")
            return
        }
        #expect(preferences.rules.map(\.id) == ["a"] && preferences.unmatched == .deny)
        // What looks like a file is told about as one.
        #expect(throws: Diagnostic(.preferencesInvalid, "")) { try proposal(#"{"rules": []}"#) }
        #expect(throws: Diagnostic(.preferencesInvalid, "")) { try proposal("[1]") }
    }

    @Test func ofTwoThatSayTheSameOneIsTooMany() throws {
        let rules = #"""
            {"id": "a", "effect": "forbid", "when": {"purpose": ["marketing"]}},
            {"id": "b", "effect": "forbid", "when": {"purpose": ["marketing"]}},
            {"id": "c", "effect": "forbid", "when": {"purpose": ["advertising"], "table": ["Photos"]}}
            """#
        #expect(
            try findings(rules) == [
                "redundant: b changes nothing: a says at least as much",
                "redundant: c changes nothing: a says at least as much",
            ])
    }

    @Test func whatTheDeviceDoesNotTellIsNamedWithWhatFollows() throws {
        let rules = #"""
            {"id": "a", "effect": "forbid", "when": {"metered": true}},
            {"id": "b", "effect": "require", "needs": {"charging": true}, "missing": "wait"}
            """#
        let found = try findings(rules, device: DeviceState(battery: 50))
        #expect(
            found == [
                "cannot-be-evaluated: this device does not tell whether its network is metered: a forbids whatever else it is about",
                "cannot-be-evaluated: this device does not tell whether it is on external power: b lets whatever it is about wait",
            ])
    }

    /// Over random rules and dataflows: a finding that one counterexample breaks is none.
    @Test(arguments: 0..<60)
    func noFindingHasACounterexample(seed: UInt64) throws {
        var random = RandomPreferences(seed: seed)
        random.unknownPercent = 5
        for _ in 0..<20 {
            let rules = random.rules(12)
            func parse(_ rules: [JSONValue]) throws -> Preferences {
                try Preferences.parse(
                    JSONWriter.line(["escrow-preferences": 1, "rules": .array(rules)]), file: "random")
            }
            let preferences = try parse(rules)
            for finding in preferences.check(against: Self.catalogue) {
                let without = try parse(rules.filter { $0["id"]?.string != finding.rule })
                for _ in 0..<40 {
                    var facts = random.facts()
                    // What reads nothing at all lies in every list, and touches none.
                    if facts.tables?.isEmpty == true { facts.tables = ["Photos"] }
                    if facts.columns?.isEmpty == true { facts.columns = ["Photos.asset"] }
                    if let columns = facts.columns {
                        facts.tables = Array(Set(columns.map { String($0.prefix { $0 != "." }) }))
                    } else {
                        facts.tables = nil
                    }
                    let decision = preferences.decide(facts)
                    switch finding.kind {
                    case .contradiction:
                        #expect(
                            decision.outcome != .permitted || !decision.grounds.rules.contains(finding.rule))
                    case .neverFires:
                        #expect(
                            !decision.grounds.rules.contains(finding.rule)
                                || decision.grounds.unevaluable.contains(finding.rule))
                    case .redundant:
                        #expect(decision.outcome == without.decide(facts).outcome, "\(finding) \(facts)")
                    case .cannotBeEvaluated, .noReferent: break
                    }
                }
            }
        }
    }

    @Test(arguments: [
        (#""effect": "forbid""#, "forbids all dataflows"),
        (
            #""effect": "permit", "prompt": "skip", "when": {"app": ["org.a", "org.b"], "sends": false}"#,
            "permits dataflows where nothing is sent and the app is org.a or org.b, unasked"
        ),
        (
            #""effect": "require", "when": {"cpuSeconds": {"atLeast": 30}, "hour": {"from": "22:00", "to": "07:00"}}, "needs": {"charging": true, "battery": {"atLeast": 50}, "metered": false}, "missing": "refuse""#,
            "dataflows where the time is from 22:00 to 07:00 and the processor time of a run in seconds is at least 30 must have external power and a network that is not metered and the battery in percent at least 50; else they are refused"
        ),
    ])
    func aRuleIsToldInOneSentence(rule: String, sentence: String) throws {
        let told = try Fixture.preferences(#"{"id": "a", \#(rule)}"#).rules.map(\.sentence)
        #expect(told == [sentence])
    }
}
