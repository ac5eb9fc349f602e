public import EscrowManifest

/// A token of OAuth 2 is asked for anew: RFC 6749 section 6. Only the host makes it; no plugin learns that there was one.
public struct TokenRequest: Sendable, Equatable {
    /// The server that the token is for.
    public let server: String
    /// Where it is asked for.
    public let url: EgressTemplate
    /// The form, with the secrets in it.
    public let form: [UInt8]
    /// When the individual put there what it is asked with, RFC 3339 UTC. Another credential makes another request, so that an
    /// answer is kept for none but the one that asked.
    public let since: String

    /// Takes the parts of the form.
    public init(server: String, url: EgressTemplate, since: String, form: [(name: String, value: String)]) {
        self.server = server
        self.url = url
        self.since = since
        self.form = Array(
            form.map { PercentEncoding.encode($0.name) + "=" + PercentEncoding.encode($0.value) }
                .joined(separator: "&").utf8)
    }

    /// The request as the ledger has it: without the form.
    func request(at own: OwnServer?) -> OutgoingRequest {
        let host = own?.authority ?? url.host
        let path = url.path.map { if case .constant(let text) = $0 { "/" + text } else { "" } }.joined()
        var request = OutgoingRequest(
            method: "POST", host: host, target: (own?.base ?? "") + (path.isEmpty ? "/" : path),
            headers: [
                .init(name: "host", value: host), .init(name: "user-agent", value: RequestTemplate.userAgent),
                .init(name: "accept", value: "application/json"),
                .init(name: "accept-encoding", value: "gzip"),
                .init(name: "connection", value: "close"),
                .init(name: "content-type", value: "application/x-www-form-urlencoded"),
                .init(name: "Content-Length", value: String(form.count)),
            ], body: nil)
        request.secret = form
        return request
    }
}
