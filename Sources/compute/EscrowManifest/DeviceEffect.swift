/// What a plugin may have done on this machine: declared as an endpoint `device:NAME`, shown in a line of its own, recorded before it
/// is done.
public enum DeviceEffect: String, Sendable, Hashable, CaseIterable {
    /// A notification of the desktop, which says which plugin it is of. Desktop Notifications 1.2
    case notification
    /// What plays is paused, or goes on: MPRIS 2.2.
    case media

    /// In a few words, after "it may".
    public var words: String {
        switch self {
        case .notification: "show a notification"
        case .media: "control what plays"
        }
    }

    /// What a player can be told.
    public static let mediaActions = ["play", "pause", "play-pause", "stop", "next", "previous"]
}
