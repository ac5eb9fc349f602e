import EscrowCredentials
import EscrowEgress
import EscrowJSON
import TemporaryFolder
import Testing

/// Requests in the individual's name: what a token endpoint says gets nothing more out of the host, and leads it nowhere else.
/// One after another: all end at one server, which tells what it received.
@Suite("Token endpoints that lie are told no more than they must be", .serialized)
struct HostileNameTests {
    static let tokens: [(name: String, isTaken: Bool)] =
        [("good", true), ("long-refresh", true)]
        + [
            "mac", "dpop", "no-type", "none", "empty", "number", "split", "blank", "letters", "long", "twice",
            "two", "deep", "oversized", "error", "error-with-token", "created", "html", "redirect",
            "redirect-here", "endless",
        ].map { ($0, false) }

    @Test("A token endpoint that does not behave", arguments: tokens)
    func token(name: String, isTaken: Bool) throws {
        guard let server = HostileServer.shared else { return }
        let kept = try Kept(.oauth2, user: "client", secret: "canary-refresh")
        let found = try Exchange(
            server, try Exchange.endpoint(#", "credential": true"#), [("id", "a"), ("q", "b")],
            standIns: [
                "api.example.org": try #require(server.ports["token-used"]),
                "token.example.org": try #require(server.ports["token-\(name)"]),
            ], credentials: kept.store,
            patience: Exchange.patience(for: name == "endless" ? .failure(.deadline) : nil))
        let asked = String(decoding: try #require(server.received("token-\(name)")), as: UTF8.self)
        #expect(asked.hasPrefix("POST /token HTTP/1.1\r\n") && asked.hasSuffix("client_id=client"))
        #expect(asked.contains("&refresh_token=canary-refresh&"))
        // Two requests were recorded, the token's without its form; the second left only with a token.
        #expect(found.all.count == 2)
        #expect(!found.all.contains { String(decoding: $0, as: UTF8.self).contains("canary-refresh") })
        let header = try kept.store.header(for: "api.example.org")?.value
        guard isTaken else {
            #expect(!server.hasReport("token-used"), "the request left without a token")
            #expect(header == "Bearer ")
            return
        }
        #expect(found.end == HostileServerTests.whole && header == "Bearer fresh")
        let used = String(decoding: try #require(server.received("token-used")), as: UTF8.self)
        #expect(used.contains("\r\nauthorization: Bearer fresh\r\n") && !used.contains("canary"))
        // It ran out at once. The next is asked for by the refresh token that came along, where that is one.
        let next = try #require(try kept.store.renewal(for: "api.example.org"))
        let refresh = name == "good" ? "next" : "canary-refresh"
        #expect(String(decoding: next.form, as: UTF8.self).contains("&refresh_token=\(refresh)&"))
    }

    @Test("A token endpoint that leads into the own network, or shows another's certificate, is not asked")
    func places() throws {
        guard let server = HostileServer.shared else { return }
        let places: [(address: String, port: String?)] = [
            ("10.0.0.1", nil), ("127.0.0.1", nil), ("169.254.169.254", nil), ("", "other-name"),
        ]
        for (address, port) in places {
            let kept = try Kept(.oauth2, user: "client", secret: "canary-refresh")
            var standIns = ["api.example.org": try #require(server.ports["token-used"])]
            if let port { standIns["token.example.org"] = try #require(server.ports[port]) }
            let found = try Exchange(
                server, try Exchange.endpoint(#", "credential": true"#), [("id", "a"), ("q", "b")],
                standIns: standIns, credentials: kept.store, leadingTo: address)
            #expect(found.isRefused)
            #expect(!server.hasReport("token-used"), "the request left without a token")
            if let port { #expect(server.received(port) == []) }
        }
    }

    /// What the individual keeps, in a folder of its own.
    struct Kept {
        let folder: TemporaryFolder
        let store: CredentialStore

        init(_ kind: Credential.Kind, user: String, secret: String) throws {
            folder = try TemporaryFolder("credentials")
            store = CredentialStore(home: folder.path)
            let renewal = kind == .oauth2 ? Renewal(url: "https://token.example.org/token") : nil
            try store.add(
                try #require(
                    Credential(
                        server: "api.example.org", kind: kind, user: user, secret: secret, renewal: renewal,
                        time: "2026-11-25T00:00:00Z")))
        }
    }
}
