/// How an app's objects become messages and come back: the thesis's plug-in. What it keeps must come out the same in
/// whatever order messages arrive, and however often; an object may come before one that it refers to. Identifiers are of
/// one object in the whole group, whatever its class.
public protocol Synchronisation {
    associatedtype Object

    /// The object as an update carries it.
    mutating func marshall(_ objectId: String, _ object: Object, at now: Int64) -> String
    /// What a deletion carries.
    mutating func marshallDeletion(_ objectId: String, at now: Int64) -> String
    /// Takes an update of another member's.
    mutating func updateRemote(_ objectId: String, _ content: String) throws(GroupError)
    /// Takes a deletion of another member's.
    mutating func deleteRemote(_ objectId: String, _ content: String) throws(GroupError)
}
