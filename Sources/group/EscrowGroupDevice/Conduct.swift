internal import EscrowShareClient

/// How a device speaks with servers, and where noise comes from. Tests put their own in its place.
struct Conduct {
    /// How long one exchange may take.
    static let budget = Duration.seconds(20)

    /// Makes calls, of whose answers no more bytes are read than these.
    var answers: (_ calls: [Call], _ longest: Int, _ patience: Patience) -> Patience.Answers
    var now: () -> ContinuousClock.Instant = { .now }
    var random: any RandomNumberGenerator = SystemRandomNumberGenerator()
}
