public import EscrowDiagnostics
import EscrowJSON
public import EscrowLocationPrivacy
import Glibc

/// Where a provider says that this machine is.
public struct LiveFix: Sendable, Equatable {
    public let place: Coordinates
    /// How far off it may be, in metres; nil where the provider does not say.
    public let accuracy: Double?
    public let altitude: Double?
    /// Metres a second.
    public let speed: Double?
    /// Degrees from north.
    public let course: Double?
    /// When we heard of it, in seconds since 1970: receivers whose week number overflowed say another time.
    public let seconds: Int64

    /// Takes what a provider says; what cannot be is left out. Nil without a place on the globe.
    public init?(
        latitude: Double?, longitude: Double?, accuracy: Double?, altitude: Double? = nil,
        speed: Double? = nil,
        course: Double? = nil, seconds: Int64? = nil
    ) {
        guard let latitude, let longitude, let place = Coordinates(latitude: latitude, longitude: longitude)
        else {
            return nil
        }
        self.place = place
        self.accuracy = accuracy.flatMap { (0...1e7).contains($0) ? $0 : nil }
        self.altitude = altitude.flatMap { (-20_000...200_000).contains($0) ? $0 : nil }
        self.speed = speed.flatMap { (0...20_000).contains($0) ? $0 : nil }
        self.course = course.flatMap { (0...360).contains($0) ? $0 : nil }
        self.seconds = seconds ?? Int64(time(nil))
    }

    /// A message of OwnTracks, as `Location` reads it, no more exact than it is wanted.
    func json(_ desired: Exactness) -> JSONValue {
        let place = place.rounded(desired.decimals(at: place.latitude))
        var members: [(name: String, value: JSONValue)] = [
            ("_type", "location"), ("lat", .real(place.latitude)), ("lon", .real(place.longitude)),
            ("tst", .integer(seconds)),
        ]
        if let accuracy {
            members.append(("acc", .real(max(accuracy, desired == .exact ? 0 : desired.metres))))
        }
        // A height or a way is as good as a place in the mountains and on a road.
        guard desired == .exact else { return .object(members) }
        if let altitude { members.append(("alt", .real(altitude))) }
        if let speed { members.append(("vel", .real(speed * 3.6))) }
        if let course { members.append(("cog", .real(course))) }
        return .object(members)
    }
}

/// Who knows where this machine is.
public protocol LiveProvider: Sendable {
    /// The next fix; nil where none comes in time. Throws E1370 where the provider is gone, or was cancelled.
    func next(waitingMs: Int) throws(Diagnostic) -> LiveFix?
    /// Ends whatever waits; from any thread.
    func cancel()
}

extension Diagnostic {
    /// E1370.
    static func noProvider(_ name: String, _ why: String) -> Diagnostic {
        Diagnostic(
            .noLiveProvider, "\(name) does not tell where this machine is: \(why)",
            help: "see whether it runs; escrow location follow --help names both providers")
    }
}
