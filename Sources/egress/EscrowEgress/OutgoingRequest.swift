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

    /// `GET` or `POST`.
    public let method: String
    /// The host name, from the template.
    public let host: String
    /// Path and query, percent-encoded: the request target in origin-form (RFC 9112 section 3.2.1).
    public let target: String
    /// All headers, in the order in which they are sent.
    public let headers: [Header]
    /// The body; nil where there is none.
    public let body: [UInt8]?

    /// The URL, for people and for export.
    public var url: String { "https://" + host + target }

    /// The bytes of the request, head and body, as RFC 9112 spells them.
    public var bytes: [UInt8] {
        var text = "\(method) \(target) HTTP/1.1\r\n"
        for header in headers { text += "\(header.name): \(header.value)\r\n" }
        return Array((text + "\r\n").utf8) + (body ?? [])
    }
}
