import EscrowConsent
public import EscrowJSON
import EscrowMinimisation
import EscrowPreferences
import EscrowRelational

/// What a run would do: for `--dry-run`, and for an app that asks where it stands.
public struct RunPlan: Sendable {
    let description: DataflowDescription
    let decision: Decision
    let judgement: Judgement
    let access: AccessExplanation

    /// The plan in words.
    public var lines: [String] {
        let verdict =
            switch decision {
            case _ where isForbidden: "denied by a rule"
            case .undecided where judgement.verdict.outcome == .permitted: "allowed by a rule"
            case .authorized(let grant): "allowed by \(grant.id)"
            case .denied(let grant): "denied by \(grant.id)"
            case .undecided(let why): "undecided: \(why)"
            }
        return description.explain() + ["decision   \(verdict)", ""] + access.lines(delivered: nil)
    }

    /// The plan for `--format json`.
    public var json: JSONValue {
        let (state, grant): (String, String?) =
            switch decision {
            case _ where isForbidden: (judgement.restricted == nil ? "denied" : "restricted", nil)
            case .undecided where judgement.verdict.outcome == .permitted: ("authorized", nil)
            case .authorized(let grant): ("authorized", grant.id)
            case .denied(let grant): ("denied", grant.id)
            case .undecided: ("undecided", nil)
            }
        return [
            "app": .string(description.app), "plugin": .string(description.plugin.id),
            "version": .string(description.plugin.version), "purpose": .string(description.purpose.code),
            "reads": .array(
                description.reads.map {
                    [
                        "table": .string($0.table), "returned": .array($0.returned.map(JSONValue.string)),
                        "used": .array($0.used.map(JSONValue.string)),
                    ]
                }),
            "coarser": .array(description.minimisation.terms.map(JSONValue.string)),
            "identifiers": .array(description.identifiers.map(JSONValue.string)),
            "result": .string(description.result.summary), "target": .string(description.target),
            "egress": .array(description.egress.map(JSONValue.string)), "decision": .string(state),
            "zone": .string(description.zone),
            "pattern": judgement.facts.pattern.map { .string($0.rawValue) } ?? .null,
            "rules": .array(description.rules.map(JSONValue.string)),
            "waits": .array(judgement.waits.map(JSONValue.string)),
            "grant": grant.map(JSONValue.string) ?? .null, "access": access.json(delivered: nil),
        ]
    }

    /// Whether a rule says no, whatever the grants say.
    var isForbidden: Bool {
        switch judgement.verdict.outcome {
        case .forbidden, .refused: true
        case .unpermitted:
            if case .undecided = decision { true } else { judgement.restricted != nil }
        case .permitted, .open: judgement.restricted != nil
        }
    }
}
