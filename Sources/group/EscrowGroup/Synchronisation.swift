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
    ///
    /// - Parameter now: the time, by which what nobody can have written yet is refused; none for what was kept.
    mutating func updateRemote(_ objectId: String, _ content: String, at now: Int64?) throws(GroupError)
    /// Takes a deletion of another member's.
    mutating func deleteRemote(_ objectId: String, _ content: String, at now: Int64?) throws(GroupError)

    /// The objects that are there, by identifier.
    var objects: [String: Object] { get }
    /// What is known of an object, in the form in which others get it: to be kept, or given to a new member.
    func version(of objectId: String) -> ObjectVersion?
    /// Who wrote the object as it stands; nil where that is not one member.
    func writer(of objectId: String) -> String?
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
    public func writer(of objectId: String) -> String? { nil }

    /// Takes what was kept, or what somebody else has.
    public mutating func take(_ version: ObjectVersion, of objectId: String) throws(GroupError) {
        if version.isDeleted {
            try deleteRemote(objectId, version.content, at: nil)
        } else {
            try updateRemote(objectId, version.content, at: nil)
        }
    }
}
