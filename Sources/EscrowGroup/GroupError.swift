/// Why something of a group's is refused. None holds a value of an object.
public enum GroupError: Error, Sendable, Equatable {
    /// Not one message, whole and alone, as this module writes it.
    case malformed
    /// The class was not named when the group was set up.
    case unknownClass
}
