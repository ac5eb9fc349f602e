package import EscrowDiagnostics
import EscrowLedger
package import EscrowTrust

/// Signs the ledger's checkpoints with the host's own key.
package struct HostSigner: HeadSigner {
    private let key: SigningKey
    private let verifier: HostVerifier

    package init(_ key: SigningKey) {
        self.key = key
        verifier = HostVerifier(key: key.publicKey)
    }

    package var keyID: String { verifier.keyID }
    package var publicKey: [UInt8] { verifier.publicKey }
    package func sign(_ message: [UInt8]) throws(Diagnostic) -> [UInt8] { try key.sign(checkpoint: message) }
    package func isValid(signature: [UInt8], for message: [UInt8]) -> Bool {
        verifier.isValid(signature: signature, for: message)
    }
}

/// Checks the signatures of the ledger's checkpoints.
package struct HostVerifier: HeadVerifier {
    package let key: PublicKey

    package init(key: PublicKey) { self.key = key }

    package var keyID: String { key.id.description }
    package var publicKey: [UInt8] { key.bytes }
    package func isValid(signature: [UInt8], for message: [UInt8]) -> Bool {
        key.isValid(signature, checkpoint: message)
    }
}
