internal import Crypto
internal import EscrowJSON
internal import FoundationEssentials

/// A member's own keys: one that signs, one that keys are sealed for.
public struct MemberKeys: Sendable {
    let signing: Curve25519.Signing.PrivateKey
    let agreement: Curve25519.KeyAgreement.PrivateKey

    /// New keys.
    public init() {
        signing = Curve25519.Signing.PrivateKey()
        agreement = Curve25519.KeyAgreement.PrivateKey()
    }

    /// Keys that were kept: 32 bytes of each, as ``bytes`` gave them.
    public init(_ bytes: [UInt8]) throws(GroupError) {
        guard bytes.count == 64,
            let signing = try? Curve25519.Signing.PrivateKey(rawRepresentation: bytes[..<32]),
            let agreement = try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: bytes[32...])
        else { throw .malformed }
        self.signing = signing
        self.agreement = agreement
    }

    /// What to keep, where nobody else reads.
    public var bytes: [UInt8] { Array(signing.rawRepresentation) + Array(agreement.rawRepresentation) }

    /// What others may know.
    public var identity: MemberIdentity {
        MemberIdentity(
            signing: Array(signing.publicKey.rawRepresentation),
            agreement: Array(agreement.publicKey.rawRepresentation))
    }
}

/// A member's public keys.
public struct MemberIdentity: Sendable, Equatable {
    let signing: [UInt8]
    let agreement: [UInt8]

    /// What two people compare by eye: eight groups of four characters, 128 bits of SHA-256 over both keys.
    public var fingerprint: String {
        let digest = SHA256.hash(data: Array("escrow member\n".utf8) + signing + agreement)
        let digits = Array("0123456789abcdef")
        let text = digest.prefix(16).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return stride(from: 0, to: 32, by: 4).map { String(text[$0..<$0 + 4]) }.joined(separator: " ")
    }

    /// Both keys as text, for an invitation.
    public var text: String { Base64.encode(signing + agreement) }

    /// Reads what ``text`` wrote.
    public init(_ text: String) throws(GroupError) {
        guard let bytes = Base64.decode(text), bytes.count == 64 else { throw .malformed }
        self.init(signing: Array(bytes[..<32]), agreement: Array(bytes[32...]))
    }

    init(signing: [UInt8], agreement: [UInt8]) {
        self.signing = signing
        self.agreement = agreement
    }

    func signed(_ signature: [UInt8], _ bytes: [UInt8]) -> Bool {
        guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: signing) else { return false }
        return key.isValidSignature(signature, for: bytes)
    }
}
