public import EscrowDiagnostics

/// Checks signatures over checkpoints: the host's public key.
public protocol HeadVerifier: Sendable {
    /// The key's id for people, for example `SHA256:fnvj…`.
    var keyID: String { get }
    /// The 32 bytes of the Ed25519 key.
    var publicKey: [UInt8] { get }
    /// Whether these bytes are this key's signature over that message, as it is (RFC 8032).
    func isValid(signature: [UInt8], for message: [UInt8]) -> Bool
}

/// Signs checkpoints: the host's own key.
public protocol HeadSigner: HeadVerifier {
    /// The signature over a message as it is. Only checkpoints are ever passed, whose first line is `escrow-ledger/…`.
    func sign(_ message: [UInt8]) throws(Diagnostic) -> [UInt8]
}
