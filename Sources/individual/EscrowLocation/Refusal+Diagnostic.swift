public import EscrowDiagnostics
public import EscrowLocationPrivacy

extension Mask.Refusal {
    /// Why a place was not masked, as half a sentence.
    public var why: String {
        switch self {
        case .unknownLevel(let level): "no list of places knows a \(level.rawValue)"
        case .noGazetteer: "the list of places where people live is empty"
        case .noList(let name): "there is no list of places named \(name)"
        case .tooFewPeople: "too few people live around it to hide among"
        case .tooNarrow: "the mask has no room between its hole and its border"
        case .budgetSpent: "today's budget of noise is spent, and nothing was told before that still serves"
        }
    }

    /// Why a place was not masked, and so not told: E0616.
    public var diagnostic: Diagnostic {
        Diagnostic(
            .placeNotMasked, "a place could not be masked, so it was not told: \(why)",
            help: "tell less: escrow location rule add --tell city")
    }
}
