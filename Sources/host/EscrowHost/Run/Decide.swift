import EscrowConsent
import EscrowDiagnostics
import EscrowHome
import EscrowJSON
import EscrowLedger

/// Step 5 of a run: decide; and at its end whether what was decided still stands.
extension Runner {
    /// Lets a run begin, or throws why not: the one decision about rules and grants, else the individual.
    ///
    /// `claims` is false where the run waits first: then nothing is counted yet. `isAllowedOnce` says that the individual
    /// said once to this very dataflow before it waited.
    ///
    /// `isElsewhere` says that another process runs it, which is to find what was answered.
    func consent(
        _ resolved: Resolved, isPreview: Bool, isAllowedOnce: Bool, claims: Bool, isElsewhere: Bool = false
    ) throws(Diagnostic) -> Decision {
        let description = resolved.description
        if isPreview, !decider.canAsk {
            throw Diagnostic(
                .previewNeedsTerminal,
                "a preview needs a terminal, on which the result is shown and asked about",
                help: "run it on a terminal, without redirecting its input or its words")
        }
        let decision = try decision(resolved, claims)
        if let decision = try standing(decision, resolved, isPreview) { return decision }
        if isAllowedOnce {
            let grant = host.decisions.once(
                for: description.dataflow, terms: GrantTerms(.once, reason: .prompt))
            return .kept(grant, isPreview: isPreview, resolved.rules.grounds)
        }
        guard decider.canAsk else {
            try host.recordUndecided(description)
            throw .undecided(description, decision)
        }
        return try host.asking(description) { () throws(Diagnostic) in
            // Another run may have been answered while this one waited for its turn to ask.
            let decision = try self.decision(resolved, claims)
            if let decision = try standing(decision, resolved, isPreview) { return decision }
            if isPreview { return try previewing(resolved) }
            return try ask(resolved, decision, claims, isElsewhere)
        }
    }

    private func decision(_ resolved: Resolved, _ claims: Bool) throws(Diagnostic) -> Decision {
        try claims
            ? host.decisions.claim(resolved.description.dataflow, rules: resolved.rules, waits: false)
            : host.decisions.decide(
                for: resolved.description.dataflow, rules: resolved.rules, claimed: nil)
    }

    /// What a decision that stands means for this run: it may begin, or an error is thrown. Nil if nobody has decided.
    private func standing(
        _ decision: Decision, _ resolved: Resolved, _ isPreview: Bool
    ) throws(Diagnostic) -> Decision? {
        if decision.state == .notDetermined { return nil }
        try heedFreeze(decision, resolved)
        if decision.isByRule { try recordRule(decision, resolved) }
        guard decision.runs else {
            if let grant = decision.grant { try host.recordRefused(resolved.description, by: grant) }
            throw .denied(resolved.description, decision)
        }
        var decision = decision
        decision.isPreview = isPreview
        return decision
    }

    private func ask(
        _ resolved: Resolved, _ decision: Decision, _ claims: Bool, _ isElsewhere: Bool
    ) throws(Diagnostic) -> Decision {
        let description = resolved.description
        let reply = decider.decide(description, decision)
        try recordReply(reply, description, why: decision.why, run: resolved.run)
        switch reply {
        case .timeOut:
            try host.decisions.note(.timeOut, to: description)
            throw .undecided(description, decision, reply: reply)
        case .none: throw .undecided(description, decision, reply: reply)
        case .answer(.preview): return try previewing(resolved)
        case .answer(let answer):
            let grant = try settle(answer, description, isKept: isElsewhere)
            if answer == .no {
                guard grant != nil else { throw .refused(description) }
            }
            // A yes to this run alone stands in no file. Any other is claimed under a lock: of two runs one has its last use.
            let decided =
                if let grant, grant.isForOneRun {
                    try host.decisions.decide(
                        for: description.dataflow, rules: resolved.rules, claimed: grant)
                } else {
                    try self.decision(resolved, claims)
                }
            guard let decision = try standing(decided, resolved, false) else {
                throw .undecided(description, decided, reply: reply)
            }
            return decision
        }
    }

    /// Records an answer as a grant. Nil for a "no" that is for this run alone. Where it is to be kept, "once" is for the next run.
    func settle(
        _ answer: ConsentAnswer, _ description: DataflowDescription, isKept: Bool = false
    ) throws(Diagnostic) -> Grant? {
        switch answer {
        case .allow(.once) where !isKept:
            return host.decisions.once(for: description.dataflow, terms: GrantTerms(.once, reason: .prompt))
        case .allow(let choice):
            return try host.decisions.allow(description, GrantTerms(choice, reason: .prompt))
        case .limit(let limit, let choice):
            try host.requireServable(limit, for: description)
            var terms = GrantTerms(choice, reason: .prompt)
            terms.limit = limit
            guard choice == .once, !isKept else { return try host.decisions.allow(description, terms) }
            return host.decisions.once(for: description.dataflow, terms: terms)
        case .deny(let choice):
            return try host.decisions.deny(description, GrantTerms(choice, reason: .prompt))
        case .denyAsEmpty:
            var terms = GrantTerms(.always, reason: .prompt)
            terms.looksEmpty = true
            return try host.decisions.deny(description, terms)
        case .no, .preview: return try host.decisions.note(.no, to: description)
        }
    }

    /// A run whose result nobody gets before the individual has seen it.
    private func previewing(_ resolved: Resolved) throws(Diagnostic) -> Decision {
        let description = resolved.description
        guard !description.sends else {
            throw Diagnostic(
                .noPreviewOfSending,
                "this dataflow sends while it computes, so it cannot be shown before it is allowed",
                notes: ["what is sent cannot be taken back once the result is seen"],
                help:
                    "allow it first, once or always; then --preview shows its result before it is handed over"
            )
        }
        let grant = host.decisions.once(for: description.dataflow, terms: GrantTerms(.once, reason: .prompt))
        return .answered(grant, isPreview: true, resolved.rules.grounds)
    }

    /// The answer, and a digest of the words that it was given to.
    func recordReply(
        _ reply: ConsentReply, _ description: DataflowDescription, why: String, run: String,
        shown: SaltedDigest? = nil
    ) throws(Diagnostic) {
        let answer =
            switch reply {
            case .answer(let answer): answer.word
            case .timeOut: "no answer in time"
            case .none: "none"
            }
        var fields: [(name: String, value: JSONValue)] = [
            ("app", .string(description.app)), ("plugin", .string(description.plugin.id)),
            ("version", .string(description.plugin.version)), ("answer", .string(answer)),
            ("why", .string(why)), ("words", .string(description.wordsDigest)),
        ]
        if let shown {
            fields += [("shownDigest", .string(shown.digest)), ("shownSalt", .string(shown.salt))]
        }
        try host.append(.decision, run: run, .object(fields))
    }
}

extension Decision {
    /// What allows the run and how to take it back; nil where it is allowed for itself alone.
    var sentence: String? {
        guard let grant else { return nil }
        if reason == .rule { return "allowed by your rules (\(grant.id)); see them: escrow preferences show" }
        if isKeptAnswer { return "allowed once by your answer, before it waited" }
        guard !grant.isForOneRun else { return nil }
        let verb = grant.state == .denied ? "denied, as if there were no data," : "allowed"
        let less = limit.map { $0.phrases.isEmpty || grant.state == .denied ? "" : " for less" } ?? ""
        return "\(verb)\(less) by \(grant.id) since \(grant.createdAt.prefix(10)), "
            + "\(grant.scope.words(used: grant.useCount)); take it back: escrow grant revoke \(grant.id)"
    }
}
