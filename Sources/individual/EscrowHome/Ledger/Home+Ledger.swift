public import EscrowDiagnostics
public import EscrowLedger
public import EscrowTrust

/// The ledger of a home, where it is looked at or repaired and nothing else is: a host opens no ledger that is damaged.
extension Home {
    /// Reads the ledger.
    public func ledgerReader() throws(Diagnostic) -> LedgerReader {
        ledgerReader(try hostKey().publicKey, try HostConfiguration.load(self).ledger)
    }

    package func ledgerReader(_ key: PublicKey, _ configuration: LedgerConfiguration) -> LedgerReader {
        LedgerReader(
            directory: ledgerPath, copies: headCopies(configuration), verifier: HostVerifier(key: key))
    }

    /// The files outside the ledger that hold its heads: one in the home, and one wherever the individual wants it.
    package func headCopies(_ configuration: LedgerConfiguration) -> [String] {
        [headsPath] + (configuration.copy.map { [$0] } ?? [])
    }

    /// Goes on with a damaged ledger without what is lost, and records what that is.
    public func repairLedger() throws(Diagnostic) -> LedgerRepair {
        try Ledger.repair(
            directory: ledgerPath, copies: headCopies(try HostConfiguration.load(self).ledger),
            signer: HostSigner(try hostKey()))
    }

    /// Checks a proof about a ledger against the key of its host. Returns the entry that it is about, if it says one.
    public static func verify(_ proof: LedgerProof, key: PublicKey) throws(Diagnostic) -> LedgerEntry? {
        try proof.verify(HostVerifier(key: key))
    }
}
