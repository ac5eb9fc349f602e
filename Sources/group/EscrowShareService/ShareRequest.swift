/// One request, as HTTP brought it.
public struct ShareRequest: Sendable {
    public enum Method: String, Sendable, CaseIterable {
        case get = "GET", put = "PUT", post = "POST", delete = "DELETE"
    }

    public let method: Method
    public let path: String
    /// After which number a listing begins.
    public let after: String?
    /// Of `Authorization: Bearer`.
    public let key: String?
    /// From where it comes; nil where that says nothing.
    public let address: String?
    /// How long its body is by its head; nil where that does not say.
    public let length: Int?
    public var body: [UInt8] = []

    public init(
        method: Method, path: String, after: String? = nil, key: String? = nil, address: String? = nil,
        length: Int? = nil, body: [UInt8] = []
    ) {
        self.method = method
        self.path = path
        self.after = after
        self.key = key
        self.address = address
        self.length = length
        self.body = body
    }
}

/// What it is answered.
public struct ShareAnswer: Sendable, Equatable {
    /// Of HTTP, RFC 9110 section 15.
    public let status: UInt32
    public let body: [UInt8]

    public init(status: UInt32, body: [UInt8] = []) {
        self.status = status
        self.body = body
    }
}

/// What one service takes, whatever a client wants.
public struct ShareLimits: Sendable {
    public var shareBytes = 20 << 20
    public var groupBytes: Int64 = 256 << 20
    /// Of all groups together; nil for what the store has.
    public var totalBytes: Int64?
    public var groups: Int64 = 1000
    /// How many groups one address may begin at once; as many again within four days, so that it never fills the server.
    public var foundings = 50.0
    /// How long a group is kept at least that nobody asks for.
    public var unusedTime: Int64 = 86_400_000
    public var members: Int64 = 256
    /// Requests of one member each second, and how many at once after a rest.
    public var rate = 200.0
    public var burst = 2000.0
    /// Of all long bodies and answers that are on their way.
    public var bodiesBytes = 256 << 20
    /// How long a request may be on its way, in milliseconds.
    public var requestTime: Int64 = 60_000
    /// In milliseconds.
    public var timeToLive: ClosedRange<Int64> = 100...30 * 86_400_000
    /// Of a listing, before base64.
    public var listingBytes = 8 << 20

    public init() {}
}
