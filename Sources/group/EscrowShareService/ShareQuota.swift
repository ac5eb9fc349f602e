/// How much somebody keeps: bytes, and in how many shares.
public struct Held: Sendable, Equatable {
    public let bytes: Int64
    public let shares: Int64

    public init(bytes: Int64, shares: Int64) {
        self.bytes = bytes
        self.shares = shares
    }
}

/// What a group, each of its members and all groups together may keep.
public struct ShareQuota: Sendable {
    public let group: Int64
    /// What a member may keep at least, however many there are.
    public let member: Int64
    public let total: Int64

    /// What a database keeps beside a share, about: names, times, places in indexes.
    public static let beside: Int64 = 256
    /// From so many on short shares are counted by what lies beside them.
    private static let few: Int64 = 1000

    public init(group: Int64, member: Int64, total: Int64 = .max) {
        self.group = group
        self.member = member
        self.total = total
    }

    /// Whether there is room for one more. A member has its part of what is all members'; the last tenth is the owner's alone, so
    /// that nobody keeps the owner from telling the others whom it removed.
    ///
    /// - Parameter total: what all groups keep here, each share with what is beside it.
    public func hasRoom(
        for size: Int, isOwner: Bool, members: Int64, group held: Held, own: Held, total taken: Int64
    ) -> Bool {
        guard taken + Int64(size) + Self.beside <= total else { return false }
        func fits(_ held: Held, _ limit: Int64) -> Bool {
            max(held.bytes + Int64(size), (held.shares + 1 - Self.few) * Self.beside) <= limit
        }
        guard !isOwner else { return fits(held, group) }
        let common = group - group / 10
        return fits(held, common) && fits(own, max(member, common / max(1, members)))
    }
}

extension ShareQuota: ExpressibleByIntegerLiteral {
    /// A group's, without a limit for each member.
    public init(integerLiteral group: Int64) { self.init(group: group, member: group) }
}
