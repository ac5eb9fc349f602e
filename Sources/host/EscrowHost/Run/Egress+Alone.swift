import EscrowConsent
public import EscrowDiagnostics
public import EscrowEgress
import EscrowTrust

extension EgressDesk {
    /// Makes desks of runs that an app is allowed, without the runs: for measuring what a request costs. Everything is as
    /// in a run: the grant is looked up for each request, and the ledger has each one before it is sent. Only the clock is
    /// the caller's, since waiting for a moment is no cost.
    public static func alone(
        host: Host, app: String, plugin: String, clock: any RunClock
    ) throws(Diagnostic) -> () throws(Diagnostic) -> EgressDesk {
        let runner = Runner(host: host)
        let plan = try runner.plan(RunRequest(app: app, plugin: plugin))
        let decision = plan.decision
        guard decision.state == .authorized else {
            throw .undecided(plan.description, decision)
        }
        let manifest = try host.plugins().open(plugin, now: try host.now()).manifest
        return { () throws(Diagnostic) in
            try EgressDesk(
                host: host, run: "r-alone", manifest: manifest, description: plan.description,
                decision: decision, clock: clock)
        }
    }
}
