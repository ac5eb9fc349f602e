/// Why something of a group's is refused. None holds a value of an object.
public enum GroupError: Error, Sendable, Equatable {
    /// Not one message, whole and alone, as this module writes it.
    case malformed
    /// Sealed for an epoch whose key is not here: older than is kept, or not yet received.
    case unknownEpoch
    /// The sender is no member any more, or never was.
    case notAMember
    /// The seal or the signature does not fit: altered, or written by somebody else than it says.
    case notAuthentic
    /// The object was deleted, and a deletion stands.
    case deleted
    /// Written later than this member's clock can believe: it is for that time, which may come when the clock is set right.
    case ahead(due: Int64)
    /// The class was not named when the group was set up.
    case unknownClass
}
