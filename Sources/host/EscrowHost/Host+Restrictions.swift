public import EscrowConsent
public import EscrowDiagnostics
import EscrowHome
import EscrowJSON
import EscrowLedger

extension Host {
    /// Adds a restriction, a later version of one, or its taking back, and records it.
    public func addRestriction(_ bytes: [UInt8], file: String) throws(Diagnostic) -> Restriction {
        let restriction = try restrictions.add(bytes, file: file)
        try ledger.append(
            .restrictionChanged,
            fields: [
                "action": .string(restriction.isRemoved ? "taken back" : "added"),
                "id": .string(restriction.id), "class": .string(restriction.kind.rawValue),
                "setBy": .string(restriction.setBy), "key": .string(restriction.fingerprint),
                "version": .integer(restriction.sequence),
                "freezesDecisions": .bool(restriction.freezesDecisions),
                "rules": .array(restriction.preferences.rules.map { .string($0.id) }),
            ])
        return restriction
    }

    /// Restrictions that the ledger knows to have been added and not taken back, and that are in force no more: somebody
    /// deleted their files.
    public func lostRestrictions() throws(Diagnostic) -> [String] {
        var added: Set<String> = []
        try ledgerReader().forEach { (entry) throws(Diagnostic) in
            guard entry.kind == .restrictionChanged, let id = entry.fields["id"]?.string else { return true }
            if entry.fields["action"]?.string == "added" { added.insert(id) } else { added.remove(id) }
            return true
        }
        return added.subtracting(try restrictions.list().map(\.id)).sorted()
    }
}
