import EscrowEgress
import EscrowEgressHTTP
import EscrowJSON
import Foundation
import Glibc
import Testing

/// All waits are an hour long, so that only the cancellation can end them before the tests' own limit.
@Suite("A run that ended waits for no server", .timeLimit(.minutes(60)))
struct CancellationTests {
    static let hour = Patience(connect: 3600, read: 3600, whole: 3600)
    /// An exchange on a thread of its own.
    final class Pending: @unchecked Sendable {
        private let done = DispatchSemaphore(value: 0)
        private var failure: TransportFailure?

        init(_ transport: HTTPTransport, port: Int, isPlain: Bool, isUnlinkable: Bool) throws {
            let address = try #require(IPAddress("127.0.0.1"))
            let destination = Destination(
                host: "api.example.org", address: address, port: port, isPlain: isPlain)
            let request = try RequestTemplate(Exchange.endpoint("")).fill([("id", "a"), ("q", "b")]).request
            let limits = ExchangeLimits(
                mediaType: "application/json", maxBytes: 100, isUnlinkable: isUnlinkable, patience: hour)
            Thread.detachNewThread { [self] in
                do throws(TransportFailure) {
                    _ = try transport.exchange(request, with: destination, limits: limits)
                } catch {
                    failure = error
                }
                done.signal()
            }
        }

        /// Why it failed, once it has ended.
        func end() -> TransportFailure? {
            done.wait()
            return failure
        }
    }

    @Test("While the answer is awaited", arguments: [false, true])
    func answer(isUnlinkable: Bool) throws {
        let server = try Listener()
        let transport = try HTTPTransport()
        let pending = try Pending(transport, port: server.port, isPlain: true, isUnlinkable: isUnlinkable)
        let connection = server.accept()
        defer { close(connection) }
        #expect(Listener.read(connection, until: "\r\n\r\n"))
        transport.cancel()
        #expect(pending.end() == .cancelled)
        transport.close()
        #expect(Listener.readToEnd(connection))
    }

    @Test("While TLS is set up", arguments: [false, true])
    func handshake(isUnlinkable: Bool) throws {
        let server = try Listener()
        let transport = try HTTPTransport()
        let pending = try Pending(transport, port: server.port, isPlain: false, isUnlinkable: isUnlinkable)
        let connection = server.accept()
        defer { close(connection) }
        var first: UInt8 = 0
        #expect(read(connection, &first, 1) == 1)
        transport.cancel()
        #expect(pending.end() == .cancelled)
        // Does not wait for the hour that the handshake may take.
        transport.close()
    }

    @Test("While the connection is made", arguments: [false, true])
    func connection(isUnlinkable: Bool) throws {
        guard let server = HostileServer.shared else { return }
        let transport = try HTTPTransport()
        let port = try #require(server.ports["full"])
        let pending = try Pending(transport, port: port, isPlain: true, isUnlinkable: isUnlinkable)
        transport.cancel()
        #expect(pending.end() == .cancelled)
        transport.close()
    }

    @Test("Afterwards no connection is made")
    func afterwards() throws {
        let server = try Listener()
        let transport = try HTTPTransport()
        transport.cancel()
        let pending = try Pending(transport, port: server.port, isPlain: true, isUnlinkable: false)
        #expect(pending.end() == .cancelled)
        #expect(!server.hasConnection)
        transport.close()
    }
}
