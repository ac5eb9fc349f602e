import EscrowCredentials
import EscrowEgress
import TemporaryFolder
import Testing

/// An answer to a request for a token that comes after the individual put another credential there.
@Suite("A late answer is no token of a new credential")
struct LateTokenTests {
    private static func credential(
        _ secret: String = "old", user: String = "client", url: String = "https://token.example.org/token",
        time: String = "2026-11-25T00:00:00Z"
    ) throws -> Credential {
        try #require(
            Credential(
                server: "api.example.org", kind: .oauth2, user: user, secret: secret,
                renewal: Renewal(url: url), time: time))
    }

    private static let answer = Array(
        #"{"access_token":"late","token_type":"Bearer","refresh_token":"theirs","expires_in":3600}"#.utf8)

    @Test("Another refresh token, client, place or time keeps what is there", arguments: 0..<4)
    func another(what: Int) throws {
        let folder = try TemporaryFolder("credentials")
        let store = CredentialStore(home: folder.path)
        try store.add(try Self.credential())
        let asked = try #require(try store.renewal(for: "api.example.org"))
        let other = [
            try Self.credential("new"), try Self.credential(user: "other"),
            try Self.credential(url: "https://other.example.org/token"),
            try Self.credential(time: "2026-11-25T00:00:01Z"),
        ][what]
        try store.add(other)
        #expect(try !store.keep(Self.answer, to: asked))
        #expect(try store.list() == [other])
    }

    @Test("One that was revoked does not come back")
    func revoked() throws {
        let folder = try TemporaryFolder("credentials")
        let store = CredentialStore(home: folder.path)
        try store.add(try Self.credential())
        let asked = try #require(try store.renewal(for: "api.example.org"))
        #expect(try store.remove("api.example.org"))
        #expect(try !store.keep(Self.answer, to: asked))
        #expect(try store.list().isEmpty)
    }

    @Test("The one that asked is renewed, once")
    func same() throws {
        let folder = try TemporaryFolder("credentials")
        let store = CredentialStore(home: folder.path)
        try store.add(try Self.credential())
        let asked = try #require(try store.renewal(for: "api.example.org"))
        #expect(try store.keep(Self.answer, to: asked))
        #expect(try store.header(for: "api.example.org")?.value == "Bearer late")
        // Its refresh token was exchanged: what was asked with the old one is too late.
        #expect(try !store.keep(Self.answer, to: asked))
    }
}
