/// Where a request goes: one address that was checked, and how it is spoken to.
public struct Destination: Sendable, Hashable {
    /// The name that the certificate must bear.
    public let host: String
    /// The address to connect to; no name is resolved again.
    public let address: IPAddress
    /// The TCP port.
    public let port: Int
    /// Without TLS: only for a stand-in on loopback that the individual configured.
    public let isPlain: Bool
    /// A stand-in on loopback: the one place where further certificate authorities are trusted.
    public let isStandIn: Bool
    /// SHA-256 digests of public keys (SubjectPublicKeyInfo) of which the certificate must have one; empty: any that a
    /// trusted authority vouches for.
    public let pins: [[UInt8]]
    /// Mail is handed in there, by SMTP.
    public let isMail: Bool
    /// Nothing leaves: it is done on this machine.
    public let isDevice: Bool

    /// Names it.
    public init(
        host: String, address: IPAddress, port: Int = 443, isPlain: Bool = false, isStandIn: Bool = false,
        pins: [[UInt8]] = [], isMail: Bool = false, isDevice: Bool = false
    ) {
        self.host = host
        self.address = address
        self.port = port
        self.isPlain = isPlain
        self.isStandIn = isStandIn
        self.pins = pins
        self.isMail = isMail
        self.isDevice = isDevice
    }
}

extension Destination {
    /// `192.0.2.1:443`, `[2001:db8::1]:443`: RFC 3986 section 3.2.2.
    public var authority: String {
        isDevice ? "this device" : address.isIPv4 ? "\(address):\(port)" : "[\(address)]:\(port)"
    }
}

/// What an answer may be, and how long it may take.
public struct ExchangeLimits: Sendable, Equatable {
    /// The media type of the body; another one is refused.
    public var mediaType: String
    /// The most bytes of the body, after it was decompressed.
    public var maxBytes: Int
    /// A connection of its own, closed after the answer.
    public var isUnlinkable: Bool
    /// How long anything may take.
    public var patience: Patience

    /// Sets everything.
    public init(mediaType: String, maxBytes: Int, isUnlinkable: Bool, patience: Patience = .standard) {
        self.mediaType = mediaType
        self.maxBytes = maxBytes
        self.isUnlinkable = isUnlinkable
        self.patience = patience
    }
}

/// How many seconds the parts of a request may take.
public struct Patience: Sendable, Equatable {
    /// To connect and set up TLS.
    public var connect: Double
    /// Between two pieces of the answer.
    public var read: Double
    /// For everything.
    public var whole: Double

    /// What holds outside tests.
    public static let standard = Patience(connect: 10, read: 15, whole: 30)

    /// As long as so many bytes may take, at 64 KiB a second.
    func stretched(by count: Int) -> Patience {
        Patience(connect: connect, read: read, whole: whole + Double(count >> 16))
    }

    /// Sets everything.
    public init(connect: Double, read: Double, whole: Double) {
        self.connect = connect
        self.read = read
        self.whole = whole
    }
}

/// An answer, within the limits.
public struct IncomingResponse: Sendable, Equatable {
    /// The HTTP status.
    public let status: Int
    /// The body, decompressed.
    public let body: [UInt8]
    /// Its media type, without parameters; empty where there is no body.
    public let mediaType: String
    /// How many members that the manifest does not declare were left out of it.
    public internal(set) var removed = 0
    /// The first of their names, as paths.
    public internal(set) var removedNames: [String] = []
    /// The first names of the headers that came with it, without those that say how to read it: none reaches a plugin.
    public let droppedHeaders: [String]

    /// How many names of what was left out are told, and how many bytes of each.
    public static let (mostNames, longestName) = (16, 40)

    /// Takes everything.
    public init(status: Int, body: [UInt8], mediaType: String, droppedHeaders: [String] = []) {
        self.status = status
        self.body = body
        self.mediaType = mediaType
        self.droppedHeaders = droppedHeaders
    }
}

/// Why there was no answer that could be used.
public enum TransportFailure: String, Error, Sendable, CaseIterable {
    case connectTimeout = "no connection within the time"
    case refused = "the connection was refused"
    case tlsTimeout = "TLS was not set up within the time"
    case certificate = "the certificate is not valid for this name"
    case pin = "the certificate has another key than the manifest pins"
    case tls = "TLS could not be set up"
    case readTimeout = "the answer stopped within the time to read it"
    case deadline = "the answer took too long as a whole"
    case closed = "the connection was closed before the answer was whole"
    case malformed = "the answer is not HTTP/1.1"
    case malformedBody = "the answer is not strict JSON, of which the manifest names the members"
    case redirect = "the answer is a redirect, which is never followed"
    case mediaType = "the answer is of another type than the manifest says"
    case encoding = "the answer is packed in a way that was not asked for"
    case tooLarge = "the answer is larger than the manifest says"
    case login =
        "the server takes no mail in your name: what you keep for it is no user and password, or is refused"
    case device = "nothing on this machine can do it"
    case cancelled = "the run ended before the answer was whole"
    case file = "the file that goes along changed while it was sent"
    case sender = "escrow-egress, the program that sends, cannot be started or ended before it had an answer"
}

extension TransportFailure {
    /// Whether it happened before a byte of the request could leave.
    public var isBeforeSending: Bool {
        switch self {
        case .connectTimeout, .refused, .tlsTimeout, .certificate, .pin, .tls, .device: true
        default: false
        }
    }
}

/// Sends a request to an address and brings the answer.
public protocol Transport: Sendable {
    /// Sends exactly the request's bytes. Blocks until the answer is whole or has failed.
    func exchange(
        _ request: OutgoingRequest, with destination: Destination, limits: ExchangeLimits
    ) throws(TransportFailure) -> IncomingResponse
    /// The same for a request that a file follows, which is read while it is sent.
    func exchange(
        _ request: OutgoingRequest, file: any RequestFile, with destination: Destination,
        limits: ExchangeLimits
    ) throws(TransportFailure) -> IncomingResponse
    /// Ends the exchange under way and refuses every later one, `TransportFailure.cancelled`: the run is over. Any thread
    /// may call it, and it does not wait.
    func cancel()
    /// Closes all connections: nothing of one run is left for the next.
    func close()
}

extension Transport {
    /// One that sends no files.
    public func exchange(
        _ request: OutgoingRequest, file: any RequestFile, with destination: Destination,
        limits: ExchangeLimits
    ) throws(TransportFailure) -> IncomingResponse { throw .sender }
}
