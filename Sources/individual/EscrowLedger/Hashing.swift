import Crypto
import EscrowJSON

/// SHA-256, and what the ledger makes of it.
enum Hashing {
    /// The SHA-256 of several pieces, one after the other (FIPS 180-4).
    static func sha256(_ pieces: [UInt8]...) -> [UInt8] {
        var hash = SHA256()
        for piece in pieces { piece.withUnsafeBytes { hash.update(bufferPointer: $0) } }
        return Array(hash.finalize())
    }

    /// The commitment to a record: it can be opened only by who has the salt, so that it says nothing about a record
    /// once salt and record are gone.
    static func commitment(salt: [UInt8], record: [UInt8]) -> [UInt8] { sha256(salt, record) }

    /// The leaf of a commitment (RFC 9162 section 2.1.1: a 0x00 before the entry).
    static func leaf(commitment: [UInt8]) -> [UInt8] { sha256([0x00], commitment) }

    /// An inner node (RFC 9162 section 2.1.1: a 0x01 before both sides).
    static func node(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] { sha256([0x01], left, right) }

    /// 32 bytes from the kernel's generator: on Linux the system generator of Swift reads getrandom(2).
    static func salt() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<4).flatMap { _ in
            let word = generator.next() as UInt64
            return (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }
        }
    }
}

/// A digest that can be published without saying anything about what it was made of, until the salt is shown.
public struct SaltedDigest: Sendable, Equatable {
    /// 32 random bytes, in hexadecimal.
    public let salt: String
    /// SHA-256(salt || bytes), in hexadecimal.
    public let digest: String

    public init(of bytes: [UInt8]) {
        let salt = Hashing.salt()
        self.salt = Hex.string(salt)
        digest = Hex.string(Hashing.commitment(salt: salt, record: bytes))
    }
}
