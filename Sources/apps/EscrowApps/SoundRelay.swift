import CAppPeers
public import EscrowDiagnostics
import EscrowFiles
import Glibc

/// A socket for one app by which it plays and records, and nothing else: between it and the session's sound server stands a filter.
/// The server's own socket would let it load libraries into the server. Gone with this value.
public final class SoundRelay: Sendable {
    static let mostConnections = 16

    /// Where it lies.
    var path: String { folder.path + "/sound.sock" }
    private let folder: AppFolder
    /// Whoever waits for the other end sees when this one is closed.
    private let life: Int32

    /// Where the session's sound server listens; nil where there is none.
    public static func server() -> String? {
        var path: String?
        if let named = value("PULSE_SERVER") {
            path = named.hasPrefix("unix:") ? String(named.dropFirst(5)) : named
        }
        if path?.hasPrefix("/") != true { path = value("XDG_RUNTIME_DIR").map { $0 + "/pulse/native" } }
        guard let path, ServicePlace.connect(to: path) != nil else { return nil }
        return path
    }

    private static func value(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Listens for an app, and connects it to the server that listens at a path.
    public init(to server: String, for app: String, _ place: ServicePlace) throws(Diagnostic) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .file("a pipe", "cannot be made", errno) }
        life = ends[1]
        let end = Descriptor(owning: ends[0])
        for raw in ends { _ = fcntl(raw, F_SETFD, FD_CLOEXEC) }
        folder = try AppFolder(in: place)
        let listener = try ServicePlace.listen(at: folder.path + "/sound.sock").release()
        let raw = end.release()
        _ = SystemThread.start(name: "sound") {
            Self.relay(Descriptor(owning: listener), to: server, for: app, until: Descriptor(owning: raw))
        }
    }

    deinit {
        close(life)
        folder.remove()
    }

    private static func relay(
        _ listener: consuming Descriptor, to server: String, for app: String,
        until life: consuming Descriptor
    ) {
        var connections: [SoundConnection] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let isFull = connections.count >= mostConnections
            var waits = [life.raw, isFull ? -1 : listener.raw].map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            for connection in connections { waits += connection.waits }
            guard retrying({ poll(&waits, nfds_t(waits.count), -1) }) > 0, waits[0].revents == 0 else {
                return
            }
            let ready = waits.map { $0.revents != 0 }
            connections = connections.enumerated().filter { (index, connection) in
                let client = ready[2 + 2 * index]
                let server = ready[3 + 2 * index]
                guard client || server else { return true }
                return connection.move(clientIsReady: client, serverIsReady: server, &buffer)
            }.map(\.element)
            guard waits[1].revents != 0, case let guest = app_accept(listener.raw, false), guest >= 0 else {
                continue
            }
            let client = Descriptor(owning: guest)
            if let server = ServicePlace.connect(to: server) {
                // The server knows its individual by what the kernel says of a message's sender, and asks for
                // that only once it accepted. A message that came before then, from an end that does not ask as
                // well, has no sender, and is denied.
                var on: Int32 = 1
                let size = socklen_t(MemoryLayout.size(ofValue: on))
                setsockopt(server.raw, SOL_SOCKET, SO_PASSCRED, &on, size)
                connections.append(SoundConnection(client, to: server, for: app))
            }
        }
    }
}
