import EscrowConsent
public import EscrowDiagnostics
import EscrowHome
import EscrowJSON
import EscrowLedger

extension Host {
    /// The decision that the last change made and that still stands; nil where it made none.
    public func lastDecision() throws(Diagnostic) -> String? {
        var last: String?
        try home.ledgerReader().forEach { (entry) throws(Diagnostic) in
            if entry.kind == .grantChanged {
                let isMade = ["allowed", "limited", "denied"].contains(entry.fields["action"]?.string ?? "")
                last = isMade ? entry.fields["id"]?.string : nil
            }
            return true
        }
        guard let last, try grants.list().contains(where: { $0.id == last }) else { return nil }
        return last
    }
}
