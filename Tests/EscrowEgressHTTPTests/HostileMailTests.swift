import EscrowCredentials
import EscrowEgress
import EscrowJSON
import Testing

/// Mail in the individual's name: what a mail server says gets nothing more out of the host.
@Suite("Mail servers that lie are told no more than they must be")
struct HostileMailTests {
    static let (user, password) = ("ada@example.org", "canary-password")
    /// `\0ada@example.org\0canary-password` in base64.
    static let login = "AGFkYUBleGFtcGxlLm9yZwBjYW5hcnktcGFzc3dvcmQ="

    enum Seen { case nothing, greeting, login, mail }

    /// How handing in a mail ends, and the most that the server may have seen by then.
    static let mails: [(name: String, end: HostileServerTests.End, seen: Seen)] = [
        ("good", .answer(status: 250, body: ""), .mail),
        ("greeting-refuses", .failure(.malformed), .nothing),
        ("greeting-http", .failure(.malformed), .nothing), ("greeting-code", .failure(.malformed), .nothing),
        ("greeting-word", .failure(.malformed), .nothing),
        ("greeting-silent", .failure(.readTimeout), .nothing),
        ("greeting-endless", .failure(.tooLarge), .nothing),
        ("greeting-one-line", .failure(.malformed), .nothing),
        ("greeting-drips", .failure(.deadline), .nothing), ("greeting-bare", .failure(.malformed), .nothing),
        ("greeting-gone", .failure(.closed), .nothing), ("split", .failure(.malformed), .greeting),
        ("split-later", .failure(.malformed), .login), ("mixed-marks", .failure(.malformed), .greeting),
        ("no-login", .failure(.login), .greeting), ("other-login", .failure(.login), .greeting),
        ("starttls-only", .failure(.login), .greeting),
        ("ehlo-refused", .answer(status: 502, body: ""), .greeting),
        ("login-refused", .failure(.login), .login), ("login-asks", .failure(.login), .login),
        ("recipient-refused", .answer(status: 550, body: ""), .login),
        ("recipient-closes", .failure(.closed), .login),
        ("data-refused", .answer(status: 554, body: ""), .login),
        ("end-silent", .failure(.readTimeout), .mail), ("end-refused", .answer(status: 552, body: ""), .mail),
        // TLS comes before any word: a server that has it only after STARTTLS, or whose offer was stripped, is told nothing.
        ("plain", .failure(.tls), .nothing), ("other-name", .failure(.certificate), .nothing),
    ]

    @Test("A mail server that does not behave", arguments: mails)
    func mail(name: String, end: HostileServerTests.End, seen: Seen) throws {
        guard let server = HostileServer.shared else { return }
        let kept = try HostileNameTests.Kept(.basic, user: Self.user, secret: Self.password)
        let port = try #require(server.ports["mail-\(name)"])
        let found = try Exchange(
            server, try Exchange.mail(),
            [("to", "bob@example.org"), ("subject", "Tea"), ("text", "canary-text")],
            standIns: ["api.example.org": port], credentials: kept.store,
            patience: Exchange.patience(for: end, steps: seen != .nothing))
        #expect(found.end == end)
        let received = String(decoding: try #require(server.received("mail-\(name)")), as: UTF8.self)
        #expect(received.contains("EHLO [127.0.0.1]") == (seen != .nothing))
        #expect(received.contains("AUTH PLAIN \(Self.login)") == [.login, .mail].contains(seen))
        // The text is in base64.
        #expect(received.contains("Y2FuYXJ5LXRleHQ=") == (seen == .mail))
        #expect(!String(decoding: found.request, as: UTF8.self).contains("canary-password"))
    }
}
