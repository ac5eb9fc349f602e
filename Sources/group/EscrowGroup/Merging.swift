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
        var state = states[objectId] ?? MergedObject()
        guard !state.isDeleted else { throw .deleted }
        try state.write(object, clock.stamp(at: now))
        states[objectId] = state
        return state.content
    }

    public mutating func marshallDeletion(_ objectId: String, at now: Int64) -> String {
        states[objectId] = .deleted
        return MergedObject.deleted.content
    }

    public mutating func updateRemote(_ objectId: String, _ content: String) throws(GroupError) {
        try merge(objectId, MergedObject(content))
    }

    public mutating func deleteRemote(_ objectId: String, _ content: String) throws(GroupError) {
        try merge(objectId, .deleted)
    }

    private mutating func merge(_ id: String, _ other: MergedObject) {
        for stamp in other.stamps { clock.see(stamp) }
        states[id, default: MergedObject()].merge(other)
    }

    public func version(of objectId: String) -> ObjectVersion? {
        states[objectId].map { ObjectVersion(isDeleted: $0.isDeleted, content: $0.content) }
    }
}
