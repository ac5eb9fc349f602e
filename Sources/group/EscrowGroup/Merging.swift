/// The alternative to ``NewestWins``: two members who change different parts of an object at once both keep what they wrote.
/// An object is a JSON object. Each of its values is a register, of which the last writing stands; an array is a set without
/// an order, of which an element goes only when whoever removed it had seen it. A deletion stands whatever others write.
public struct Merging: Synchronisation, Sendable, Equatable {
    private var clock: HybridClock
    private var states: [String: MergedObject] = [:]

    public init(member: String) { clock = HybridClock(writer: member) }

    public var objects: [String: String] { states.compactMapValues(\.object) }

    public mutating func marshall(_ objectId: String, _ object: String, at now: Int64) throws(GroupError)
        -> String
    {
        states[objectId]?.settle(at: now)
        var state = states[objectId] ?? MergedObject()
        guard !state.isDeleted else { throw .deleted }
        let known = states.values.lazy.flatMap(\.stamps)
        try state.write(object, clock.stamp(at: now, among: known))
        states[objectId] = state
        return state.content
    }

    public mutating func marshallDeletion(_ objectId: String, at now: Int64) -> String {
        states[objectId] = .deleted
        return MergedObject.deleted.content
    }

    public mutating func updateRemote(_ objectId: String, _ content: String, at now: Int64? = nil)
        throws(GroupError)
    {
        let other = try MergedObject(content)
        if let now { for stamp in other.stamps { try stamp.check(at: now) } }
        merge(objectId, other, at: now)
    }

    public mutating func deleteRemote(_ objectId: String, _ content: String, at now: Int64? = nil)
        throws(GroupError)
    {
        merge(objectId, .deleted, at: now)
    }

    private mutating func merge(_ id: String, _ other: MergedObject, at now: Int64?) {
        for stamp in other.stamps { clock.see(stamp) }
        if let now { states[id]?.settle(at: now) }
        states[id, default: MergedObject()].merge(other)
    }

    public func version(of objectId: String) -> ObjectVersion? {
        states[objectId].map { ObjectVersion(isDeleted: $0.isDeleted, content: $0.content) }
    }
}
