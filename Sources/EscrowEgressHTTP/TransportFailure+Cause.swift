import AsyncHTTPClient
import EscrowEgress
import Glibc
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOPosix
import NIOSSL

extension TransportFailure {
    /// What an error of the client means for the owner. What is not known is a connection that ended.
    init(_ error: any Error) {
        switch error {
        case let failure as TransportFailure: self = failure
        case let failure as HTTPClientError: self = Self.cause(failure)
        case is NIOHTTPDecompression.DecompressionError: self = Self.packing(error)
        case is NIOHTTPDecompression.ExtraDecompressionError: self = .encoding
        case is HTTPParserError: self = Self.parsing(error)
        case let failure as NIOConnectionError: self = Self.cause(failure)
        case let failure as IOError: self = failure.errnoCode == ECONNREFUSED ? .refused : .closed
        case let failure as ChannelError:
            if case .connectTimeout = failure { self = .connectTimeout } else { self = .closed }
        case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError: self = Self.security(error)
        default: self = .closed
        }
    }

    private static func cause(_ error: HTTPClientError) -> TransportFailure {
        switch error {
        case .connectTimeout, .getConnectionFromPoolTimeout: .connectTimeout
        case .tlsHandshakeTimeout: .tlsTimeout
        case .readTimeout, .writeTimeout: .readTimeout
        case .deadlineExceeded: .deadline
        case .httpEndReceivedAfterHeadWith1xx: .malformed
        default: .closed
        }
    }

    private static func cause(_ error: NIOConnectionError) -> TransportFailure {
        let isTime = error.connectionErrors.contains {
            if case ChannelError.connectTimeout = $0.error { true } else { false }
        }
        return isTime ? .connectTimeout : .refused
    }

    private static func packing(_ error: any Error) -> TransportFailure {
        if case NIOHTTPDecompression.DecompressionError.limit = error { return .tooLarge }
        return .encoding
    }

    private static func parsing(_ error: any Error) -> TransportFailure {
        switch error as? HTTPParserError {
        case .invalidEOFState, .closedConnection: .closed
        case .headerOverflow: .tooLarge
        default: .malformed
        }
    }

    private static func security(_ error: any Error) -> TransportFailure {
        // BoringSSL's reasons are text only.
        let text = String(describing: error)
        if text.contains("CERTIFICATE_VERIFY_FAILED") || text.contains("failedToValidateHostname")
            || text.contains("Couldn't find")
        {
            return .certificate
        }
        if text.contains("EOF during handshake") { return .closed }
        if case NIOSSLError.uncleanShutdown? = error as? NIOSSLError { return .closed }
        return .tls
    }
}
