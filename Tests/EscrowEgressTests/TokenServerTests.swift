import EscrowDiagnostics
import EscrowEgress
import EscrowManifest
import Testing

/// A refresh token goes to the server that it was given for.
@Suite("A token is asked of the server that was set when it was kept")
struct TokenServerTests {
    /// Keeps a token that ran out, and asks at a server of the individual's own.
    private struct Kept: CredentialSource {
        let since: String

        func header(for host: String) -> OutgoingRequest.Header? {
            .init(name: "authorization", value: "Bearer old")
        }

        func renewal(for host: String) throws(Diagnostic) -> TokenRequest? {
            guard let url = try? EgressTemplate("https://login.own.invalid/token") else { return nil }
            return TokenRequest(
                server: host, url: url, since: since, form: [("refresh_token", "canary-refresh")])
        }
    }

    private func sent(kept: String, set: String) throws -> [String] {
        let transport = BodyTests.WireTransport()
        var mediator = Mediator(
            endpoints: [
                try Fixture.endpoint("", url: "https://api.example.org/", more: #", "credential": true"#)
            ], resolver: ScriptedResolver(["1.1.1.1"]), transport: transport,
            ownServers: [
                "login": OwnServer(
                    host: "login.example.org", port: 443, isPlain: false, base: "", address: nil, pins: [],
                    time: set)
            ], credentials: Kept(since: kept), clock: TestClock(), recorder: ScriptedRecorder())
        #expect(throws: EgressRefusal.self) { _ = try mediator.fetch("forecast", []).get() }
        return transport.wire
    }

    @Test("Another that was set since gets no refresh token, and the request does not leave")
    func another() throws {
        let later = try sent(kept: "2026-11-25T00:00:00Z", set: "2026-11-26T00:00:00Z")
        #expect(later.isEmpty)
        let same = try sent(kept: "2026-11-25T00:00:00Z", set: "2026-11-24T00:00:00Z")
        #expect(same.contains { $0.contains("canary-refresh") })
    }
}
