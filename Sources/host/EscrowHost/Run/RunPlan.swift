package import EscrowConsent
public import EscrowJSON
import EscrowManifest
import EscrowMinimisation
import EscrowPlacement
import EscrowRelational

/// What a run would do: for `--dry-run`, and for an app that asks where it stands.
public struct RunPlan: Sendable {
    let description: DataflowDescription
    package let decision: Decision
    let access: AccessExplanation
    /// Of which rows the individual picks; nil where it is given all.
    let pick: PickRule?
    /// Why it computes where it does; nil where the request says where.
    let placement: Placement?

    /// The plan in words, the sheet for so many columns.
    public func lines(width: Int) -> [String] {
        let verdict =
            switch decision.state {
            case .authorized: "allowed by \(decision.grant?.id ?? "your rules")"
            case .limited: "limited by \(decision.grant?.id ?? "your rules"): \(decision.why)"
            case .denied: "denied" + (decision.grant.map { " by \($0.id)" } ?? ": \(decision.why)")
            case .restricted: "restricted: \(decision.why)"
            case .notDetermined: "undecided: \(decision.why)"
            }
        return description.explain(width: width) + ["decision   \(verdict)"] + (placement?.lines ?? []) + [""]
            + access.lines(delivered: nil)
    }

    /// The plan for `--format json`.
    public var json: JSONValue {
        return [
            "app": .string(description.app), "plugin": .string(description.plugin.id),
            "version": .string(description.plugin.version), "purpose": .string(description.purpose.code),
            "reads": .array(description.reads.map(\.json)),
            "coarser": .array(description.minimisation.terms.map(JSONValue.string)),
            "identifiers": .array(description.identifiers.map { .string($0.words) }),
            "result": .string(description.returns), "target": .string(description.target),
            "egress": .array(description.egress.map(JSONValue.string)),
            "decision": .string(decision.state == .notDetermined ? "undecided" : decision.state.rawValue),
            "reason": .string(decision.reason.rawValue), "why": .string(decision.why),
            "zone": .string(description.zone),
            "pattern": decision.grounds.facts.pattern.map { .string($0.rawValue) } ?? .null,
            "rules": .array(description.rules.map(JSONValue.string)),
            "waits": .array(decision.grounds.waits.map(JSONValue.string)),
            "place": .string(description.place.spelling), "placement": placement?.json ?? .null,
            "grant": decision.grant.map { .string($0.id) } ?? .null, "access": access.json(delivered: nil),
        ]
    }
}

extension RunPlan {
    /// The dataflow as an app may see it: what its publisher and the query say, and nothing of what the individual decided.
    package var appView: JSONValue {
        [
            "app": .string(description.app), "known": .string(description.proof.rawValue),
            "plugin": .string(description.plugin.id), "version": .string(description.plugin.version),
            "publisher": .string(description.publisher),
            "purpose": [
                "code": .string(description.purpose.code), "text": .string(description.purpose.text),
            ],
            "reads": .array(description.reads.map(\.json)), "returns": .string(description.returns),
            "sends": .array(description.manifestEgress.map(JSONValue.string)),
            "capacity": .string(description.capacity), "target": .string(description.target),
        ]
    }
}
