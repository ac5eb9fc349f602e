import EscrowEgress
import Glibc
import NIOCore

/// Finds out whether a server takes connections at all: what is wrong where TLS was not set up in time.
enum TCPProbe {
    /// How long an answer may take, in milliseconds.
    private static let patience: Int32 = 1000

    /// Whether a connection is made within a second. No byte is sent on it. tcp(7)
    static func isAnswered(by destination: Destination) -> Bool {
        guard
            let address = try? SocketAddress(
                ipAddress: destination.address.description, port: destination.port)
        else { return false }
        let family = address.protocol.rawValue
        let descriptor = socket(
            family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        let began = address.withSockAddr { connect(descriptor, $0, socklen_t($1)) }
        if began == 0 { return true }
        guard errno == EINPROGRESS else { return false }
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&waiting, 1, patience) == 1 else { return false }
        var problem: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &problem, &size) == 0 && problem == 0
    }
}
