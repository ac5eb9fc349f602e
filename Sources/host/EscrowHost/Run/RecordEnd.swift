import EscrowComputation
import EscrowConsent
import EscrowDiagnostics
import EscrowJSON
import EscrowLedger
import EscrowManifest
import EscrowTrust

/// Step 12 of a run: the end, durable before the result leaves.
extension Runner {
    /// Records that the result is about to be handed over, unless the individual keeps it or took the decision back. The
    /// result itself is not kept: a salted digest commits to it.
    func recordEnd(_ run: Run, _ result: NormalizedResult) throws(Diagnostic) {
        let digest = SaltedDigest(of: result.bytes)
        if run.decision.isPreview { try review(run, result, digest) }
        let watch = Stopwatch()
        // No decision changes between the check and the record. One that changes before them keeps the result back; one that
        // changes after them finds the result in the ledger.
        try host.decisions.unchanged { () throws(Diagnostic) in
            try confirm(run)
            var fields = run.figures.ledgerFields(failed: nil)
            fields += [
                ("outcome", "returned"), ("exit", 0), ("resultBytes", .integer(Int64(result.size))),
                ("resultDigest", .string(digest.digest)), ("resultSalt", .string(digest.salt)),
            ]
            try host.record(.runEnd, run: run.id, of: run.request.app, .object(fields))
        }
        run.figures.recordMs += watch.total
    }

    /// The end of a run that returned nothing.
    func recordFailure(_ run: Run, _ diagnostic: Diagnostic) throws(Diagnostic) {
        var fields = run.figures.ledgerFields(failed: diagnostic)
        fields += [
            ("outcome", "nothing returned"), ("exit", .integer(Int64(diagnostic.exitStatus.rawValue))),
            ("code", .string(diagnostic.code.rawValue)), ("message", .string(diagnostic.message)),
        ]
        try host.record(.runEnd, run: run.id, of: run.request.app, .object(fields))
    }

    /// Shows what would be handed over and asks; returns where it may be.
    private func review(
        _ run: Run, _ result: NormalizedResult, _ digest: SaltedDigest
    ) throws(Diagnostic) {
        let description = run.asked
        let reply = decider.review(description, ResultPreview(result))
        try recordReply(reply, description, why: "the result was shown", run: run.id, shown: digest)
        guard case .answer(let answer) = reply else { throw .unreviewed(description) }
        switch answer {
        case .allow(.once): return
        case .allow(let choice):
            // A decision that stands already is not replaced by one that may be wider.
            guard run.decision.grant?.isForOneRun == true else { return }
            _ = try host.decisions.allow(description, GrantTerms(choice, reason: .prompt))
        case .no, .deny, .denyAsEmpty, .limit, .preview:
            _ = try settle(answer, description)
            throw .withheld(description)
        }
    }

    /// Whether what the run began with still stands, asked last of all before the ledger says that the result leaves:
    /// from a command that returned before this moment, nothing escapes.
    func confirm(_ run: Run) throws(Diagnostic) {
        let decision = try host.decideAnew(
            run.asked, run.plugin.manifest, claimed: run.decision.grant, of: run.id)
        guard decision.runs, decision.limit == run.decision.limit else { throw .withdrawn(run.asked) }
    }
}
