import EscrowConsent
public import EscrowDiagnostics
import EscrowManifest
import EscrowTrust

/// Runs that the individual's service makes for a command of theirs.
extension Runner {
    /// What has to come before such a run.
    public enum Beginning: Sendable {
        /// Nothing: it is allowed, and its observer was told what a run is begun with.
        case nothing
        /// The command's own process makes the run, as it is: it has to wait, is refused, or is picked for on this terminal.
        case ownProcess
        /// The command's own process makes the run, and shows what comes of it first: that was the answer.
        case preview
    }

    /// Asks the decider about a run, where nobody has decided and somebody can be asked, and keeps the answer for the process that
    /// makes it. Throws where the answer was no.
    public func beginElsewhere(_ request: RunRequest) throws(Diagnostic) -> Beginning {
        let request = try named(request)
        guard request.server == nil, !request.isPreview else { return .ownProcess }
        let plugin = try verify(request.plugin)
        guard plugin.manifest.pick == nil else { return .ownProcess }
        let resolved = try resolve(request, plugin)
        guard resolved.rules.grounds.waits.isEmpty else { return .ownProcess }
        var decision = try host.decisions.decide(
            for: resolved.description.dataflow, rules: resolved.rules, claimed: nil)
        if decision.state == .notDetermined, decider.canAsk {
            decision = try consent(
                resolved, isPreview: false, isAllowedOnce: false, claims: false, isElsewhere: true)
        }
        guard decision.runs else { return .ownProcess }
        if decision.isPreview { return .preview }
        begin(decision, resolved.description)
        return .nothing
    }
}
