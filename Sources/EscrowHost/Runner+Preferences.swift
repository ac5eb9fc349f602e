import EscrowConsent
import EscrowDiagnostics
import EscrowJSON
import EscrowLedger
import EscrowManifest
import EscrowMinimisation
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

    /// Step 5: rules first, then the grants and the individual, then what the device must have.
    func decide(_ request: RunRequest, _ resolved: inout Resolved, _ manifest: Manifest) throws(Diagnostic)
        -> Decision
    {
        try host.notePreferences(resolved.rules.grounds.revision)
        try heed(resolved)
        let request = request.asKept(
            sql: resolved.sql, declared: Set(manifest.parameters.parameters.map(\.name)))
        let waiting = host.queue.entry(for: request)
        let fingerprint = resolved.description.digest
        let waits = !resolved.rules.grounds.waits.isEmpty
        let admission = try consent(
            resolved, isPreview: request.isPreview, isAllowedOnce: waiting?.once == fingerprint,
            claims: !waits)
        if resolved.rules.grounds.waits.isEmpty {
            // Out of the queue before anything runs: at most once.
            if let waiting {
                let left = try host.queue.take(waiting.id)
                if waiting.once == fingerprint, admission.grant?.isForOneRun == true,
                    left?.once != fingerprint
                {
                    // Another run took it, and with it the once that was said to it.
                    throw .letGo(waiting)
                }
            }
            return admission
        }
        // Only a plain once is kept: who wants to see the result first is asked anew.
        let isOnce = admission.grant?.isForOneRun == true && !admission.isPreview
        let once = isOnce ? fingerprint : nil
        let entry = try host.queue.put(
            request, rules: resolved.rules.grounds.waits, missing: resolved.rules.grounds.waitsFor,
            once: once,
            isHeld: patience == .stay)
        try host.recordRules(
            "waits", resolved.description, resolved.rules.grounds, more: resolved.rules.grounds.waits)
        guard patience == .stay else { throw .waiting(entry, resolved.rules.grounds) }
        let missing = PlainText.neutral(entry.missing.joined(separator: ", "), longest: 1000)
        observer.explain(TerminalText.hanging("waiting for \(missing)", width: observer.columns))
        // What the device tells is polled: the kernel has no call that waits for it.
        while !resolved.rules.grounds.waits.isEmpty {
            guard cancellation.waits(milliseconds: 500) else {
                try host.queue.takeHeld(entry.id)
                throw .waiting(entry, resolved.rules.grounds)
            }
            resolved.rules = try host.judge(&resolved.description, manifest)
            do { try heed(resolved) } catch {
                try host.queue.takeHeld(entry.id)
                throw error
            }
        }
        // What was decided may have been taken back meanwhile: the whole dataflow, the plugin, or the decision.
        guard let left = try host.queue.takeHeld(entry.id) else { throw .letGo(entry) }
        _ = try verify(request.plugin)
        return try consent(
            resolved, isPreview: admission.isPreview, isAllowedOnce: left.once == fingerprint, claims: true)
    }

    /// Ends the run where a rule says no.
    private func heed(_ resolved: Resolved) throws(Diagnostic) {
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

extension Host {
    /// What waits for the device.
    public var queue: WaitingQueue { WaitingQueue(path: home.queuePath) }

    /// Records what rules decided. An app can ask as often as it likes, so refusals are counted as requests are that nobody
    /// decides about.
    func recordRules(
        _ answer: String, _ description: DataflowDescription, _ grounds: Grounds,
        more rules: [String]? = nil
    ) throws(Diagnostic) {
        guard var fields = undecided.note(description, answer: answer)?.members else { return }
        fields.append(("purpose", .string(description.purpose.code)))
        fields += grounds.members.filter { rules == nil || $0.name != "rules" }
        if let rules { fields.append(("rules", .array(rules.map(JSONValue.string)))) }
        try recordRefusal(.object(fields))
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

    fileprivate static func letGo(_ entry: WaitingQueue.Entry) -> Diagnostic {
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
