internal import EscrowAuthority
internal import GRPCCore
public import GRPCNIOTransportHTTP2Posix
internal import NIOCore
internal import NIOSSL
internal import Synchronization

/// The device's side of a connection: whom it speaks with, and why not.
public struct DeviceTransport: Sendable {
    /// Why the server was refused, once it was.
    public let refusal = Refusal()

    public final class Refusal: Sendable {
        private let value = Mutex<String?>(nil)
        public var name: String? { value.withLock { $0 } }
        func set(_ name: String) { value.withLock { $0 = name } }
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
                config.connection.keepalive = .init(
                    time: .seconds(10), timeout: .seconds(10), allowWithoutCalls: true)
            })
    }

    private static func isIPv4(_ host: String) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
    }
}
