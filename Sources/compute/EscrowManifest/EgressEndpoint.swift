import EscrowLocationPrivacy

/// One request that a plugin may have the host send: a fixed template with typed fields.
///
/// The plugin never writes a URL, so there is none to smuggle anything in: method, host, path and the name of every
/// field are constants of the manifest.
public struct EgressEndpoint: Sendable, Hashable {
    /// The name by which the plugin asks for it.
    public let name: String
    /// What it is for, for people.
    public let why: String
    /// The HTTP method.
    public let method: Method
    /// Where it goes.
    public let template: EgressTemplate
    /// What the plugin fills in.
    public let fields: [EgressField]
    /// How exactly the host tells where the individual is; nil where it does not.
    public let place: EgressPlace?
    /// What may come back.
    public let response: EgressResponse
    /// The most calls a run.
    public let maxCalls: Int
    /// The most bytes that all calls of one run may send, heads included; nil means what the fields allow.
    public let maxBytes: Int?
    /// A new connection for each call, closed after its answer, so that the other side cannot tell by the connection that
    /// two calls came from one run.
    public let isUnlinkable: Bool
    /// The requests of a run are asked for in one ask and leave in one go. All endpoints of a manifest say so, or none does.
    public let isTogether: Bool
    /// For `MOVE`: to where, beneath the same server.
    public let destination: [EgressTemplate.Segment]?
    /// What follows the head, for methods that have a body.
    public let body: EgressBody
    /// Whether the host fills in what the individual keeps for this server: a password, or a token.
    public let hasCredential: Bool
    /// SHA-256 digests of public keys (SubjectPublicKeyInfo) of which the server must show one; empty: no pins.
    public let pins: [[UInt8]]

    /// The HTTP methods that there are.
    public enum Method: String, Sendable, Hashable, CaseIterable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"
        /// What a folder of a WebDAV server holds, one level deep: RFC 4918 section 9.1.
        case propfind = "PROPFIND"
        /// A new folder on a WebDAV server: RFC 4918 section 9.3.
        case mkcol = "MKCOL"
        /// What lies on a WebDAV server, to another place there: RFC 4918 section 9.9.
        case move = "MOVE"
        /// Mail that is handed in: RFC 6409.
        case mail = "MAIL"
        /// Something done on this machine.
        case act = "ACT"

        /// Whether a request of this method carries one that the manifest describes.
        public var hasBody: Bool { [.post, .put, .patch, .mail, .act].contains(self) }
    }

    /// An upper bound of the bits that the fields of one call can carry.
    public var callBits: Double {
        fields.reduce((place?.exactness.bits ?? 0) + (body.asset?.capacityBits ?? 0)) { $0 + $1.capacityBits }
    }

    /// An upper bound of the bits that all calls of one run can carry, and when they leave.
    public var capacityBits: Double {
        guard !isTogether else { return Self.bitsTogether([self]) }
        // How many calls are made, 0 to maxCalls, carries something as well.
        return Double(maxCalls) * (callBits + TimeGrid.requests.bits)
            + Capacity.bits(choices: Double(maxCalls) + 1)
    }

    /// The same for all endpoints of a manifest together: which of them is called when is a choice, too.
    public static func capacityBits(_ endpoints: [EgressEndpoint]) -> Double {
        guard !areTogether(endpoints) else { return bitsTogether(endpoints) }
        let calls = endpoints.reduce(0) { $0 + Double($1.maxCalls) }
        return endpoints.reduce(0) { $0 + $1.capacityBits }
            + calls * Capacity.bits(choices: Double(endpoints.count))
    }
}
