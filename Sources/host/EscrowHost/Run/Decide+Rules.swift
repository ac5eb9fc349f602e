import EscrowConsent
import EscrowDiagnostics
import EscrowHome
import EscrowManifest
import EscrowTrust
import Glibc

extension Runner {
    /// What becomes of a dataflow that waits for the device.
    public enum Patience: Sendable {
        /// It goes into the queue, and the run ends.
        case queue
        /// The run stays, and goes on when the device has what it must have.
        case stay
    }

    /// Step 5 of a run: rules first, then the grants and the individual, then what the device must have. Where less was
    /// decided than was asked for, the query is prepared anew, over less.
    func decide(_ run: Run) throws(Diagnostic) {
        try host.checkLedgerRoom(of: run.asked)
        run.decision = try decision(run)
        guard let limit = run.decision.limit else { return }
        run.resolved = try resolve(run.request.limited(by: limit), run.plugin)
    }

    private func decision(_ run: Run) throws(Diagnostic) -> Decision {
        let manifest = run.plugin.manifest
        try host.notePreferences(run.resolved.rules.grounds.revision)
        try refuseByRules(run.resolved)
        try requirePick(run)
        let request = run.request.asKept(
            sql: run.resolved.sql, declared: Set(manifest.parameters.parameters.map(\.name)))
        let waiting = host.waiting.entry(for: request)
        let fingerprint = run.description.digest
        let waits = !run.resolved.rules.grounds.waits.isEmpty
        let decision: Decision
        do throws(Diagnostic) {
            decision = try consent(
                run.resolved, isPreview: request.isPreview, isAllowedOnce: waiting?.once == fingerprint,
                claims: !waits)
        } catch {
            if error.code == .undecided, !decider.canAsk { host.keepPending(request) }
            throw error
        }
        if waits { return try wait(run, decision, request, fingerprint) }
        // Out of the queue before anything runs: at most once.
        guard let waiting else { return decision }
        let left = try host.waiting.take(waiting.id)
        let isByQueue = waiting.once == fingerprint && decision.grant?.isForOneRun == true
        // Another run took the entry, and so the answer "once" that stood in it.
        if isByQueue, left?.once != fingerprint { throw .begunElsewhere(waiting) }
        return decision
    }

    /// Puts the dataflow into the queue; a run that stays goes on when the device has what it must have.
    private func wait(
        _ run: Run, _ decision: Decision, _ request: RunRequest, _ fingerprint: String
    ) throws(Diagnostic) -> Decision {
        // An answer "once" is kept with the entry; who wants to see the result first is asked anew.
        let isOnce = decision.grant?.isForOneRun == true && !decision.isPreview
        let grounds = run.resolved.rules.grounds
        let entry = try host.waiting.put(
            request, rules: grounds.waits, missing: grounds.waitsFor, once: isOnce ? fingerprint : nil,
            isHeld: patience == .stay)
        try host.recordRules("waits", run.description, grounds, more: grounds.waits)
        guard patience == .stay else { throw .waiting(entry, grounds) }
        let missing = PlainText.neutral(entry.missing.joined(separator: ", "), longest: 1000)
        observer.explain(TerminalText.hanging("waiting for \(missing)", width: observer.columns))
        // The kernel has no call that waits for a battery or a network: the device is asked again and again.
        while !run.resolved.rules.grounds.waits.isEmpty {
            guard cancellation.waits(milliseconds: 500) else {
                try host.waiting.takeHeld(entry.id)
                throw .waiting(entry, run.resolved.rules.grounds)
            }
            run.resolved.rules = try host.judge(&run.resolved.description, run.plugin.manifest, of: nil)
            do { try refuseByRules(run.resolved) } catch {
                try host.waiting.takeHeld(entry.id)
                throw error
            }
        }
        // Meanwhile somebody may have taken back the dataflow, the plugin, or the decision.
        guard let left = try host.waiting.takeHeld(entry.id) else { throw .begunElsewhere(entry) }
        _ = try verify(request.plugin)
        return try consent(
            run.resolved, isPreview: decision.isPreview, isAllowedOnce: left.once == fingerprint, claims: true
        )
    }

    /// Ends the run that nobody decided about, while decisions stay as they are.
    func heedFreeze(_ decision: Decision, _ resolved: Resolved) throws(Diagnostic) {
        guard decision.state == .restricted, let restriction = decision.grounds.freezing else { return }
        try host.recordRules("restricted", resolved.description, decision.grounds, more: [restriction.id])
        throw Diagnostic(
            .restricted, "this dataflow is restricted by \(restriction.setter)",
            notes: [
                "decisions stay as they are, and nobody has decided about this one",
                "nothing was read or sent",
            ],
            help: "only who set it can change it: escrow restriction list")
    }

    /// Ends the run where a rule says no.
    private func refuseByRules(_ resolved: Resolved) throws(Diagnostic) {
        let rules = resolved.rules
        let grounds = rules.grounds
        if let restriction = grounds.restriction {
            try host.recordRules(
                "restricted", resolved.description, grounds, more: [restriction.id] + grounds.restrictionRules
            )
            throw .restricted(restriction, grounds)
        }
        guard rules.state == .denied else { return }
        switch rules.reason {
        case .rule:
            try host.recordRules("forbidden by rule", resolved.description, grounds)
            throw .forbidden(grounds)
        case .missingResource:
            try host.recordRules("refused by rule", resolved.description, grounds)
            throw .resourceMissing(grounds)
        default: return
        }
    }

    /// What a rule decided where no grant stands: it is recorded, and ends the run where it permits nothing.
    func recordRule(_ decision: Decision, _ resolved: Resolved) throws(Diagnostic) {
        if decision.runs {
            try host.recordRules("permitted by rule", resolved.description, resolved.rules.grounds)
        } else {
            try host.recordRules("no rule permits it", resolved.description, resolved.rules.grounds)
            throw .unpermitted(resolved.description)
        }
    }
}

extension Runner.Cancellation {
    /// Waits that long; false where somebody cancelled.
    func waits(milliseconds: Int32) -> Bool {
        _ = poll(nil, 0, milliseconds)
        return !isCancelled
    }
}

extension Diagnostic {
    fileprivate static func named(_ rules: [String]) -> String {
        rules.count == 1 ? "your rule \(rules[0])" : "your rules \(rules.joined(separator: ", "))"
    }

    fileprivate static func forbidden(_ grounds: Grounds) -> Diagnostic {
        var notes = ["nothing was read or sent, and nobody was asked"]
        let unknown = grounds.rules.filter(grounds.unevaluable.contains)
        if !unknown.isEmpty {
            notes.append(
                "\(unknown.joined(separator: ", ")) could not be evaluated here, and a rule that forbids then counts"
            )
        }
        return Diagnostic(
            .ruleForbids, "\(named(grounds.rules)) forbids this dataflow", notes: notes,
            help: "see your rules: escrow preferences show")
    }

    fileprivate static func unpermitted(_ description: DataflowDescription) -> Diagnostic {
        Diagnostic(
            .noRulePermits, "no rule of yours permits this dataflow, and you set that nobody is asked",
            notes: ["nothing was read or sent"],
            help: "allow this dataflow alone: \(description.grantCommand())")
    }

    fileprivate static func resourceMissing(_ grounds: Grounds) -> Diagnostic {
        Diagnostic(
            .refusedForNow, "\(named(grounds.rules)) refuses this dataflow for now",
            notes: grounds.missing.map { "it must have: \($0)" } + ["nothing was read or sent"],
            help: "run it again when the device has that, or see your rules: escrow preferences show")
    }

    fileprivate static func waiting(_ entry: WaitingQueue.Entry, _ grounds: Grounds) -> Diagnostic {
        let own = grounds.ownWaits.isEmpty ? [] : [named(grounds.ownWaits)]
        let names = own + grounds.restrictionWaits.map(\.restriction.setter)
        return Diagnostic(
            .waits, "this dataflow waits, by \(names.joined(separator: ", "))",
            notes: entry.missing.map { "it must have: \($0)" } + ["nothing was read or sent yet"],
            help: "run it when the device has that: escrow queue run \(entry.id)")
    }

    fileprivate static func begunElsewhere(_ entry: WaitingQueue.Entry) -> Diagnostic {
        Diagnostic(
            .begunElsewhere, "this dataflow waited, and was let go or run meanwhile",
            notes: ["it stood in the queue as \(entry.id)", "nothing was read or sent by this run"],
            help: "run it again if you still want it")
    }

    fileprivate static func restricted(_ restriction: Restriction, _ grounds: Grounds) -> Diagnostic {
        Diagnostic(
            .restricted, "this dataflow is restricted by \(restriction.setter)",
            notes: [
                "the rule: \(grounds.restrictionRules.joined(separator: ", "))", "nothing was read or sent",
            ]
                + grounds.restrictionMissing.map { "it must have: \($0)" },
            help: "only who set it can change it: escrow restriction list")
    }
}
