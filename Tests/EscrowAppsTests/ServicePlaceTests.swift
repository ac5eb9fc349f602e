import EscrowApps
import Glibc
import TemporaryFolder
import Testing

/// A socket of another user's in the place of the service's.
@Suite(.enabled(if: geteuid() == 0, "SKIP: only root can make a file another user's"))
struct ServicePlaceTests {
    /// Whoever connects to one whose backlog is full waits for as long as its owner likes.
    @Test func anothersSocketIsNotWaitedFor() throws {
        let scratch = try TemporaryFolder("svc")
        let path = scratch.path + "/service.sock"
        let socket = try FullSocket(path)
        chown(path, 65_534, 65_534)
        #expect(ServicePlace.isAnothers(path))
        let isConnected = ServicePlace.connectToOurs(path) != nil
        #expect(!isConnected)
        withExtendedLifetime(socket) {}
    }
}

/// A socket that listens, takes nobody, and has no room for another who waits.
private final class FullSocket {
    private var open: [Int32] = []

    init(_ path: String) throws {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        func with(_ call: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32, _ descriptor: Int32) -> Int32
        {
            withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    call(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
        }
        func make() -> Int32 {
            let flags = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
            open.append(socket(AF_UNIX, Int32(flags), 0))
            return open.last ?? -1
        }
        let listener = make()
        try #require(with(bind, listener) == 0 && listen(listener, 0) == 0)
        while with(connect, make()) == 0 {}
        try #require(errno == EAGAIN)
    }

    deinit { for descriptor in open { close(descriptor) } }
}
