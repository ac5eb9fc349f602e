/// How often an app that follows is answered.
public enum FollowMode: String, Sendable, CaseIterable {
    /// At each move that its accuracy shows.
    case standard
    /// After half a kilometre and five minutes at least.
    case significant
    /// At the arrival where one stays, and when one has left.
    case visits
}
