import CAppPeers
import EscrowConsent
import EscrowDiagnostics
import Glibc
import Synchronization

/// The service's doors: takes connections, learns who they are, and hands them on. One thread, asleep while nobody comes.
final class Gate: Sendable {
    private let server: HTTPServer
    private let events: Int32
    private let doors = Mutex<[Int32: Door]>([:])

    private enum Door: Sendable {
        /// For every program of the individual's.
        case open
        /// For one app; gone with the connection that it came over.
        case own(String, by: Int32)
        /// Where doors of apps are handed over.
        case control
        /// A connection that handed one over, with the door.
        case keeper(Int32)
    }

    init(_ server: HTTPServer) throws(Diagnostic) {
        self.server = server
        events = app_doors()
        guard events >= 0 else { throw Diagnostic(.ownFault, "the service cannot wait for connections") }
    }

    func open(_ listener: Int32) { put(listener, .open) }
    func control(_ listener: Int32) { put(listener, .control) }

    private func put(_ descriptor: Int32, _ door: Door) {
        doors.withLock { $0[descriptor] = door }
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        _ = app_doors_watch(events, descriptor, true)
    }

    /// Serves for ever.
    func run() -> Never {
        let most = 64
        var ready = [Int32](repeating: -1, count: most)
        while true {
            let count = Int(app_doors_wait(events, &ready, Int32(most)))
            guard count > 0 else { continue }
            // Who went first: the number of a connection may be another's after the next one came.
            for descriptor in ready[..<count] {
                let door = doors.withLock { $0[descriptor] }
                if door == nil { server.hangUp(descriptor) }
                if case .keeper(let listener)? = door { end(descriptor, listener) }
            }
            for descriptor in ready[..<count] {
                switch doors.withLock({ $0[descriptor] }) {
                case .open?: accept(descriptor, for: nil)
                case .own(let app, _)?: accept(descriptor, for: app)
                case .control?: takeDoor(descriptor)
                case .keeper?, nil: break
                }
            }
        }
    }

    private func accept(_ listener: Int32, for app: String?) {
        // So many at a time, so that one door cannot keep the others waiting.
        for _ in 0..<64 {
            let connection = app_accept(listener, false)
            guard connection >= 0 else { return }
            // Looked at first: a flood is not worth a look at who it is.
            guard !isOfCrowd(connection), let peer = Peer(connection, ownApp: app) else {
                close(connection)
                continue
            }
            // Only that the other end is closed: what it sends is the server's business.
            _ = app_doors_watch(events, connection, false)
            server.add(Link(connection, peer, door: listener))
        }
    }

    private func isOfCrowd(_ connection: Int32) -> Bool {
        var process: pid_t = 0
        var user: uid_t = 0
        return app_peer(connection, &process, &user) && server.isFull(Peer.share(of: process))
    }

    /// Takes a listening socket of an app's own. Only the individual's own programs reach this door: a confined one does not.
    private func takeDoor(_ control: Int32) {
        let connection = app_accept(control, true)
        guard connection >= 0 else { return }
        // A sender that says nothing would keep everybody waiting. A machine with much to do is late by seconds.
        var limit = timeval(tv_sec: 5, tv_usec: 0)
        setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var bytes = [UInt8](repeating: 0, count: 256)
        var listener: Int32 = -1
        let count = app_receive(connection, &bytes, bytes.count, &listener)
        // A terminal's shell may run in a scope that is named for the terminal. A Flatpak instance is confined.
        guard let peer = Peer(connection, ownApp: nil), peer.proof != .flatpak, count > 0, listener >= 0,
            case let app = String(decoding: bytes.prefix(count), as: UTF8.self), Dataflow.isAppID(app)
        else {
            close(connection)
            if listener >= 0 { close(listener) }
            return
        }
        var answer = UInt8(ascii: "+")
        _ = write(connection, &answer, 1)
        put(listener, .own(app, by: connection))
        put(connection, .keeper(listener))
    }

    /// The program behind a door is gone. What still holds a connection that came by it proves nothing any more.
    private func end(_ connection: Int32, _ listener: Int32) {
        server.hangUpAll(by: listener)
        doors.withLock { doors in
            doors[connection] = nil
            doors[listener] = nil
        }
        close(listener)
        close(connection)
    }
}
