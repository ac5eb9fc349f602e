/// How an app's objects become messages and come back: the thesis's plug-in. What it keeps must come out the same in
/// whatever order messages arrive, and however often; an object may come before one that it refers to. Identifiers are of
/// one object in the whole group, whatever its class.
public protocol Synchronisation<Object> {
    associatedtype Object

    /// The object as an update carries it.
    mutating func marshall(_ objectId: String, _ object: Object, at now: Int64) throws(GroupError) -> String
    /// What a deletion carries.
    mutating func marshallDeletion(_ objectId: String, at now: Int64) -> String
    /// Takes an update of another member's.
    mutating func updateRemote(_ objectId: String, _ content: String) throws(GroupError)
    /// Takes a deletion of another member's.
    mutating func deleteRemote(_ objectId: String, _ content: String) throws(GroupError)

    /// The objects that are there, by identifier.
    var objects: [String: Object] { get }
    /// What is known of an object, in the form in which others get it: to be kept, or given to a new member.
    func version(of objectId: String) -> ObjectVersion?
}

/// An object as it is kept: what an update or a deletion carries.
public struct ObjectVersion: Sendable, Equatable, Codable {
    public let isDeleted: Bool
    public let content: String

    public init(isDeleted: Bool, content: String) {
        self.isDeleted = isDeleted
        self.content = content
    }
}

extension Synchronisation {
    /// Takes what was kept, or what somebody else has.
    public mutating func take(_ version: ObjectVersion, of objectId: String) throws(GroupError) {
        if version.isDeleted {
            try deleteRemote(objectId, version.content)
        } else {
            try updateRemote(objectId, version.content)
        }
    }
}
