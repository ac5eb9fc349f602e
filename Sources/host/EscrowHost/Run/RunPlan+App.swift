import EscrowConsent
public import EscrowJSON
import EscrowMinimisation

extension RunPlan {
    /// What a run would be, as far as an app is told: the publisher's words and what was asked for, and nothing of what the
    /// individual decided or wrote.
    public var shownToApp: JSONValue {
        [
            "app": .string(description.app), "plugin": .string(description.plugin.id),
            "version": .string(description.plugin.version), "purpose": .string(description.purpose.code),
            "purposeText": .string(PlainText.neutral(description.purpose.text)),
            "reads": .array(description.reads.map(\.json)),
            "coarser": .array(description.minimisation.terms.map(JSONValue.string)),
            "returns": .string(PlainText.neutral(description.returns, longest: 600)),
            "sends": .array(description.manifestEgress.map { .string(PlainText.neutral($0, longest: 4000)) }),
            "target": .string(description.target),
        ]
    }
}
