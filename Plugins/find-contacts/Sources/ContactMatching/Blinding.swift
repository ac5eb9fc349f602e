public import Crypto

/// One side of a private set intersection by Diffie-Hellman over P-256, whose order is prime: Huberman, Franklin, Hogg, "Enhancing
/// privacy and trust in electronic communities", 1999.
///
/// A text becomes a point of the curve, and a secret multiplies it. Who has the other side multiply it once more, and takes their
/// own secret off again, holds the other's product of their own text, which they can look for among the products that the other
/// side published. The other side saw a point that any text could be.
///
/// A point stands by its x-coordinate, 32 bytes, since that is what ECDH gives (RFC 6090, section 4). Of the two points that have it
/// the even one is meant; the products of both have one x-coordinate as well.
public struct Blinding: Sendable {
    private let secret: P256.KeyAgreement.PrivateKey
    private let inverse: P256.KeyAgreement.PrivateKey

    /// A new secret, which nothing gives out.
    public init() throws { try self.init(secret: P256.KeyAgreement.PrivateKey()) }

    /// A secret that is kept: a server's own, by which its users are published.
    public init(secret: P256.KeyAgreement.PrivateKey) throws {
        self.secret = secret
        // The library makes none that is zero or beyond the order.
        guard let factor = Scalar(secret.rawRepresentation) else {
            throw CryptoKitError.incorrectParameterSize
        }
        inverse = try P256.KeyAgreement.PrivateKey(rawRepresentation: factor.inverse.bytes)
    }

    /// The point of a text, multiplied.
    public func blinded(_ text: String) -> [UInt8] {
        var count: UInt32 = 0
        while true {
            // Every other x-coordinate is one of a point: the next is tried until it is, as openmined-psi does. How often says
            // nothing to anybody outside this process.
            let x = withUnsafeBytes(of: count.bigEndian) { counter in
                var hash = SHA256()
                hash.update(data: Array("escrow-contacts/2".utf8))
                hash.update(bufferPointer: counter)
                hash.update(data: Array(text.utf8))
                return Array(hash.finalize())
            }
            if let product = Self.product(secret, x) { return product }
            count += 1
        }
    }

    /// A point of the other side's, multiplied by this one's secret as well; nil for what is no point.
    public func blinded(point x: [UInt8]) -> [UInt8]? { Self.product(secret, x) }

    /// A point without this side's secret, which had multiplied it; nil for what is no point.
    public func unblinded(_ x: [UInt8]) -> [UInt8]? { Self.product(inverse, x) }

    private static func product(_ factor: P256.KeyAgreement.PrivateKey, _ x: [UInt8]) -> [UInt8]? {
        guard x.count == 32, let point = try? P256.KeyAgreement.PublicKey(compressedRepresentation: [2] + x),
            let product = try? factor.sharedSecretFromKeyAgreement(with: point)
        else { return nil }
        return product.withUnsafeBytes { Array($0) }
    }
}
