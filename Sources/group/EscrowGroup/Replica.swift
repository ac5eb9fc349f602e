/// How a group's objects come together, as its owner chose when it began.
public enum Rule: String, Sendable, Codable, CaseIterable {
    case newestWins = "newest-wins"
    case merging
}

/// Objects under the group's rule.
public struct Replica: Synchronisation, Sendable {
    private var stack: any Synchronisation<String> & Sendable

    public init(_ rule: Rule, member: String) {
        switch rule {
        case .newestWins: stack = NewestWins(member: member)
        case .merging: stack = Merging(member: member)
        }
    }

    public mutating func marshall(_ objectId: String, _ object: String, at now: Int64) throws(GroupError)
        -> String
    {
        try stack.marshall(objectId, object, at: now)
    }

    public mutating func marshallDeletion(_ objectId: String, at now: Int64) -> String {
        stack.marshallDeletion(objectId, at: now)
    }

    public mutating func updateRemote(_ objectId: String, _ content: String, at now: Int64?)
        throws(GroupError)
    {
        try stack.updateRemote(objectId, content, at: now)
    }

    public mutating func deleteRemote(_ objectId: String, _ content: String, at now: Int64?)
        throws(GroupError)
    {
        try stack.deleteRemote(objectId, content, at: now)
    }

    public var objects: [String: String] { stack.objects }

    public func writer(of objectId: String) -> String? { stack.writer(of: objectId) }

    public func version(of objectId: String) -> ObjectVersion? { stack.version(of: objectId) }
}
