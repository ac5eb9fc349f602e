import EscrowAuthority
import Foundation
import Testing

/// A server's certificate, judged before anything of the individual's is sent.
@Suite struct ServerJudgementTests {
    private let authority: Authority
    private let server: KeyPair

    init() throws {
        authority = try Authority.make(name: "home")
        server = try authority.issue(.server(host: "localhost"), name: "home", days: Authority.serverDays)
    }

    private static let days = 86_400.0

    private func judge(_ pair: KeyPair, pin: String? = nil, after days: Double = 0) async throws
        -> ServerRefusal?
    {
        let now = Date().addingTimeInterval(days * Self.days)
        let judgement = ServerJudgement(
            authority: authority.pair.certificate, pin: try pin ?? server.pin, clock: { now })
        return await judgement.judge([try Self.der(pair.certificate)])
    }

    private static func der(_ pem: String) throws -> [UInt8] {
        let lines = pem.split(separator: "\n").filter { !$0.hasPrefix("-----") }
        return Array(try #require(Data(base64Encoded: lines.joined())))
    }

    @Test func theServerThatWasNamedIsTaken() async throws {
        #expect(try await judge(server) == nil)
        #expect(try await judge(server, after: Double(Authority.serverDays) - 1) == nil)
    }

    @Test func aCertificateThatIsOverOrHasNotBegunIsExpired() async throws {
        #expect(try await judge(server, after: Double(Authority.serverDays) + 1) == .expired)
        #expect(try await judge(server, after: -1) == .expired)
        // The authority's own end.
        #expect(try await judge(server, after: Double(Authority.ownDays) + 1) == .expired)
    }

    @Test func aRenewedServerKeepsItsKey() async throws {
        let renewed = try authority.issue(
            .server(host: "localhost"), name: "home", days: 10, key: server.key)
        #expect(try await judge(renewed) == nil)
        #expect(try await judge(renewed, after: 11) == .expired)
    }

    @Test func anotherServerOfTheAuthorityIsNotTaken() async throws {
        let other = try authority.issue(.server(host: "localhost"), name: "home", days: 10)
        #expect(try await judge(other) == .wrongServer)
    }

    /// A device has a certificate of the same authority. It must not be able to play the server.
    @Test func aDeviceIsNoServer() async throws {
        let device = try authority.issue(.device, name: "home", days: 10)
        #expect(try await judge(device, pin: try device.pin) == .wrongServer)
    }

    @Test func anotherAuthorityOfTheSameNameIsNotTaken() async throws {
        let other = try Authority.make(name: "home")
        let pair = try other.issue(.server(host: "localhost"), name: "home", days: 10, key: server.key)
        #expect(try await judge(pair) == .wrongAuthority)
        #expect(try await judge(other.pair) == .wrongAuthority)
    }

    @Test(arguments: [[], [[]], [[0x30]], [[UInt8](repeating: 0x30, count: 4_096)]] as [[[UInt8]]])
    func whatIsNoCertificateIsOfNoAuthority(chain: [[UInt8]]) async throws {
        let judgement = ServerJudgement(authority: authority.pair.certificate, pin: try server.pin)
        #expect(await judgement.judge(chain) == .wrongAuthority)
    }
}
