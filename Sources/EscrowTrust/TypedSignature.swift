public import EscrowDiagnostics

/// Signatures without an envelope around them, for documents that keep theirs elsewhere (a ledger's head). The payload
/// type is signed all the same, so such a signature never counts for anything else.
extension SigningKey {
    /// The signature over a payload of that type, 64 bytes.
    public func sign(_ payload: [UInt8], as type: PayloadType) throws(Diagnostic) -> [UInt8] {
        try signature(for: Envelope.preauthenticated(payload, type.rawValue))
    }
}

extension PublicKey {
    /// Whether these bytes are this key's signature over a payload of that type.
    public func isValid(_ signature: [UInt8], over payload: [UInt8], as type: PayloadType) -> Bool {
        isValid(signature, for: Envelope.preauthenticated(payload, type.rawValue))
    }
}
