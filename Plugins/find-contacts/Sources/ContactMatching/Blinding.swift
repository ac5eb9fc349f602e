import CSodium

/// One side of a private set intersection by Diffie-Hellman: Huberman, Franklin, Hogg, "Enhancing privacy and trust in electronic
/// communities", 1999. The group is ristretto255 (RFC 9496), whose order is prime.
///
/// A text becomes a point of the group, and a secret multiplies it. Who has the other side multiply it once more, and takes their
/// own secret off again, holds the other's product of their own text, which they can look for among the products that the other
/// side published. The other side saw a point that any text could be.
public struct Blinding: Sendable {
    private let secret: [UInt8]
    private let inverse: [UInt8]

    /// A new secret, which nothing gives out.
    public init() {
        precondition(sodium_init() >= 0, "libsodium finds no randomness")
        let secret = Self.bytes { crypto_core_ristretto255_scalar_random($0) }
        self.secret = secret
        inverse = Self.bytes { _ = crypto_core_ristretto255_scalar_invert($0, secret) }
    }

    /// The point of a text, multiplied.
    public func blinded(_ text: String) -> [UInt8] {
        let text = Array("escrow-contacts/3".utf8) + Array(text.utf8)
        var hash = [UInt8](repeating: 0, count: Int(crypto_hash_sha512_BYTES))
        crypto_hash_sha512(&hash, text, UInt64(text.count))
        let point = Self.bytes { _ = crypto_core_ristretto255_from_hash($0, hash) }
        // Of 2²⁵² points one has no product: the neutral one.
        return Self.product(secret, point)!
    }

    /// A point of the other side's, multiplied by this one's secret as well; nil for what is no point.
    public func blinded(point: [UInt8]) -> [UInt8]? { Self.product(secret, point) }

    /// A point without this side's secret, which had multiplied it; nil for what is no point.
    public func unblinded(_ point: [UInt8]) -> [UInt8]? { Self.product(inverse, point) }

    private static func product(_ factor: [UInt8], _ point: [UInt8]) -> [UInt8]? {
        guard point.count == size else { return nil }
        var isPoint = false
        let product = bytes { isPoint = crypto_scalarmult_ristretto255($0, factor, point) == 0 }
        return isPoint ? product : nil
    }

    /// Points and factors alike.
    private static let size = Int(crypto_core_ristretto255_BYTES)

    private static func bytes(_ fill: (UnsafeMutablePointer<UInt8>) -> Void) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            buffer.initialize(repeating: 0)
            fill(buffer.baseAddress!)
            count = size
        }
    }
}
