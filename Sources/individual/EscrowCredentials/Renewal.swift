import EscrowJSON
public import EscrowManifest

/// How a token is renewed: RFC 6749 section 6.
public struct Renewal: Sendable, Equatable {
    /// The token endpoint.
    public let url: EgressTemplate
    /// The client's own secret; empty for a public client.
    let clientSecret: String
    /// The token that counts now; empty before the first was asked for.
    var access = ""
    /// When it runs out, in seconds since 1970.
    var expires: Int64 = 0

    /// Before the first token. Nil for a place that cannot be one: `https://HOST/PATH`.
    public init?(url: String, clientSecret: String = "") {
        guard let template = try? EgressTemplate(url), template.scheme == .https,
            template.path.allSatisfy({ if case .constant = $0 { true } else { false } })
        else { return nil }
        self.url = template
        self.clientSecret = clientSecret
    }

    /// The same with the token of an answer, RFC 6749 section 5.1, and the refresh token that comes with it; nil where it is no
    /// token.
    func renewed(by answer: [UInt8], at now: Int64) -> (renewal: Renewal, refresh: String?)? {
        guard let value = try? JSONParser.parse(answer).value, let token = value["access_token"]?.string,
            !token.isEmpty, token.utf8.count <= 8_192, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            value["token_type"]?.string?.lowercased() == "bearer"
        else { return nil }
        var renewal = self
        renewal.access = token
        // Where the server does not say, five minutes.
        let life = min(max(value["expires_in"]?.integer ?? 300, 0), 86_400 * 366)
        renewal.expires = now + life
        let refresh = value["refresh_token"]?.string.flatMap {
            $0.isEmpty || $0.utf8.count > 8_192 ? nil : $0
        }
        return (renewal, refresh)
    }

    var json: JSONValue {
        [
            "url": .string(url.description), "clientSecret": .string(clientSecret), "access": .string(access),
            "expires": .integer(expires),
        ]
    }

    init?(_ value: JSONValue) {
        guard let url = value["url"]?.string, let secret = value["clientSecret"]?.string,
            let access = value["access"]?.string, let expires = value["expires"]?.integer,
            var made = Renewal(url: url, clientSecret: secret)
        else { return nil }
        made.access = access
        made.expires = expires
        self = made
    }
}
