public import EscrowConsent
public import EscrowHome
public import EscrowHost

/// The individual's rules: what they say, and a change of them that is tried over the past before it is kept.
public struct RulesView: Sendable {
    /// What trying a change came to.
    public enum Trial: Sendable {
        case refused(String)
        case tried(Replay, findings: [String], digest: String)
    }

    private let rules: [(id: String, sentence: String, why: String)]
    private let text: String
    /// What the text was changed from: somebody else's change in between is not lost.
    private let base: String
    private let trial: Trial?

    public init(_ preferences: Preferences?, text: String, base: String, trial: Trial? = nil) {
        rules = (preferences?.rules ?? []).map { ($0.id, $0.sentence, $0.why ?? "") }
        self.text = text
        self.base = base
        self.trial = trial
    }

    public func html(_ proof: String) -> HTML {
        .all([
            result(proof),
            rules.isEmpty
                ? element(.p, [], "You have no rules: each dataflow is asked about, unless a decision holds.")
                : Form.table(
                    "Your rules", ["Rule", "Says", "Why"],
                    rules.map { [element(.code, [], HTML($0.id)), HTML($0.sentence), HTML($0.why)] }),
            element(
                .section, [.labelled(by: "change")], element(.h2, [.id("change")], "Change them"),
                element(
                    .p, [],
                    "The rules as JSON. A change is first held against your past dataflows, and kept only after you saw what it would have changed."
                ),
                Form.post(
                    Address("/rules/try"), proof, [("base", base)],
                    element(.label, [.belongs(to: "rules")], "Rules"),
                    element(
                        .textarea, [.id("rules"), .name("rules"), .rows(16), .noSpelling],
                        HTML("\n"), HTML(text)),
                    element(.button, [.type("submit"), .marks("plain")], "Try it on the past"))),
        ])
    }

    private func result(_ proof: String) -> HTML {
        switch trial {
        case nil: return ""
        case .refused(let why):
            return element(
                .section, [.marks("trial"), .labelled(by: "trial")],
                element(.h2, [.id("trial")], "These rules cannot be read"),
                element(.pre, [.focusable], HTML(why)))
        case .tried(let replay, let findings, let digest):
            return element(
                .section, [.marks("trial"), .labelled(by: "trial")],
                element(.h2, [.id("trial")], "What the change would have changed"),
                element(
                    .p, [],
                    "\(replay.changedCount) of \(replay.count) dataflows that the ledger knows would have gone otherwise."
                ),
                replay.untold == 0
                    ? ""
                    : element(
                        .p, [],
                        "Of \(replay.untold) the ledger does not tell all that the rules look at: taken as not known."
                    ),
                replay.changes.isEmpty
                    ? ""
                    : Form.table(
                        "Changes", ["App", "Plugin", "Times", "Was", "Would be", "Last, UTC"],
                        replay.changes.prefix(200).map {
                            [
                                HTML(Words.short($0.app)), HTML(Words.short($0.plugin)), "\($0.times)",
                                HTML($0.from), HTML($0.to), Form.time(Words.time($0.last)),
                            ]
                        }), .all(findings.map { element(.p, [.marks("finding")], HTML($0)) }),
                Form.post(
                    Address("/rules/save"), proof,
                    [("base", base), ("tried", digest), ("rules", text)],
                    Form.button("Keep these rules", name: "keep", value: "yes")))
        }
    }
}
