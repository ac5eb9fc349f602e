internal import Crypto
internal import EscrowJSON
internal import FoundationEssentials

/// A seed of 32 bytes, and the residues that it stands for: those of the key stream of ChaCha20.
struct Mask {
    let seed: [UInt8]

    /// A fresh seed.
    init() { seed = SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) } }

    init(seed: [UInt8]) { self.seed = seed }

    /// What two members have between them, and nobody else: each from the own secret and the
    /// other's public key (RFC 7748). Both members, both keys and the set that they are in go into
    /// it: else somebody who gives another's key as their own makes two masks of a third that
    /// cancel each other.
    init?(
        secret: [UInt8], of member: String, with other: (member: String, key: [UInt8]), in question: String,
        among first: [UInt8]
    ) {
        guard let own = try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: secret),
            let key = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: other.key),
            let shared = try? own.sharedSecretFromKeyAgreement(with: key)
        else { return nil }
        let pair = [(member, Array(own.publicKey.rawRepresentation)), (other.member, other.key)]
            .sorted { $0.0 < $1.0 }
            .map { JSONValue.array([.string($0.0), .string(Hex.string($0.1))]) }
        let info: JSONValue = [
            "escrow answer mask", .string(question), .string(Hex.string(first)), .array(pair),
        ]
        seed = shared.hkdfDerivedSymmetricKey(
            using: SHA256.self, salt: Data(), sharedInfo: Data(JSONWriter.line(info)), outputByteCount: 32
        ).withUnsafeBytes { Array($0) }
    }

    /// A digest of a set of members, in one order.
    static func digest(of members: [String]) -> [UInt8] {
        Array(SHA256.hash(data: JSONWriter.line(.array(members.map { .string($0) }))))
    }

    /// The first residues. Of 2⁶¹ values of 61 bits one is not a residue and counts as zero.
    func residues(_ count: Int) -> [UInt64] {
        let zeros = [UInt8](repeating: 0, count: 8 * count)
        guard
            let box = try? ChaChaPoly.seal(
                zeros, using: SymmetricKey(data: seed),
                nonce: ChaChaPoly.Nonce(data: [UInt8](repeating: 0, count: 12)))
        else { preconditionFailure("a seed has 32 bytes") }
        let stream = Array(box.ciphertext)
        return (0..<count).map { index in
            let word =
                stream[8 * index..<8 * index + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
                & Residues.modulus
            return word == Residues.modulus ? 0 : word
        }
    }
}
