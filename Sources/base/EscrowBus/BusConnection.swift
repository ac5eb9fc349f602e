import Glibc
import Synchronization

/// A connection to a D-Bus, for calls and signals. No process is started, no library loaded; one thread uses it, but any may
/// cancel it.
public final class BusConnection: Sendable {
    /// Why a call has no answer.
    public enum Failure: Error, Sendable, Equatable {
        /// Nobody listens there, or lets us in.
        case unreachable
        /// Nothing came in time.
        case late
        /// The other end is gone, or wrote what is no message.
        case broken
        /// The other end answered with an error, of this name.
        case refused(String)
    }

    private struct State {
        var serial: UInt32 = 0
        var signals: [BusMessage] = []
    }
    private let socket: Int32
    private let patienceMs: Int
    private let state = Mutex(State())
    /// How many signals are kept while a call waits: the oldest go.
    private static let mostSignals = 64
    private static let bus = "org.freedesktop.DBus"

    /// Connects to a bus's socket. `patienceMs` is how long a write or the answer to a call may take.
    public init(socket path: String, patienceMs: Int) throws(Failure) {
        socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        self.patienceMs = patienceMs
        guard socket >= 0 else { throw .unreachable }
        var limit = timeval(tv_sec: patienceMs / 1_000, tv_usec: patienceMs % 1_000 * 1_000)
        setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        guard Self.connect(socket, path), authenticate() else { throw .unreachable }
        try call(Self.bus, "/org/freedesktop/DBus", Self.bus, "Hello")
    }

    deinit { close(socket) }

    /// Where the system's bus listens.
    public static var system: String {
        guard let address = getenv("DBUS_SYSTEM_BUS_ADDRESS").map({ String(cString: $0) }),
            address.hasPrefix("unix:path=")
        else { return "/run/dbus/system_bus_socket" }
        return String(address.dropFirst("unix:path=".count).prefix { $0 != "," && $0 != ";" })
    }

    /// Where the individual's own bus listens; nil where they have none.
    public static var session: String? {
        if let address = getenv("DBUS_SESSION_BUS_ADDRESS").map({ String(cString: $0) }),
            address.hasPrefix("unix:path=")
        {
            return String(address.dropFirst("unix:path=".count).prefix { $0 != "," && $0 != ";" })
        }
        return getenv("XDG_RUNTIME_DIR").map { String(cString: $0) + "/bus" }
    }

    /// Ends whatever waits; nothing is answered any more.
    public func cancel() { shutdown(socket, Int32(SHUT_RDWR)) }

    /// Calls a method and waits for its answer; signals that come in between are kept. The answer is that of the destination where
    /// this is the bus itself, or a connection by the name that the bus gave it (`:1.7`).
    @discardableResult
    public func call(
        _ destination: String, _ path: String, _ interface: String, _ member: String,
        _ arguments: [BusValue] = []
    ) throws(Failure) -> [BusValue] {
        let serial = state.withLock { state in
            state.serial += 1
            return state.serial
        }
        let message = BusMessage.call(
            serial: serial, destination: destination, path: path, interface: interface, member: member,
            arguments)
        guard write(message) else { throw .broken }
        while true {
            guard let answer = try receive(waitingMs: patienceMs) else { throw .late }
            guard answer.replyTo == Int64(serial), Self.mayAnswer(answer.sender, for: destination) else {
                if answer.kind == .signal { keep(answer) }
                continue
            }
            if answer.kind == .failure { throw .refused(answer.error ?? "") }
            return answer.body
        }
    }

    /// The next signal; nil where none comes in time.
    public func signal(waitingMs: Int) throws(Failure) -> BusMessage? {
        let kept = state.withLock { state in state.signals.isEmpty ? nil : state.signals.removeFirst() }
        if let kept { return kept }
        while let message = try receive(waitingMs: waitingMs) {
            if message.kind == .signal { return message }
        }
        return nil
    }

    /// A session's bus passes on answers that nobody asked for, but says who sent them. Who owns a name that is not the bus's own cannot
    /// be told from it.
    private static func mayAnswer(_ sender: String?, for destination: String) -> Bool {
        sender == bus || sender == destination || (destination != bus && !destination.hasPrefix(":"))
    }

    private func keep(_ signal: BusMessage) {
        state.withLock { state in
            state.signals.append(signal)
            if state.signals.count > Self.mostSignals { state.signals.removeFirst() }
        }
    }

    private func receive(waitingMs: Int) throws(Failure) -> BusMessage? {
        guard wait(waitingMs) else { return nil }
        guard let head = read(16), let size = BusMessage.size(of: head),
            let rest = read((size.fields + 7) / 8 * 8 + size.body),
            let message = BusMessage(head: head, rest: rest)
        else { throw .broken }
        return message
    }

    /// SASL EXTERNAL: the kernel tells the bus who we are, the name is only repeated.
    private func authenticate() -> Bool {
        let hexadecimal = String(getuid()).utf8.map { String($0, radix: 16) }.joined()
        guard write([0] + Array("AUTH EXTERNAL \(hexadecimal)\r\n".utf8)) else { return false }
        var line: [UInt8] = []
        while line.last != 0x0A {
            guard line.count < 256, let byte = read(1) else { return false }
            line += byte
        }
        return line.starts(with: "OK ".utf8) && write(Array("BEGIN\r\n".utf8))
    }

    private static func connect(_ bus: Int32, _ path: String) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return false }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(bus, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
    }

    private func write(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Waits for bytes; also true at the end.
    private func wait(_ milliseconds: Int) -> Bool {
        var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        while true {
            let count = poll(&entry, 1, Int32(clamping: milliseconds))
            if count < 0, errno == EINTR { continue }
            return count > 0
        }
    }

    private func read(_ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            // A sender that stops in the middle of a message does not hold us for ever.
            guard wait(patienceMs) else { return nil }
            let got = bytes.withUnsafeMutableBytes { buffer in
                Glibc.read(socket, buffer.baseAddress.map { $0 + filled }, count - filled)
            }
            if got < 0, errno == EINTR { continue }
            guard got > 0 else { return nil }
            filled += got
        }
        return bytes
    }
}
