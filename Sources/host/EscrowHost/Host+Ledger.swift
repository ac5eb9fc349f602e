import EscrowConsent
public import EscrowDiagnostics
import EscrowHome
public import EscrowLedger

extension Host {
    /// Erases the content of entries, for good.
    public func erase(_ entries: SequenceSet) throws(Diagnostic) -> LedgerEntry {
        try grants.synchronizeUses()
        return try ledger.erase(entries)
    }
}

extension Host {
    /// Records how often such requests came in all: when this host ends.
    package func recordUndecidedRest() throws(Diagnostic) {
        for fields in undecided.rest() { try recordRefusal(fields) }
    }
}

extension Host {
    /// The slots for runs of this home.
    var slots: RunSlots { RunSlots(directory: home.path + "/runs", caps: configuration.runs) }
}
