/// One HTTP/1.1 request, whole, as it goes over the wire: made by the host from a template, recorded, then sent.
public struct OutgoingRequest: Sendable, Equatable {
    /// A header as it is sent.
    public struct Header: Sendable, Equatable {
        /// In lower case, but for `Content-Length`.
        public let name: String
        /// Printable ASCII.
        public let value: String

        /// Takes both as they are sent.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// What of a request is read while it is sent: a file, and what ends the body after it.
    public struct Payload: Sendable, Equatable {
        /// How many bytes the file has.
        public let size: Int
        /// Its media type.
        public let mediaType: String
        /// What follows it.
        public let tail: [UInt8]

        /// Names it.
        public init(size: Int, mediaType: String, tail: [UInt8] = []) {
            self.size = size
            self.mediaType = mediaType
            self.tail = tail
        }
    }

    /// `GET`, `POST` and the others of the manifest.
    public let method: String
    /// The host name, from the template.
    public let host: String
    /// Path and query, percent-encoded: the request target in origin-form (RFC 9112 section 3.2.1).
    public let target: String
    /// All headers, in the order in which they are sent.
    public let headers: [Header]
    /// The body; nil where there is none.
    public let body: [UInt8]?
    /// The file that follows the body; nil where none does.
    public let payload: Payload?
    /// What the individual keeps for this server, filled in last: no record and no export has it.
    public internal(set) var credential: Header?
    /// A body that no record and no export has.
    var secret: [UInt8] = []
    /// What stands before the host in its URL.
    public let scheme: String
    /// For mail: to whom.
    public let recipient: String?

    /// Takes all of it as it is sent.
    public init(
        method: String, host: String, target: String, headers: [Header], body: [UInt8]?,
        payload: Payload? = nil, scheme: String = "https", recipient: String? = nil
    ) {
        self.method = method
        self.host = host
        self.target = target
        self.headers = headers
        self.body = body
        self.payload = payload
        self.scheme = scheme
        self.recipient = recipient
    }

    /// How many bytes leave, the file included, and what the individual keeps for the server not.
    public var count: Int { bytes.count + (payload.map { $0.size + $0.tail.count } ?? 0) }

    /// The URL, for people and for export.
    public var url: String { scheme == "device" ? "device:" + host : "\(scheme)://" + host + target }

    /// The bytes of the request, head and body, as RFC 9112 spells them: without what the individual keeps for the server, and
    /// without the file that follows.
    public var bytes: [UInt8] { bytes(headers) }

    /// The same as it goes over the wire.
    public var wireBytes: [UInt8] {
        if let login { return bytes([Header(name: "from", value: login.sender(at: host))] + headers) }
        return bytes(headers + (credential.map { [$0] } ?? [])) + secret
    }

    /// For mail: in whose name it is handed in.
    public var login: MailLogin? { recipient == nil ? nil : credential.flatMap(MailLogin.init) }

    private func bytes(_ headers: [Header]) -> [UInt8] {
        // Mail, and what is done on this machine, is no HTTP.
        var text = scheme == "https" ? "\(method) \(target) HTTP/1.1\r\n" : ""
        for header in headers { text += "\(header.name): \(header.value)\r\n" }
        return Array((text + "\r\n").utf8) + (body ?? [])
    }
}
