internal import Crypto
internal import EscrowJSON
internal import FoundationEssentials

/// Who is in the group, and the key that they share. Each change of members begins an epoch with a new key, which those who
/// left never get.
public struct Epoch: Sendable, Equatable {
    public let group: String
    public let number: UInt64
    public let members: [String: MemberIdentity]
    let key: [UInt8]

    /// The first epoch of a group.
    public init(group: String, members: [String: MemberIdentity]) {
        self.init(group: group, number: 1, members: members, key: Self.newKey())
    }

    private init(group: String, number: UInt64, members: [String: MemberIdentity], key: [UInt8]) {
        self.group = group
        self.number = number
        self.members = members
        self.key = key
    }

    /// The next epoch, with these members.
    public func next(members: [String: MemberIdentity]) -> Epoch {
        Epoch(group: group, number: number + 1, members: members, key: Self.newKey())
    }

    private static func newKey() -> [UInt8] { SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) } }

    private static let suite = HPKE.Ciphersuite.Curve25519_SHA256_ChachaPoly
    private static let info = "escrow group epoch"

    /// What is signed of an epoch says for whom it was sealed: a member cannot hand it on as the owner's word to another.
    private static func statement(_ payload: [UInt8], for receiver: MemberIdentity) -> [UInt8] {
        Array("\(info)\n".utf8) + receiver.signing + receiver.agreement + payload
    }

    /// The epoch for one of its members: signed by the owner, sealed so that this member alone can read it.
    public func sealed(for member: String, by owner: MemberKeys) throws(GroupError) -> [UInt8] {
        guard let receiver = members[member] else { throw .notAMember }
        let members = members.sorted { $0.key < $1.key }.map {
            (name: $0.key, value: JSONValue.string($0.value.text))
        }
        let payload = JSONWriter.line(
            .object([
                ("group", .string(group)), ("epoch", .integer(Int64(clamping: number))),
                ("key", .string(Base64.encode(key))), ("members", .object(members)),
            ]))
        do {
            let signature = try owner.signing.signature(for: Self.statement(payload, for: receiver))
            var sender = try HPKE.Sender(
                recipientKey: Curve25519.KeyAgreement.PublicKey(rawRepresentation: receiver.agreement),
                ciphersuite: Self.suite, info: Data(Self.info.utf8))
            return Array(sender.encapsulatedKey) + Array(try sender.seal(Array(signature) + payload))
        } catch {
            throw .notAuthentic
        }
    }

    /// Opens an epoch that the owner sealed for the member with these keys.
    public init(_ bytes: [UInt8], for keys: MemberKeys, from owner: MemberIdentity) throws(GroupError) {
        guard bytes.count > 32,
            var opener = try? HPKE.Recipient(
                privateKey: keys.agreement, ciphersuite: Self.suite, info: Data(Self.info.utf8),
                encapsulatedKey: Data(bytes[..<32])),
            let inside = try? opener.open(Data(bytes[32...])), inside.count > 64
        else { throw .notAuthentic }
        let (signature, payload) = (Array(inside.prefix(64)), Array(inside.dropFirst(64)))
        guard owner.signed(signature, Self.statement(payload, for: keys.identity)) else {
            throw .notAuthentic
        }
        do throws(any Error) {
            var reader = try JSONObjectReader(JSONParser.parse(payload))
            group = try reader.required("group").requireString()
            let number = try reader.required("epoch").requireInteger()
            guard number >= 1, let key = Base64.decode(try reader.required("key").requireString()),
                key.count == 32
            else { throw GroupError.malformed }
            self.number = UInt64(number)
            self.key = key
            var members: [String: MemberIdentity] = [:]
            for member in try reader.required("members").requireMembers() {
                members[member.name] = try MemberIdentity(member.value.requireString())
            }
            self.members = members
            try reader.finish()
        } catch {
            throw .malformed
        }
    }
}
