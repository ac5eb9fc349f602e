package import EscrowDiagnostics
package import EscrowSandbox

/// What a computation came to, kept also where it fails: for the ledger, and for "how far it came".
package final class ComputationRecord {
    /// Assets that the plugin opened, and bytes of them.
    package var assets = 0
    package var assetBytes = 0
    /// Bytes that the host wrote to it.
    package var writtenBytes = 0
    /// How its process ended.
    package var outcome: Outcome?
    /// Why it failed, where its outcome does not say.
    package var failure: Diagnostic?

    package init() {}

    /// What the plugin was given.
    package func fed(_ rows: RowStream) -> Outcome.Fed {
        var fed = Outcome.Fed()
        fed.rows = rows.rows
        fed.bytes = rows.bytes
        fed.assets = assets
        fed.assetBytes = assetBytes
        return fed
    }
}
