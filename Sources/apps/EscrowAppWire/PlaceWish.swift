import EscrowJSON

/// What an app says of a service that is told the individual's place: the host runs nothing that tells it another, or more.
public struct PlaceWish: Sendable, Equatable {
    /// The server, by its name in DNS.
    public var server: String
    /// The kind of service.
    public var service: String
    /// The most that it is told.
    public var accuracy: String

    /// Names all three.
    public init(server: String, service: String, accuracy: String) {
        self.server = server
        self.service = service
        self.accuracy = accuracy
    }

    init(_ node: JSONNode) throws(AppWireError) {
        var reader = try MemberReader(node, member: "place")
        server = try reader.requiredString("server")
        service = try reader.requiredString("service")
        accuracy = try reader.requiredString("accuracy")
        try reader.finish()
    }

    var words: [String] { [server, service, accuracy] }

    var json: JSONValue {
        ["server": .string(server), "service": .string(service), "accuracy": .string(accuracy)]
    }
}
