/// One request to a server.
public struct Call: Sendable {
    public let server: ServerAddress
    public let method: String
    public let path: String
    public let key: String?
    public let body: [UInt8]

    public init(
        _ server: ServerAddress, _ method: String, _ path: String, key: String? = nil, body: [UInt8] = []
    ) {
        self.server = server
        self.method = method
        self.path = path
        self.key = key
        self.body = body
    }

    /// What came of it.
    public enum Outcome: Sendable, Equatable {
        case answered(status: Int, body: [UInt8])
        /// No connection, or no answer in time.
        case unreachable
        /// Somebody answers there who does not have the server's key.
        case stranger
    }
}
