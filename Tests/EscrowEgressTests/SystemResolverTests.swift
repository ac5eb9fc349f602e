import Foundation
import Synchronization
import TemporaryFolder
import Testing

@testable import EscrowEgress

@Suite("A name is asked as it stands, whatever the environment says")
struct SystemResolverTests {
    /// What was asked, and one address for each question.
    final class Questions: Sendable {
        let names = Mutex<[String]>([])

        func ask(_ name: String) -> [IPAddress] {
            names.withLock { $0.append(name) }
            return [IPAddress("192.0.2.7")].compactMap { $0 }
        }
    }

    private static func resolver(_ hosts: String, _ questions: Questions) throws -> (
        SystemResolver, TemporaryFolder
    ) {
        let folder = try TemporaryFolder("escrow-hosts")
        let path = folder.url.appending(path: "hosts").path
        try hosts.write(toFile: path, atomically: false, encoding: .utf8)
        return (SystemResolver(hosts: HostsFile(path: path), ask: { questions.ask($0) }), folder)
    }

    @Test("The system is asked for the absolute name, which no search list lengthens")
    func absolute() throws {
        let questions = Questions()
        let (resolver, folder) = try Self.resolver("127.0.0.1 localhost\n", questions)
        _ = withExtendedLifetime(folder) { resolver.addresses(of: "api.example.org") }
        #expect(questions.names.withLock { $0 } == ["api.example.org."])
        let none = SystemResolver(hosts: HostsFile(path: "/nonexistent"), ask: { questions.ask($0) })
        #expect(none.addresses(of: "b.example.org").map(\.description) == ["192.0.2.7"])
        #expect(questions.names.withLock { $0 } == ["api.example.org.", "b.example.org."])
    }

    @Test("A name that the machine's owner wrote down is not asked for, and leads where they said")
    func writtenDown() throws {
        let questions = Questions()
        let text = """
            # 192.0.2.1 api.example.org
            0.0.0.0\tads.example.org other.example.org # api.example.org
            192.0.2.2  API.Example.ORG   alias
            2001:db8::2 api.example.org
            192.0.2.2 api.example.org
            192.0.2.3 xapi.example.org api.example.orgx
            nonsense api.example.org
            192.0.2.4
            192.0.2.5 last.example.org
            """
        let (resolver, folder) = try Self.resolver(text, questions)
        withExtendedLifetime(folder) {
            #expect(
                resolver.addresses(of: "api.example.org").map(\.description) == ["192.0.2.2", "2001:db8::2"])
            #expect(resolver.addresses(of: "ads.example.org").map(\.description) == ["0.0.0.0"])
            #expect(resolver.addresses(of: "last.example.org").map(\.description) == ["192.0.2.5"])
            #expect(questions.names.withLock { $0 } == [])
            #expect(resolver.addresses(of: "example.org").map(\.description) == ["192.0.2.7"])
        }
    }

    @Test(
        "What steers look-ups is told from the rest of an environment",
        arguments: [
            ("LOCALDOMAIN", true), ("RES_OPTIONS", true), ("HOSTALIASES", true), ("RESOLV_HOST_CONF", true),
            ("RESOLV_MULTI", true), ("RESOLV_ADD_TRIM_DOMAINS", true), ("HOME", false),
            ("LOCALDOMAINS", false),
            ("XRES_OPTIONS", false), ("", false),
        ])
    func environment(name: String, steers: Bool) {
        #expect(ResolverEnvironment.isSteering(name) == steers)
    }
}
