import EscrowDiagnostics
import EscrowLedger
import EscrowTrust

/// Signs the ledger's heads with the host's own key.
struct HostSigner: HeadSigner {
    private let key: SigningKey
    private let verifier: HostVerifier

    init(_ key: SigningKey) {
        self.key = key
        verifier = HostVerifier(key: key.publicKey)
    }

    var keyID: String { verifier.keyID }
    func sign(_ message: [UInt8]) throws(Diagnostic) -> [UInt8] { try key.sign(message, as: .ledgerHead) }
    func isValid(signature: [UInt8], for message: [UInt8]) -> Bool {
        verifier.isValid(signature: signature, for: message)
    }
}

/// Checks the signatures of the ledger's heads.
struct HostVerifier: HeadVerifier {
    let key: PublicKey
    var keyID: String { key.id.description }
    func isValid(signature: [UInt8], for message: [UInt8]) -> Bool {
        key.isValid(signature, over: message, as: .ledgerHead)
    }
}
