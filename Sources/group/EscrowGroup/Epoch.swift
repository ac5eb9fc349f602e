internal import Crypto

/// Who is in the group, and the key that they share. Each change of members begins an epoch with a new key, which those who
/// left never get.
public struct Epoch: Sendable, Equatable, Codable {
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
}
