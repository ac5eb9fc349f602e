public import EscrowDiagnostics

/// Checks signatures over ledger heads: the host's public key.
public protocol HeadVerifier: Sendable {
    /// The key's id, for example `SHA256:fnvj…`; only a hint inside a head, compared by equality.
    var keyID: String { get }
    /// Whether these bytes are this key's signature over that message.
    func isValid(signature: [UInt8], for message: [UInt8]) -> Bool
}

/// Signs ledger heads: the host's own key.
public protocol HeadSigner: HeadVerifier {
    /// The signature over a message.
    func sign(_ message: [UInt8]) throws(Diagnostic) -> [UInt8]
}
