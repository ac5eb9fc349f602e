internal import EscrowAuthority
internal import GRPCCore
public import GRPCNIOTransportHTTP2Posix
internal import NIOCore
internal import NIOPosix
internal import NIOSSL
internal import Synchronization

/// The device's side of a connection: whom it speaks with, and why not.
public struct DeviceTransport: Sendable {
    /// Why the server was refused, once it was.
    public let refusal = Refusal()

    public final class Refusal: Sendable {
        private let value = Mutex<(name: String?, tell: (@Sendable (String) -> Void)?)>((nil, nil))
        public var name: String? { value.withLock { $0.name } }

        /// Has something called once the server is refused: the channel itself would try again for ever.
        public func whenSet(_ tell: @escaping @Sendable (String) -> Void) {
            let name = value.withLock { value in
                value.tell = tell
                return value.name
            }
            if let name { tell(name) }
        }

        func set(_ name: String) {
            let tell = value.withLock { value in
                value.name = name
                return value.tell
            }
            tell?(name)
        }
    }

    public init() {}

    /// - Parameters:
    ///   - authority: a certificate, PEM, as are the device's own and its key.
    ///   - pin: SHA-256 of the server's public key, hexadecimal.
    public func make(
        host: String, port: Int, authority: String, pin: String, certificate: String, key: String
    ) throws -> HTTP2ClientTransport.Posix {
        let judgement = ServerJudgement(authority: authority, pin: pin)
        let refusal = refusal
        return try HTTP2ClientTransport.Posix(
            target: Self.isIPv4(host) ? .ipv4(address: host, port: port) : .dns(host: host, port: port),
            transportSecurity: .mTLS(
                certificateChain: [.bytes(Array(certificate.utf8), format: .pem)],
                privateKey: .bytes(Array(key.utf8), format: .pem)
            ) { tls in
                tls.trustRoots = .certificates([.bytes(Array(authority.utf8), format: .pem)])
                tls.serverCertificateVerification = .noHostnameVerification
                // Nothing is believed for a name: the key is pinned.
                tls.customVerificationCallback = { certificates, promise in
                    promise.completeWithTask {
                        let chain = try certificates.map { try $0.toDERBytes() }
                        guard let why = await judgement.judge(chain) else {
                            return .certificateVerified(VerificationMetadata(nil))
                        }
                        refusal.set(why.rawValue)
                        return .failed
                    }
                }
            },
            config: .defaults { config in
                config.http2.targetWindowSize = 4 << 20
                config.http2.maxFrameSize = 1 << 18
                // What one turn of the loop writes goes out together, and at its end: by default it would wait for 100 µs more.
                config.connection.flushCoalescing = .init(maxFlushDelay: .zero, maxBytes: 1 << 16)
                config.connection.keepalive = .init(
                    time: .seconds(10), timeout: .seconds(10), allowWithoutCalls: true)
            })
    }

    /// Whether anybody takes connections there.
    public static func isReached(host: String, port: Int) async -> Bool {
        let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).connectTimeout(
            .seconds(5))
        guard let channel = try? await bootstrap.connect(host: host, port: port).get() else { return false }
        try? await channel.close()
        return true
    }

    private static func isIPv4(_ host: String) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
    }
}
