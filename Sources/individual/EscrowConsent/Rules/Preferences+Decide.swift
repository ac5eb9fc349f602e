extension Preferences {
    /// What the individual's rules say about a dataflow, before any grant is looked at: pure, and the same in whatever order
    /// the rules stand.
    ///
    /// As in Cedar nothing is permitted unless a rule permits it, and a forbid that matches wins. Unlike Cedar, which skips a
    /// rule with an error, a forbid or a requirement that cannot be evaluated counts: an individual who said "not on a
    /// metered network" did not say "unless the network does not tell".
    public func decide(_ facts: DataflowFacts) -> Decision {
        let prepared = PreparedFacts(facts)
        var permits: [Rule] = []
        var forbids: [Rule] = []
        var refusals: [Rule] = []
        var waits: [Rule] = []
        var preferring: [Rule] = []
        var unevaluable: [Rule] = []
        for rule in rules {
            let truth = rule.applies(to: prepared)
            if truth == .no { continue }
            if truth == .unknown { unevaluable.append(rule) }
            switch rule.effect {
            case .permit: if truth == .yes { permits.append(rule) }
            case .prefer: if truth == .yes { preferring.append(rule) }
            case .forbid: forbids.append(rule)
            case .require: if rule.missing == .wait { waits.append(rule) } else { refusals.append(rule) }
            }
        }
        let silent = permits.filter { !$0.asks }
        var grounds = Grounds()
        grounds.facts = facts
        grounds.permits = Self.ids(permits)
        grounds.objections = Self.ids(forbids + refusals + waits)
        grounds.goals = Set(preferring.compactMap(\.goal)).sorted()
        grounds.preferring = Self.ids(preferring)
        grounds.unevaluable = Self.ids(unevaluable)
        grounds.ownWaits = Self.ids(waits)
        let needs = forbids.isEmpty && !refusals.isEmpty ? refusals : waits
        grounds.missing = Set(needs.flatMap { $0.missingNeeds(prepared) }).sorted()
        if !forbids.isEmpty {
            grounds.rules = Self.ids(forbids)
            return .byRules(.denied, .rule, grounds, "your rules forbid it")
        }
        if !refusals.isEmpty {
            grounds.rules = Self.ids(refusals)
            let want = grounds.missing.joined(separator: ", ")
            return .byRules(.denied, .missingResource, grounds, "your rules refuse it, for want of \(want)")
        }
        if !silent.isEmpty {
            grounds.rules = Self.ids(silent)
            return .byRules(.authorized, .rule, grounds, "your rules permit it")
        }
        if permits.isEmpty, unmatched == .deny {
            return .byRules(
                .denied, .noRule, grounds, "no rule of yours permits it, and nobody is to be asked")
        }
        grounds.rules = Self.ids(permits)
        return .byRules(
            .notDetermined, .neverAsked, grounds, "nobody has decided about this dataflow yet")
    }

    private static func ids(_ rules: [Rule]) -> [String] { rules.map(\.id).sorted() }
}

extension Decision {
    fileprivate static func byRules(
        _ state: ConsentState, _ reason: ConsentReason, _ grounds: Grounds, _ why: String
    ) -> Decision {
        let names = state == .notDetermined ? [] : grounds.rules
        let why = names.isEmpty ? why : "\(why): \(names.joined(separator: ", "))"
        return Decision(
            state: state, reason: reason, grant: nil, why: PlainText.neutral(why), grounds: grounds)
    }

    /// The same while a restriction keeps decisions as they are. What the individual's rules forbid holds; what they permit without
    /// asking does not, since the individual can write a rule at any time.
    public func frozen(by restriction: Restriction) -> Decision {
        var grounds = grounds
        grounds.freezing = restriction
        let left = state == .authorized ? Decision.open : self
        return Decision(
            state: left.state, reason: left.reason, grant: left.grant, why: left.why, limit: left.limit,
            grounds: grounds)
    }

    /// What nobody decided, while a restriction keeps decisions as they are.
    static func undecidedWhileFrozen(by restriction: Restriction, _ grounds: Grounds) -> Decision {
        Decision(
            state: .restricted, reason: .restriction, grant: nil,
            why: PlainText.neutral(
                "nobody decided about it before \(restriction.setter) had decisions stay as they are"),
            grounds: grounds)
    }

    /// The same where a restriction says no: the individual cannot override that.
    public func restricted(by restriction: Restriction, _ other: Decision) -> Decision {
        var grounds = grounds
        grounds.restriction = restriction
        grounds.restrictionRules = other.grounds.rules
        grounds.restrictionMissing = other.grounds.missing
        let why = "\(restriction.setter) does not allow it: \(other.grounds.rules.joined(separator: ", "))"
        return Decision(
            state: .restricted, reason: .restriction, grant: nil, why: PlainText.neutral(why),
            grounds: grounds)
    }

    /// The same, with restrictions that make it wait, and where the rules come from.
    public func with(
        waits: [Grounds.RestrictionWait], revision: String?, today: DayAllowance?
    ) -> Decision {
        var grounds = grounds
        grounds.restrictionWaits = waits
        grounds.revision = revision
        grounds.today = today
        return Decision(
            state: state, reason: reason, grant: grant, why: why, limit: limit, grounds: grounds)
    }
}
