import EscrowDiagnostics
import EscrowHome
import EscrowLedger

/// The room that apps have in the ledger.
extension Host {
    /// How large the ledger is and may be, and whose room is used up, for `escrow doctor`.
    func ledgerRoom() throws(Diagnostic) -> String {
        let most = configuration.ledger.retention.maximumBytes ?? .max
        let day = ledgerUse.today()
        var parts = [
            "\(((try ledger.size()) + 1_048_575) >> 20) of \(most >> 20) MiB, then the oldest half goes"
        ]
        let full = day.apps.filter { $0.value >= configuration.ledger.appBytesPerDay }.keys.sorted()
        if !full.isEmpty {
            parts.append("used up for today by \(full.joined(separator: ", ")), which cannot run (E1128)")
        }
        if day.told.contains("") { parts.append("further refused requests of today are not recorded") }
        return parts.joined(separator: "; ")
    }
}
