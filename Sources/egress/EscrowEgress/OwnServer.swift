public import EscrowDiagnostics

/// A server that the individual set by themself: their own cloud, or what runs at home. They name its place, and where it is in a
/// private network also its address.
public struct OwnServer: Sendable, Equatable {
    /// Its name in DNS, or its address.
    public let host: String
    /// The TCP port.
    public let port: Int
    /// Without TLS: only at a private address that they named.
    public let isPlain: Bool
    /// What its paths begin with: empty, or `/remote.php/dav`.
    public let base: String
    /// The address that they named; nil for one that is looked up, which must be one of the public internet.
    public let address: IPAddress?
    /// SHA-256 digests of keys of which its certificate must have one.
    public let pins: [[UInt8]]
    /// Whether it takes mail, by SMTP over TLS, and not HTTP.
    public let isMail: Bool
    /// When they set it, RFC 3339 UTC: what was allowed before was allowed for another server.
    public let time: String

    /// Sets everything.
    public init(
        host: String, port: Int, isPlain: Bool, base: String, address: IPAddress?, pins: [[UInt8]],
        isMail: Bool = false, time: String
    ) {
        self.host = host
        self.port = port
        self.isPlain = isPlain
        self.base = base
        self.address = address
        self.pins = pins
        self.isMail = isMail
        self.time = time
    }

    /// As the header `host` has it: RFC 9110 section 7.2.
    public var authority: String { port == (isPlain ? 80 : 443) ? host : "\(host):\(port)" }

    /// Where it is, for people.
    public var shown: String {
        "\(isMail ? "submissions" : isPlain ? "http" : "https")://\(authority)\(base)"
            + (address.map { $0.description == host ? "" : " at \($0)" } ?? "")
    }
}

/// What the individual keeps for a server. The host alone fills it in.
public protocol CredentialSource: Sendable {
    /// The header that says in whose name a request comes; nil where nothing is kept for this server.
    func header(for host: String) throws(Diagnostic) -> OutgoingRequest.Header?
    /// What must be asked of whom before there is a token that still counts; nil where none runs out.
    func renewal(for host: String) throws(Diagnostic) -> TokenRequest?
    /// Keeps what was answered; false where that is no token.
    func keep(_ answer: [UInt8], to request: TokenRequest) throws(Diagnostic) -> Bool
}

extension CredentialSource {
    public func renewal(for host: String) throws(Diagnostic) -> TokenRequest? { nil }
    public func keep(_ answer: [UInt8], to request: TokenRequest) throws(Diagnostic) -> Bool { false }
}

/// Nothing is kept.
public struct NoCredentials: CredentialSource {
    /// Makes it.
    public init() {}
    public func header(for host: String) throws(Diagnostic) -> OutgoingRequest.Header? { nil }
}
