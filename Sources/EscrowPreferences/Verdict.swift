/// What the preferences say about a dataflow, and which rules say it.
public struct Verdict: Sendable, Equatable {
    /// What they say, the strongest first.
    public enum Outcome: Sendable, Equatable {
        /// A rule forbids it.
        case forbidden
        /// A resource is not there, and a rule says to refuse then.
        case refused
        /// Rules permit it, and one of them says that nobody is to be asked.
        case permitted
        /// No rule permits it, and the individual set that nobody is asked then: without a grant it is denied.
        case unpermitted
        /// The grants decide, and where none stands the individual is asked.
        case open
    }

    /// What they say.
    public let outcome: Outcome
    /// The rules that made it so, by id, in order; empty where no rule did.
    public let rules: [String]
    /// The requirements that make the dataflow wait once it is decided, by id; empty: it need not wait.
    public let waits: [String]
    /// What is missing, in words: of those that refuse, else of those that make it wait.
    public let missing: [String]
    /// All permits that matched.
    public let permits: [String]
    /// All forbids and requirements that applied.
    public let objections: [String]
    /// The rules that could not be evaluated: permits among them did not count, all others did.
    public let unevaluable: [String]
}

extension Preferences {
    /// The one decision about a dataflow: pure, and the same in whatever order the rules stand.
    ///
    /// As in Cedar nothing is permitted unless a rule permits it, and a forbid that matches wins. Unlike Cedar, which skips a
    /// rule with an error, a forbid or a requirement that cannot be evaluated counts: an individual who said "not on a
    /// metered network" did not say "unless the network does not tell".
    public func decide(_ facts: DataflowFacts) -> Verdict {
        let prepared = PreparedFacts(facts)
        var permits: [Rule] = []
        var forbids: [Rule] = []
        var refusals: [Rule] = []
        var waits: [Rule] = []
        var unevaluable: [Rule] = []
        for rule in rules {
            let truth = rule.applies(to: prepared)
            if truth == .no { continue }
            if truth == .unknown { unevaluable.append(rule) }
            switch rule.effect {
            case .permit: if truth == .yes { permits.append(rule) }
            case .forbid: forbids.append(rule)
            case .require: if rule.missing == .wait { waits.append(rule) } else { refusals.append(rule) }
            }
        }
        let silent = permits.filter { !$0.asks }
        let (outcome, deciding): (Verdict.Outcome, [Rule]) =
            if !forbids.isEmpty {
                (.forbidden, forbids)
            } else if !refusals.isEmpty {
                (.refused, refusals)
            } else if !silent.isEmpty {
                (.permitted, silent)
            } else if permits.isEmpty, unmatched == .deny {
                (.unpermitted, [])
            } else {
                (.open, permits)
            }
        let missing = (outcome == .refused ? refusals : waits).flatMap { $0.missingNeeds(prepared) }
        return Verdict(
            outcome: outcome, rules: Self.ids(deciding), waits: Self.ids(waits),
            missing: Set(missing).sorted(), permits: Self.ids(permits),
            objections: Self.ids(forbids + refusals + waits), unevaluable: Self.ids(unevaluable))
    }

    private static func ids(_ rules: [Rule]) -> [String] { rules.map(\.id).sorted() }
}
