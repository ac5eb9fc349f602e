import EscrowConsent
public import EscrowJSON
import EscrowMinimisation
import EscrowRelational

/// What a run would do: for `--dry-run`, and for an app that asks where it stands.
public struct RunPlan: Sendable {
    let description: DataflowDescription
    let decision: Decision
    let access: AccessExplanation

    /// The plan in words.
    public var lines: [String] {
        let verdict =
            switch decision {
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
            "grant": grant.map(JSONValue.string) ?? .null, "access": access.json(delivered: nil),
        ]
    }
}
