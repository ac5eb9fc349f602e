import EscrowManifest
import Testing

@testable import EscrowConsent

/// What a denial that the app must not notice holds for is what a yes in its place would hold for.
@Suite struct DeniedAsEmptyDecisionTests {
    let sample = DataflowDescription.sample

    /// Dataflows that are the same, less, more, or other than the sample.
    static let changes: [@Sendable (inout DataflowDescription) -> Void] = [
        { _ in }, { $0.reads = [TableUse(table: "Contacts", returned: ["id"])] },
        { $0.reads = [TableUse(table: "Contacts", returned: [], used: ["phoneNumber"])] },
        { $0.reads = [TableUse(table: "Contacts", returned: [])] },
        { $0.reads = [] }, { $0.reads[0].returned.append("familyName") },
        { $0.reads[0].used.append("birthday") },
        { $0.reads.append(TableUse(table: "Photos", returned: ["id"])) },
        { $0.reads = [TableUse(table: "Photos", returned: ["id"])] },
        { $0.plugin.version = "1.3.0" }, { $0.plugin.manifestDigest = "sha256:bb" },
        { $0.plugin.signerKeyID = "SHA256:k2" }, { $0.purpose.text = "Sell them." }, { $0.purpose.text = "" },
        { $0.resultDigest = "sha256:r2" }, { $0.parameters = [] }, { $0.parameters = ["other"] },
        { $0.identifiers = [.application] }, { $0.minimumRows = 1 },
        { $0.isScript = true }, { $0.place = .server("a") }, { $0.target = "somebody else" },
        { $0.files = ["image/png"] },
        { $0.send("to x") }, { $0.app = "org.example.other" },
    ]

    private func told(
        _ grant: Grant, _ description: DataflowDescription, _ rules: Decision, days: Int64 = 0
    ) -> ConsentState {
        let now = ConsentTime(milliseconds: 1_800_000_000_000).adding(days: days)
        return Decision.about(
            description.dataflow,
            DecisionBasis(rules: rules, grants: GrantIndex([grant]), now: now, hostStart: now)
        ).shownState
    }

    @Test(arguments: [
        RuleOutcome.open, .unpermitted, .permitted, .forbidden, .refused, .restricted,
    ])
    func whateverIsAskedTheAnswerIsThatOfAYes(outcome: RuleOutcome) throws {
        let rules = try Decision.rules(outcome)
        let made = ConsentTime(milliseconds: 1_800_000_000_000)
        for scope in [ScopeChoice.always, .uses(2), .until(made.adding(days: 1))] {
            var terms = GrantTerms(scope, reason: .settings)
            let yes = terms.grant(true, for: sample.dataflow, at: made)
            terms.looksEmpty = true
            let no = terms.grant(false, for: sample.dataflow, at: made)
            for (index, change) in Self.changes.enumerated() {
                var asked = sample
                change(&asked)
                // Who may send by a rule would be missed where nothing is sent: that denial is told openly.
                if asked.sends, outcome == .permitted { continue }
                for days: Int64 in [0, 2, 100] {
                    #expect(
                        told(yes, asked, rules, days: days) == told(no, asked, rules, days: days),
                        "change \(index) after \(days) days")
                }
            }
        }
    }

    @Test func itLetsNoDataThroughOfWhatItHoldsFor() throws {
        let now = ConsentTime(milliseconds: 1_800_000_000_000)
        var terms = GrantTerms(.always, reason: .settings)
        terms.looksEmpty = true
        let no = terms.grant(false, for: sample.dataflow, at: now)
        for rules in [Decision.open, try .rules(.permitted)] {
            for change in Self.changes {
                var asked = sample
                change(&asked)
                let basis = DecisionBasis(rules: rules, grants: GrantIndex([no]), now: now, hostStart: now)
                let decision = Decision.about(asked.dataflow, basis)
                guard decision.runs, TableUse.isWithin(sample.reads, granted: asked.reads),
                    asked.target == sample.target, asked.app == sample.app
                else { continue }
                #expect(decision.limit == .nothing(of: asked.reads))
            }
        }
    }

    @Test func aDenialOfMoreLeavesWhatWasAllowedWithin() {
        let now = ConsentTime(milliseconds: 1_800_000_000_000)
        let less = sample.with { $0.reads = [TableUse(table: "Contacts", returned: ["id"])] }
        var terms = GrantTerms(.always, reason: .settings)
        let yes = terms.grant(true, for: less.dataflow, at: now)
        terms.looksEmpty = true
        let no = terms.grant(false, for: sample.dataflow, at: now)
        let basis = DecisionBasis(grants: GrantIndex([no, yes]), now: now, hostStart: now)
        #expect(Decision.about(less.dataflow, basis).state == .authorized)
        #expect(Decision.about(sample.dataflow, basis).limit == .nothing(of: sample.reads))
    }
}
