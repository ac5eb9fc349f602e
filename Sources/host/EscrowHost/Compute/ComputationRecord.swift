import EscrowSandbox

/// What a computation came to, kept also where it fails: for the ledger, and for "how far it came".
final class ComputationRecord {
    /// Assets that the plugin opened, and bytes of them.
    var assets = 0
    var assetBytes = 0
    /// Bytes that the host wrote to it.
    var writtenBytes = 0
    /// How its process ended.
    var outcome: Outcome?

    /// What the plugin was given.
    func fed(_ rows: RowStream) -> Outcome.Fed {
        var fed = Outcome.Fed()
        fed.rows = rows.rows
        fed.bytes = rows.bytes
        fed.assets = assets
        fed.assetBytes = assetBytes
        return fed
    }
}
