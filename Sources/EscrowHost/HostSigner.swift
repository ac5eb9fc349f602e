import EscrowDiagnostics
import EscrowLedger
import EscrowTrust

/// Signs the ledger's checkpoints with the host's own key.
struct HostSigner: HeadSigner {
    private let key: SigningKey
    private let verifier: HostVerifier

    init(_ key: SigningKey) {
        self.key = key
        verifier = HostVerifier(key: key.publicKey)
    }

    var keyID: String { verifier.keyID }
    var publicKey: [UInt8] { verifier.publicKey }
    func sign(_ message: [UInt8]) throws(Diagnostic) -> [UInt8] { try key.sign(checkpoint: message) }
    func isValid(signature: [UInt8], for message: [UInt8]) -> Bool {
        verifier.isValid(signature: signature, for: message)
    }
}

/// Checks the signatures of the ledger's checkpoints.
struct HostVerifier: HeadVerifier {
    let key: PublicKey
    var keyID: String { key.id.description }
    var publicKey: [UInt8] { key.bytes }
    func isValid(signature: [UInt8], for message: [UInt8]) -> Bool {
        key.isValid(signature, checkpoint: message)
    }
}
