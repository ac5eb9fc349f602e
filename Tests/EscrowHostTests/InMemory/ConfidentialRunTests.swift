import EscrowDiagnostics
import EscrowOffloadWire
import EscrowServers
import Testing

@testable import EscrowConsent
@testable import EscrowHost

/// A plugin whose code is on servers alone, as a device meets it.
@Suite struct ConfidentialRunTests {
    static let home = EscrowServer(
        id: "home",
        target: RemoteTarget(
            host: "192.0.2.1", port: 7443, authority: "", pin: String(repeating: "a", count: 64),
            certificate: "", key: ""), plugins: ["*"])

    private func runner(_ host: InMemoryHost) -> Runner {
        Runner(on: host)
    }

    private func request(at server: String?) -> RunRequest {
        var request = RunRequest(app: "org.example.notes", plugin: "count")
        request.server = server
        return request
    }

    @Test func itDoesNotRunOnTheDevice() {
        let host = InMemoryHost(isConfidential: true, server: Self.home)
        var refusal: Diagnostic?
        do throws(Diagnostic) { _ = try runner(host).run(request(at: nil)) } catch { refusal = error }
        #expect(refusal?.code == .codeElsewhere)
        #expect(!host.events.contains(.launched) && !host.events.contains(.rowsRead))
    }

    @Test func theSheetSaysThatNobodyElseVouchesForIt() throws {
        let host = InMemoryHost(isConfidential: true, server: Self.home)
        let description = try runner(host).plan(request(at: "home")).description
        #expect(description.isConfidential)
        let sheet = description.explain().joined(separator: "\n")
        #expect(sheet.contains("LEAVES HERE"))
        let words = description.warnings.joined()
        #expect(
            words
                == "its publisher keeps its code on servers: you do not have it, and nobody else vouches for what it computes"
        )
        // Where the code can be had, it is not said.
        let open = try runner(InMemoryHost(server: Self.home)).plan(request(at: "home")).description
        #expect(!open.isConfidential && open.warnings.isEmpty)
    }

    @Test func thePlaceThatIsChosenForItIsAServer() throws {
        let host = InMemoryHost(isConfidential: true, server: Self.home)
        let plan = try runner(host).plan(request(at: "auto"))
        #expect(plan.description.place == .server("home"))
        #expect(throws: Diagnostic.self) {
            try runner(InMemoryHost(isConfidential: true)).plan(request(at: "auto"))
        }
    }
}
