/// What may come back.
public struct EgressResponse: Sendable, Hashable {
    /// The media type; another one is refused.
    public let mediaType: String
    /// The most bytes of the body.
    public let maxBytes: Int
    /// Of JSON the members that the plugin gets, as `main.temp`; nil for all. Lists on the way are looked through.
    public let members: [String]?
}
