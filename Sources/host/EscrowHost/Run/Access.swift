import EscrowComputation
import EscrowDiagnostics
import EscrowManifest
import EscrowRelational
import EscrowSandbox
import EscrowTrust

/// Step 8 of a run: the query is stepped, and its rows stream within the run's limits. From here on data is read.
extension Runner {
    func access(_ run: borrowing Run, _ limits: RunLimits) throws(Diagnostic) -> RowStream {
        let access = run.resolved.access
        cancellation.watch(access)
        return RowStream(
            try AccessRows(access, columns: run.plugin.manifest.accepts.columns), rows: limits[.rows],
            bytes: limits.sandbox.dataBytes)
    }
}
