/// A place at a moment, as an attacker sees it or as it was.
public struct TimedPlace: Sendable, Hashable {
    /// Where.
    public let place: Coordinates
    /// When, in seconds since 1970.
    public let seconds: Int64
    /// The minute of the local day.
    public let minute: Int

    /// Takes all.
    public init(place: Coordinates, seconds: Int64, minute: Int) {
        self.place = place
        self.seconds = seconds
        self.minute = minute
    }
}
