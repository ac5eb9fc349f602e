public import EscrowManifest

/// A request that was filled in, and may leave if nobody is against it.
public struct PreparedRequest {
    /// The endpoint of the manifest.
    public let endpoint: EgressEndpoint
    /// The request, and the values of its fields.
    public let filled: RequestTemplate.Filled
    /// The file that goes along.
    var file: (any RequestFile)? = nil
    /// How many bytes it sends.
    public var count: Int { filled.request.count }
    /// Its bytes as they are sent.
    public var bytes: [UInt8] { filled.request.bytes }
}

/// A request that is about to leave, and where it goes.
public struct Sending {
    /// The endpoint of the manifest.
    public let endpoint: EgressEndpoint
    /// The values of its fields.
    public let values: [FieldValue]
    /// The bytes.
    public let request: OutgoingRequest
    /// The checked address.
    public let destination: Destination
    /// How many requests leave together with it, itself included; nil where it leaves alone.
    public let together: Int?
    /// What it tells of the individual's place; nil where it tells none.
    public internal(set) var place: SentPlace?
    /// The file that goes along.
    let file: (any RequestFile)?

    init(_ prepared: PreparedRequest, to destination: Destination, together: Int? = nil) {
        endpoint = prepared.endpoint
        values = prepared.filled.values
        request = prepared.filled.request
        self.destination = destination
        self.together = together
        file = prepared.file
    }

    /// A token that is asked for, so that a request of this endpoint can be sent.
    init(token request: OutgoingRequest, endpoint: EgressEndpoint, to destination: Destination) {
        self.endpoint = endpoint
        values = []
        self.request = request
        self.destination = destination
        together = nil
        file = nil
    }
}
