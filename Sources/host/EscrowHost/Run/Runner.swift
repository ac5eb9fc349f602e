import EscrowComputation
import EscrowConsent
public import EscrowDiagnostics
import EscrowEgress
import EscrowManifest
import EscrowPlacement
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
    /// Measures how long a run takes; tests put their own clock in.
    var clock: @Sendable () -> any RunClock = { MonotonicClock() }

    /// Prepares to run on a host; where nothing else is said for nobody, whom nothing is asked or shown.
    public init(
        host: Host, decider: any Decider = NobodyDecides(), observer: any RunObserver = Silence(),
        cancellation: Cancellation = Cancellation(), patience: Patience = .queue
    ) {
        self.init(
            on: host, decider: decider, observer: observer, cancellation: cancellation, patience: patience)
    }

    init(
        on host: any RunHost, decider: any Decider = NobodyDecides(), observer: any RunObserver = Silence(),
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
        let request = try named(request)
        guard request.server == Self.auto else { return try planned(request, nil) }
        let (chosen, placement) = try choose(request)
        return try planned(chosen, placement)
    }

    private func planned(_ request: RunRequest, _ placement: Placement?) throws(Diagnostic) -> RunPlan {
        let plugin = try verify(request.plugin)
        let resolved = try resolve(request, plugin)
        return RunPlan(
            description: resolved.description,
            decision: try host.decisions.decide(
                for: resolved.description.dataflow, rules: resolved.rules, claimed: nil),
            access: resolved.access.explanation, pick: plugin.manifest.pick, placement: placement)
    }

    /// Runs; the result is returned only after the ledger durably says that it is about to be.
    ///
    /// Where the host chose a server for the run and that server fails, the run may go on here: `fallback` says when.
    public func run(_ request: RunRequest) throws(Diagnostic) -> RunResult {
        let request = try named(request)
        guard request.server == Self.auto else { return try runThere(request) }
        let (chosen, placement) = try choose(request)
        do { return try runThere(chosen) } catch {
            guard let again = try fallback(from: chosen, placement, after: error) else { throw error }
            return try runThere(again)
        }
    }

    private func runThere(_ request: RunRequest) throws(Diagnostic) -> RunResult {
        var watch = Stopwatch()
        var figures = RunFigures()
        let plugin = try verify(request.plugin)
        figures.verifyMs = watch.lap()
        let resolved = try resolve(request, plugin)
        figures.resolveMs = watch.lap()
        let run = Run(request, plugin, resolved, figures)
        try decide(run)
        run.figures.decideMs = watch.lap()
        begin(run)
        try identify(run)
        let place = try place(run)
        // The run keeps its slot until the result is handed over, so that no other run starts in it before.
        defer { withExtendedLifetime(place) {} }
        // The individual's thinking time is no part of the run, and waiting for a slot neither.
        watch = Stopwatch()
        // No plugin knows how long the record takes, so that it counts too.
        let handover = Handover(run.plugin.manifest.resultMoments, clock: clock())
        try recordIntent(run)
        run.figures.records = run.resolved.records
        cancellation.whenCancelled(handover.cancel)
        do {
            // The grant's use was written while the intent was. No data is read before both are on the disk.
            if let grant = run.decision.grant { try host.decisions.awaitUses(of: grant.id) }
            run.figures.recordMs = watch.lap()
            let result = try compute(run, at: place, handover, &watch)
            run.figures.wholeMs = run.figures.verifyMs + run.figures.resolveMs + watch.total
            try recordEnd(run, result)
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

extension Runner {
    /// Tells that the run begins. Where nobody was asked just now, what the question would have warned of is told too.
    func begin(_ run: Run) { begin(run.decision, run.asked) }

    /// The same, of a run that another process makes.
    func begin(_ decision: Decision, _ description: DataflowDescription) {
        let allowed = decision.sentence
        for warning in allowed == nil ? [] : description.warnings {
            let text = PlainText.neutral(warning, longest: 1000)
            observer.explain(TerminalText.hanging("warning  \(text)", width: observer.columns))
        }
        observer.begins(allowed)
    }
}
