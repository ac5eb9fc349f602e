/// What the individual keeps for one server.
public struct Credential: Sendable, Equatable {
    /// How it is shown to the server.
    public enum Kind: String, Sendable, CaseIterable {
        /// A token: RFC 6750.
        case bearer
        /// A user's name and a password: RFC 7617.
        case basic
        /// A token that runs out and is renewed: RFC 6749. The secret is the refresh token, the user the client's id.
        case oauth2
    }

    /// The server's host, or the name of one of the individual's own.
    public let server: String
    /// How it is shown.
    public let kind: Kind
    /// The user's name; empty for a token.
    public let user: String
    /// The password or the token.
    let secret: String
    /// Where an `oauth2` token is asked for, and what there is besides.
    let renewal: Renewal?
    /// When it was put there, RFC 3339 UTC.
    public let time: String

    /// Takes all of it; nil for what no header can hold.
    public init?(
        server: String, kind: Kind, user: String, secret: String, renewal: Renewal? = nil, time: String
    ) {
        let isText = { (text: String) in text.utf8.allSatisfy { (0x20...0x7E).contains($0) } }
        guard !secret.isEmpty, secret.utf8.count <= 8_192, user.utf8.count <= 256, !server.isEmpty,
            kind == .bearer
                ? user.isEmpty && isText(secret) : !user.isEmpty && (kind == .oauth2 || !user.contains(":")),
            (kind == .oauth2) == (renewal != nil)
        else { return nil }
        self.server = server
        self.kind = kind
        self.user = user
        self.secret = secret
        self.renewal = renewal
        self.time = time
    }
}
