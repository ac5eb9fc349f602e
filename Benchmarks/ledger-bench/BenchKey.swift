import Crypto
import EscrowDiagnostics
import EscrowLedger

/// The key of benchmarks: fixed, so that several processes have the same. It protects nothing.
struct BenchKey: HeadSigner {
    private let key: Curve25519.Signing.PrivateKey
    let keyID = "SHA256:BENCH"
    var publicKey: [UInt8] { Array(key.publicKey.rawRepresentation) }

    init() throws { key = try .init(rawRepresentation: [UInt8](repeating: 9, count: 32)) }

    func sign(_ message: [UInt8]) throws(Diagnostic) -> [UInt8] {
        do { return Array(try key.signature(for: message)) } catch {
            throw Diagnostic(.ownFault, "the key cannot sign")
        }
    }

    func isValid(signature: [UInt8], for message: [UInt8]) -> Bool {
        key.publicKey.isValidSignature(signature, for: message)
    }
}
