internal import Crypto
public import GRPCCore
public import GRPCNIOTransportHTTP2Posix
internal import SwiftASN1
internal import X509

/// The server's side: who may connect, and who did.
public enum OffloadServerTransport {
    /// - Parameters:
    ///   - authority: who vouches for devices, PEM, as are the server's certificate and key.
    public static func make(
        address: String, port: Int, authority: String, certificate: String, key: String
    ) -> HTTP2ServerTransport.Posix {
        HTTP2ServerTransport.Posix(
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
                config.http2.maxConcurrentStreams = 64
                config.rpc.maxRequestPayloadSize = 2 << 20
                config.connection.keepalive.time = .seconds(10)
                config.connection.keepalive.timeout = .seconds(10)
                config.connection.keepalive.clientBehavior.minPingIntervalWithoutCalls = .seconds(5)
                config.connection.keepalive.clientBehavior.allowWithoutCalls = true
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
        return SHA256.hash(data: serializer.serializedBytes).map {
            ($0 < 16 ? "0" : "") + String($0, radix: 16)
        }.joined()
    }
}
