import AsyncHTTPClient
import Crypto
public import EscrowEgress
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOSSL
import Synchronization

/// Sends requests by AsyncHTTPClient: HTTP/1.1 over TLS 1.2 or later, to the one address that was checked.
///
/// Nothing is taken from the environment, neither proxy nor cookies nor credentials, and no redirect is followed. A
/// connection is kept for the next request of the same run to the same place, unless the endpoint wants none kept.
public final class HTTPTransport: Transport {
    private let roots: [NIOSSLCertificate]
    private let state = Mutex(State())

    private struct State {
        var clients: [Key: HTTPClient] = [:]
        /// Requests without an answer.
        var tasks: [ObjectIdentifier: HTTPClient.Task<IncomingResponse>] = [:]
        var isCancelled = false
    }

    /// What a client is made for: its connections are pinned to one address, its decompressor to one size.
    private struct Key: Hashable {
        let destination: Destination
        let maxBytes: Int
    }

    /// Trusts the system's certificate authorities, and for stand-ins, and them alone, those of a PEM file as well.
    /// Nil where the file cannot be read.
    public init?(additionalRoots path: String? = nil) {
        guard let path else {
            roots = []
            return
        }
        guard let found = try? NIOSSLCertificate.fromPEMFile(path), !found.isEmpty else { return nil }
        roots = found
    }

    deinit { close() }

    public func close() {
        for client in state.withLock({ state in
            defer { state.clients = [:] }
            return Array(state.clients.values)
        }) { shutDown(client) }
    }

    public func cancel() {
        let tasks = state.withLock { state in
            state.isCancelled = true
            return Array(state.tasks.values)
        }
        for task in tasks { task.fail(reason: TransportFailure.cancelled) }
    }

    private var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Waits until the connections are closed; after a cancellation they close by themselves, since one that is still
    /// being made ends only when its time is over.
    private func shutDown(_ client: HTTPClient) {
        if isCancelled { client.shutdown { _ in } } else { try? client.syncShutdown() }
    }

    public func exchange(
        _ request: OutgoingRequest, with destination: Destination, limits: ExchangeLimits
    ) throws(TransportFailure) -> IncomingResponse {
        guard !isCancelled else { throw .cancelled }
        let key = Key(destination: destination, maxBytes: limits.maxBytes)
        let client = limits.isUnlinkable ? makeClient(key, limits) : keptClient(key, limits)
        defer { if limits.isUnlinkable { shutDown(client) } }
        let deadline = NIODeadline.now() + .nanoseconds(Int64(limits.patience.whole * 1e9))
        do {
            // The thread of the run waits; all work is done by the event loops, which never wait for a thread of ours.
            return try wait(
                for: client.execute(
                    request: try Self.message(request, to: destination), delegate: ResponseTaker(limits),
                    deadline: deadline))
        } catch let alone as StatusAlone {
            return IncomingResponse(status: alone.status, body: [], mediaType: "")
        } catch {
            // Whatever else it looks like: the end of the run came first, or at the same time.
            guard !isCancelled else { throw .cancelled }
            let failure = TransportFailure(error)
            // The client has one time-out for the connection and for TLS on it, and does not tell which one it was.
            let isTLS =
                failure == .connectTimeout && !destination.isPlain && TCPProbe.isAnswered(by: destination)
            throw isTLS ? .tlsTimeout : failure
        }
    }

    private func wait(for task: HTTPClient.Task<IncomingResponse>) throws -> IncomingResponse {
        let isLate = state.withLock { state in
            state.tasks[ObjectIdentifier(task)] = task
            return state.isCancelled
        }
        // Cancelled since it was asked last: whoever cancelled did not see this task.
        if isLate { task.fail(reason: TransportFailure.cancelled) }
        defer { state.withLock { $0.tasks[ObjectIdentifier(task)] = nil } }
        return try task.wait()
    }

    private static func message(
        _ request: OutgoingRequest, to destination: Destination
    ) throws -> HTTPClient.Request {
        let scheme = destination.isPlain ? "http" : "https"
        let port = destination.port == (destination.isPlain ? 80 : 443) ? "" : ":\(destination.port)"
        return try HTTPClient.Request(
            url: "\(scheme)://\(destination.host)\(port)\(request.target)",
            method: HTTPMethod(rawValue: request.method),
            headers: HTTPHeaders(request.headers.map { ($0.name, $0.value) }),
            body: request.body.map { .byteBuffer(ByteBuffer(bytes: $0)) })
    }

    // MARK: Clients

    private func keptClient(_ key: Key, _ limits: ExchangeLimits) -> HTTPClient {
        state.withLock { state in
            if let client = state.clients[key] { return client }
            let client = makeClient(key, limits)
            state.clients[key] = client
            return client
        }
    }

    private func makeClient(_ key: Key, _ limits: ExchangeLimits) -> HTTPClient {
        let destination = key.destination
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.httpVersion = .http1Only
        configuration.proxy = nil
        configuration.decompression = .enabled(limit: .size(limits.maxBytes))
        configuration.timeout = .init(
            connect: .nanoseconds(Int64(limits.patience.connect * 1e9)),
            read: .nanoseconds(Int64(limits.patience.read * 1e9)))
        // A failed connection is a failed request: trying again would hide why, and send nothing that was recorded.
        configuration.connectionPool.retryConnectionEstablishment = false
        // No second resolution: the name goes into the certificate check and nowhere else.
        configuration.dnsOverride = [destination.host: destination.address.description]
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        // A server that goes on sending must not hold up the end of the run by its five seconds.
        tls.shutdownTimeout = .milliseconds(100)
        tls.trustRoots = SystemRoots.current()
        if destination.isStandIn, !roots.isEmpty { tls.additionalTrustRoots = [.certificates(roots)] }
        configuration.tlsConfiguration = tls
        if !destination.pins.isEmpty {
            configuration.http1_1ConnectionDebugInitializer = { channel in
                Self.checkPin(channel, destination.pins)
            }
        }
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    /// Before a byte of the request is sent: the server's key must be one of the pinned ones.
    private static func checkPin(_ channel: any Channel, _ pins: [[UInt8]]) -> EventLoopFuture<Void> {
        channel.eventLoop.submit {
            let handler = try channel.pipeline.syncOperations.handler(type: NIOSSLClientHandler.self)
            guard let key = try handler.peerCertificate?.extractPublicKey().toSPKIBytes(),
                pins.contains(Array(SHA256.hash(data: key)))
            else { throw TransportFailure.pin }
        }
    }
}
