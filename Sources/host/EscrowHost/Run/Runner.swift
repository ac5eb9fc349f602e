import EscrowComputation
import EscrowConsent
public import EscrowDiagnostics
import EscrowEgress
import EscrowLedger
import EscrowManifest
import EscrowRelational
import EscrowTrust

/// Runs `run(access(), compute())`, step by step. Each step is a file of this folder, in this order: Request, Verify,
/// Resolve, Explain, Decide, Place, RecordIntent, Access, Compute, Egress, CheckResult, RecordEnd.
public struct Runner {
    let host: any RunHost
    let decider: any Decider
    let observer: any RunObserver
    let cancellation: Cancellation
    let patience: Patience
    /// What times a run; tests put their own in.
    var clock: @Sendable () -> any RunClock = { MonotonicClock() }

    /// Prepares to run on a host.
    public init(
        host: Host, decider: any Decider, observer: any RunObserver,
        cancellation: Cancellation = Cancellation(), patience: Patience = .queue
    ) {
        self.init(
            on: host, decider: decider, observer: observer, cancellation: cancellation, patience: patience)
    }

    init(
        on host: any RunHost, decider: any Decider, observer: any RunObserver,
        cancellation: Cancellation = Cancellation(), patience: Patience = .queue
    ) {
        self.host = host
        self.decider = decider
        self.observer = observer
        self.cancellation = cancellation
        self.patience = patience
    }

    /// What a run would do, without starting anything or touching data.
    public func plan(_ request: RunRequest) throws(Diagnostic) -> RunPlan {
        let plugin = try verify(request.plugin)
        let resolved = try resolve(request, plugin)
        return RunPlan(
            description: resolved.description,
            decision: try host.decisions.decide(
                for: resolved.description.dataflow, rules: resolved.rules, claimed: nil),
            access: resolved.access.explanation)
    }

    /// Runs; the result is returned only after the ledger durably says that it is about to be.
    public func run(_ request: RunRequest) throws(Diagnostic) -> RunResult {
        var watch = Stopwatch()
        var figures = RunFigures()
        let plugin = try verify(request.plugin)
        figures.verifyMs = watch.lap()
        let resolved = try resolve(request, plugin)
        figures.resolveMs = watch.lap()
        var run = Run(request, plugin, resolved, figures)
        try decide(&run)
        run.figures.decideMs = watch.lap()
        begin(run)
        try identify(&run)
        let place = try place(run)
        // Held until the result is handed over: no run of another begins in its stead before.
        defer { withExtendedLifetime(place) {} }
        // The individual's thinking time is no part of the run, and waiting for a slot neither.
        watch = Stopwatch()
        try recordIntent(&run)
        run.figures.records = run.resolved.records
        let handover = Handover(run.plugin.manifest.resultMoments, clock: clock())
        cancellation.whenCancelled(handover.cancel)
        do {
            run.figures.recordMs = watch.lap()
            let result = try compute(&run, at: place, handover, &watch)
            run.figures.wholeMs = run.figures.verifyMs + run.figures.resolveMs + watch.total
            try recordEnd(&run, result)
            handover.wait()
            return RunResult(
                run: run.id, value: RunResult.Value(result),
                columns: run.plugin.manifest.result.columnNames, figures: run.figures)
        } catch {
            run.figures.wholeMs = run.figures.verifyMs + run.figures.resolveMs + watch.total
            try recordFailure(run, error)
            handover.wait()
            throw error
        }
    }
}
