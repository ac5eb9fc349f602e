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

extension MemberKeys {
    private static let suite = HPKE.Ciphersuite.Curve25519_SHA256_ChachaPoly
    static let letter = "escrow group letter"

    /// The bytes that are signed. They name the purpose and the receiver, so that the receiver cannot pass the message on as if it
    /// had been sent to another member.
    private static func statement(_ payload: [UInt8], for receiver: MemberIdentity, as purpose: String)
        -> [UInt8]
    {
        Array("\(purpose)\n".utf8) + receiver.signing + receiver.agreement + payload
    }

    /// Bytes that this member signed, and one other alone can read: HPKE, RFC 9180.
    public func seal(_ payload: [UInt8], for receiver: MemberIdentity, as purpose: String) throws(GroupError)
        -> [UInt8]
    {
        do {
            let signature = try signing.signature(for: Self.statement(payload, for: receiver, as: purpose))
            var sender = try HPKE.Sender(
                recipientKey: Curve25519.KeyAgreement.PublicKey(rawRepresentation: receiver.agreement),
                ciphersuite: Self.suite, info: Data(purpose.utf8))
            return Array(sender.encapsulatedKey) + Array(try sender.seal(Array(signature) + payload))
        } catch {
            throw .notAuthentic
        }
    }

    /// Opens what another sealed for this member and this purpose.
    public func open(_ bytes: [UInt8], from sender: MemberIdentity, as purpose: String) throws(GroupError)
        -> [UInt8]
    {
        guard bytes.count > 32,
            var opener = try? HPKE.Recipient(
                privateKey: agreement, ciphersuite: Self.suite, info: Data(purpose.utf8),
                encapsulatedKey: Data(bytes[..<32])),
            let inside = try? opener.open(Data(bytes[32...])), inside.count > 64
        else { throw .notAuthentic }
        let (signature, payload) = (Array(inside.prefix(64)), Array(inside.dropFirst(64)))
        guard sender.signed(signature, Self.statement(payload, for: identity, as: purpose)) else {
            throw .notAuthentic
        }
        return payload
    }

    /// This member's signature under bytes that say themselves what they are for.
    public func sign(_ bytes: [UInt8]) throws(GroupError) -> [UInt8] {
        do { return Array(try signing.signature(for: bytes)) } catch { throw .notAuthentic }
    }
}

/// A member's public keys.
public struct MemberIdentity: Sendable, Hashable {
    let signing: [UInt8]
    let agreement: [UInt8]

    /// What two people compare by eye: eight groups of four characters, 128 bits of SHA-256 over both keys.
    public var fingerprint: String {
        Self.groups(8, of: Array("escrow member\n".utf8) + signing + agreement).joined(separator: " ")
    }

    /// The first groups of four hexadecimal digits of a digest.
    static func groups(_ count: Int, of bytes: [UInt8]) -> [String] {
        let digits = Array("0123456789abcdef")
        let text = SHA256.hash(data: bytes).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return (0..<count).map { String(text[4 * $0..<4 * $0 + 4]) }
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

    /// Whether this member signed these bytes.
    public func signed(_ signature: [UInt8], _ bytes: [UInt8]) -> Bool {
        guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: signing) else { return false }
        return key.isValidSignature(signature, for: bytes)
    }
}

extension MemberIdentity: Codable {
    public init(from decoder: any Decoder) throws {
        try self.init(decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
