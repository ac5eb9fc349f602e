import EscrowComputation
import EscrowConsent
import EscrowDiagnostics
import EscrowHome
import EscrowManifest
import EscrowMinimisation
import EscrowRelational
import EscrowRemote
import EscrowSandbox
import EscrowTrust

/// Step 9 of a run: one process for this run alone is given the rows of `access()` (Ds).
extension Runner {
    /// Access, compute and egress stream into each other; then the result is checked.
    func compute(
        _ run: Run, at place: any ComputePlace, _ handover: Handover, _ watch: inout Stopwatch
    ) throws(Diagnostic) -> NormalizedResult {
        let manifest = run.plugin.manifest
        let identity = PluginIdentity(manifest)
        let limits = RunLimits(manifest, caps: host.configuration.caps).with(cpuSeconds: run.today.cpuSeconds)
        // However the run ends, reading ahead ends with it: those rows would reach nobody, and the ledger is about to be told what
        // was read.
        let access = run.resolved.access
        defer { access.close() }
        let rows = try self.access(run, limits)
        let record = ComputationRecord()
        defer { run.figures.take(record, rows, limits) }
        try rows.require(minimum: manifest.accepts.rows.minimum, plugin: identity.shortName)
        let desk = try egress(run)
        defer { run.figures.take(desk) }
        let computation = Computation(
            plugin: identity, manifest: manifest, limits: limits, rows: rows, assets: run.resolved.assets,
            stripsFiles: run.description.minimisation.stripsFiles, fetcher: desk, record: record,
            progress: observer.progress, log: observer.log)
        let arguments = run.resolved.arguments
        let process = try place.launch(
            run.plugin, limits: limits.sandbox,
            opening: computation.opening(run: run.id, arguments: arguments))
        run.figures.server = (process as? RemoteProcess)?.begun
        run.figures.attested = (process as? RemoteProcess)?.attested
        if let desk { cancellation.whenCancelled(desk.stop) }
        handover.connections = desk
        cancellation.watch(process)
        run.figures.launchMs = watch.lap()
        let product = try computation.run(process, run: run.id, arguments: arguments)
        run.figures.computeMs = watch.lap()
        let result = try checkResult(run, product, sentBytes: desk?.sentBytes ?? 0)
        run.figures.resultBytes = result.size
        run.figures.resultMs = watch.lap()
        return result
    }
}
