internal import Crypto
public import GRPCCore
public import GRPCNIOTransportHTTP2Posix
internal import NIOCore
internal import NIOSSL
internal import SwiftASN1
internal import X509

/// The server's side: who may connect, and who did.
public enum OffloadServerTransport {
    /// Whether the device of a fingerprint may ask; nil where that cannot be looked up. It may wait: it is called on a thread.
    public typealias Known = @Sendable (_ fingerprint: String) -> Bool?

    /// - Parameters:
    ///   - authority: who vouches for devices, PEM, as are the server's certificate and key.
    public static func make(
        address: String, port: Int, authority: String, certificate: String, key: String,
        limits: ConnectionLimits, knows: @escaping Known
    ) -> HTTP2ServerTransport.Posix {
        let crowd = Crowd(limits)
        return HTTP2ServerTransport.Posix(
            address: .ipv4(host: address, port: port),
            transportSecurity: .mTLS(
                certificateChain: [.bytes(Array(certificate.utf8), format: .pem)],
                privateKey: .bytes(Array(key.utf8), format: .pem)
            ) { tls in
                tls.clientCertificateVerification = .noHostnameVerification
                tls.trustRoots = .certificates([.bytes(Array(authority.utf8), format: .pem)])
                tls.requireALPN = true
            },
            config: .defaults { config in
                config.http2.targetWindowSize = 4 << 20
                config.http2.maxFrameSize = 1 << 18
                // What one turn of the loop writes goes out together, and at its end: by default it would wait for 100 µs more.
                config.connection.flushCoalescing = .init(maxFlushDelay: .zero, maxBytes: 1 << 16)
                // A device has one call at a time on a connection, and a message of it a mebibyte and its length.
                config.http2.maxConcurrentStreams = 8
                config.rpc.maxRequestPayloadSize = 1 << 20 | 16
                // A device leaves a connection after a minute.
                config.connection.maxIdleTime = .seconds(120)
                config.connection.keepalive.time = .seconds(10)
                config.connection.keepalive.timeout = .seconds(10)
                config.connection.keepalive.clientBehavior.minPingIntervalWithoutCalls = .seconds(5)
                config.connection.keepalive.clientBehavior.allowWithoutCalls = true
                config.channelDebuggingCallbacks = .init(
                    onBindTCPListener: { channel in
                        channel.eventLoop.makeCompletedFuture {
                            try channel.pipeline.syncOperations.addHandler(
                                AcceptLimit(most: limits.inAll, ofAddress: limits.ofAddress), position: .first
                            )
                        }
                    },
                    onAcceptTCPConnection: { channel in
                        channel.eventLoop.makeCompletedFuture {
                            let pipeline = channel.pipeline.syncOperations
                            let tls = try pipeline.handler(type: NIOSSLServerHandler.self)
                            try pipeline.addHandler(Gate(crowd, knows: knows), position: .after(tls))
                        }
                    },
                    onAcceptHTTP2Stream: { channel in
                        channel.eventLoop.makeCompletedFuture {
                            try channel.pipeline.syncOperations.addHandler(AnswerDeadline(), position: .first)
                        }
                    })
            })
    }

    /// SHA-256 of the certificate that the device showed, hexadecimal; nil where it showed none.
    public static func fingerprint(of context: ServerContext) -> String? {
        guard
            let certificate = (context.transportSpecific as? HTTP2ServerTransport.Posix.Context)?
                .peerCertificate
        else { return nil }
        var serializer = DER.Serializer()
        guard (try? serializer.serialize(certificate)) != nil else { return nil }
        return fingerprint(of: serializer.serializedBytes)
    }

    /// - Parameter certificate: DER.
    static func fingerprint(of certificate: [UInt8]) -> String {
        SHA256.hash(data: certificate).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
