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
    public var body: [UInt8] = []

    public init(method: Method, path: String, after: String? = nil, key: String? = nil, body: [UInt8] = []) {
        self.method = method
        self.path = path
        self.after = after
        self.key = key
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
    public var groups: Int64 = 1000
    public var members: Int64 = 256
    /// Requests of one member each second, and how many at once after a rest.
    public var rate = 200.0
    public var burst = 2000.0
    /// In milliseconds.
    public var timeToLive: ClosedRange<Int64> = 100...30 * 86_400_000
    /// Of a listing, before base64.
    public var listingBytes = 8 << 20

    public init() {}
}
