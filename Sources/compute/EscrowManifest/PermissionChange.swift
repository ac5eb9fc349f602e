/// One difference between two permission sets, in words.
public struct PermissionChange: Sendable, Hashable, CustomStringConvertible {
    /// Which way it goes.
    public let direction: Direction
    /// A plain sentence without full stop, for example `may also read Contacts.birthday`.
    public let sentence: String
    /// Whether a grant is held against it. None is against what a run may use up.
    public let isBound: Bool

    /// Which way a change goes.
    public enum Direction: String, Sendable, Hashable {
        /// It asks for more.
        case wider
        /// It asks for less.
        case narrower
        /// It is neither: it must be asked about like something wider.
        case different
    }

    public var description: String { sentence }
}

/// Changes as they are found.
struct Changes {
    private var found: [PermissionChange] = []

    mutating func add(
        _ direction: PermissionChange.Direction, _ sentence: String, isBound: Bool = true
    ) {
        found.append(PermissionChange(direction: direction, sentence: sentence, isBound: isBound))
    }

    /// A number that went up or down.
    mutating func compare(
        _ old: Int, _ new: Int, smallerIsWider: Bool = false, isBound: Bool = true, _ what: String
    ) {
        guard old != new else { return }
        add(
            (new > old) != smallerIsWider ? .wider : .narrower, "\(what) is now \(new), it was \(old)",
            isBound: isBound)
    }

    /// Wider first, then different, then narrower; each kind in the order in which it was found.
    var sorted: [PermissionChange] {
        [.wider, .different, .narrower].flatMap { (direction: PermissionChange.Direction) in
            found.filter { $0.direction == direction }
        }
    }
}
