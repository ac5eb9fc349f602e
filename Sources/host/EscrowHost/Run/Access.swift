import EscrowComputation
import EscrowDiagnostics
import EscrowManifest
import EscrowSandbox
import EscrowTrust

/// Step 8 of a run: the query is stepped, and its rows stream within the run's limits. From here on data is read.
extension Runner {
    func access(_ run: Run, _ limits: RunLimits) throws(Diagnostic) -> RowStream {
        let access = run.resolved.access
        cancellation.watch(access)
        var rows: any RowProvider = try AccessRows(access, columns: run.plugin.manifest.accepts.columns)
        if let rule = run.plugin.manifest.pick { rows = try picked(of: rows, rule, run) }
        return RowStream(
            rows, rows: limits[.rows], bytes: limits.sandbox.dataBytes, isFar: run.resolved.server != nil)
    }
}
