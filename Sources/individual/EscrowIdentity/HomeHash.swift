internal import Crypto
public import EscrowMinimisation
internal import FoundationEssentials
internal import Synchronization

/// The keyed hash of a home: HMAC-SHA-256.
enum HomeHash {
    /// The hash for one app's secret and one publisher.
    static func make(secret: [UInt8], publisher: String) -> KeyedHash {
        let message = Array("escrow pseudonyms 1\n".utf8) + Array(publisher.utf8)
        let code = HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: secret))
        return make(key: SymmetricKey(data: Array(code)))
    }

    static func make(key: SymmetricKey) -> KeyedHash {
        KeyedHash { bytes in
            var hash = HMAC<SHA256>(key: key)
            hash.update(data: bytes)
            return hash.finalize().withUnsafeBytes {
                KeyedHash.Value(
                    high: UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
                    low: UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
            }
        }
    }
}

/// A hash whose key is set later: an access is prepared before the individual decides, and the app becomes known to the
/// home only if they allow it. Until then its key is random.
public final class DeferredHash: Sendable {
    private let hash: Mutex<KeyedHash>

    /// Keyed at random.
    public init() { hash = Mutex(HomeHash.make(key: SymmetricKey(size: .bits256))) }

    public func set(_ hash: KeyedHash) { self.hash.withLock { $0 = hash } }

    public var keyedHash: KeyedHash {
        KeyedHash { [self] bytes in hash.withLock { $0 }.digest(bytes) }
    }
}
