import Crypto
import EscrowDiagnostics
import Foundation
import Glibc

@testable import EscrowLedger

/// A signing key made from a fixed seed. TEST ONLY.
struct TestKey: HeadSigner {
    let key: Curve25519.Signing.PrivateKey
    let keyID: String
    var publicKey: [UInt8] { Array(key.publicKey.rawRepresentation) }

    init(seed: UInt8 = 7) throws {
        key = try Curve25519.Signing.PrivateKey(rawRepresentation: [UInt8](repeating: seed, count: 32))
        keyID = "SHA256:TEST-ONLY-\(seed)"
    }

    func sign(_ message: [UInt8]) throws(Diagnostic) -> [UInt8] {
        do { return Array(try key.signature(for: message)) } catch {
            throw Diagnostic(.ownFault, "the test key cannot sign")
        }
    }

    func isValid(signature: [UInt8], for message: [UInt8]) -> Bool {
        key.publicKey.isValidSignature(signature, for: message)
    }
}

/// A folder that is gone when the test is over.
final class Scratch: Sendable {
    let path: String

    init() {
        var template = Array("/tmp/escrow-ledger-XXXXXX".utf8CString)
        path = template.withUnsafeMutableBufferPointer { String(cString: mkdtemp($0.baseAddress!)) }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Where the ledger of a test lies.
    var ledger: String { "\(path)/ledger" }
    /// Where a copy of its heads lies.
    var copy: String { "\(path)/ledger.heads" }
    /// The first file of its records.
    var log: String { "log.1" }

    func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: "\(ledger)/\(name)")))
    }

    func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: "\(ledger)/\(name)"))
    }

    func copyBytes() throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: copy))) }
    func write(copy bytes: [UInt8]) throws { try Data(bytes).write(to: URL(fileURLWithPath: copy)) }
}
