public import EscrowDiagnostics

/// Signatures over the checkpoints of a ledger (C2SP signed-note), which are over the text as it is. Such a text begins
/// with `escrow-ledger/`, and what is signed in an envelope with `DSSEv1 `: neither counts for the other.
extension SigningKey {
    /// The signature over the text of a checkpoint, 64 bytes; throws for any other text.
    public func sign(checkpoint text: [UInt8]) throws(Diagnostic) -> [UInt8] {
        guard text.starts(with: "escrow-ledger/".utf8) else {
            throw Diagnostic(.ownFault, "what was to be signed is no checkpoint")
        }
        return try signature(for: text)
    }
}

extension PublicKey {
    /// Whether these bytes are this key's signature over the text of a checkpoint.
    public func isValid(_ signature: [UInt8], checkpoint text: [UInt8]) -> Bool {
        text.starts(with: "escrow-ledger/".utf8) && isValid(signature, for: text)
    }
}
