internal import Crypto
public import EscrowDiagnostics
public import EscrowLedger

/// The key of benchmarks: fixed, so that several processes have the same. It protects nothing.
public struct BenchKey: HeadSigner {
    private let key: Curve25519.Signing.PrivateKey
    public let keyID = "SHA256:BENCH"
    public var publicKey: [UInt8] { Array(key.publicKey.rawRepresentation) }

    public init() throws { key = try .init(rawRepresentation: [UInt8](repeating: 9, count: 32)) }

    public func sign(_ message: [UInt8]) throws(Diagnostic) -> [UInt8] {
        do { return Array(try key.signature(for: message)) } catch {
            throw Diagnostic(.ownFault, "the key cannot sign")
        }
    }

    public func isValid(signature: [UInt8], for message: [UInt8]) -> Bool {
        key.publicKey.isValidSignature(signature, for: message)
    }
}
