public import EscrowDiagnostics
import EscrowFiles
import EscrowJSON
import Glibc
import Synchronization

/// Fixes from gpsd on this machine: its protocol is a JSON object a line (gpsd_json(5)).
public final class Gpsd: LiveProvider {
    public static let port: UInt16 = 2_947
    private static let name = "gpsd"
    private static let maximumLine = 1 << 16
    private let socket: Int32
    private let buffer = Mutex<[UInt8]>([])

    /// Connects to a port of this machine, and asks to be told. gpsd speaks without any check of who asks, so no other machine
    /// is asked.
    public init(port: UInt16 = Gpsd.port) throws(Diagnostic) {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { throw .noProvider(Self.name, "no socket is left") }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else {
            throw .noProvider(Self.name, "nothing answers at port \(port) of this machine")
        }
        let watch = Array("?WATCH={\"enable\":true,\"json\":true};\n".utf8)
        guard send(socket, watch, watch.count, Int32(MSG_NOSIGNAL)) == watch.count else {
            throw .noProvider(Self.name, "it does not listen")
        }
    }

    deinit { close(socket) }

    public func cancel() { shutdown(socket, Int32(SHUT_RDWR)) }

    public func next(waitingMs: Int) throws(Diagnostic) -> LiveFix? {
        let end = ContinuousClock.now + .milliseconds(waitingMs)
        while true {
            if let line = takeLine() {
                if let fix = Self.fix(line) { return fix }
                continue
            }
            let left = (end - ContinuousClock.now) / .milliseconds(1)
            guard left > 0 else { return nil }
            var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            guard poll(&entry, 1, Int32(left.rounded(.up))) > 0 else { continue }
            var bytes = [UInt8](repeating: 0, count: 4_096)
            let count = read(socket, &bytes, bytes.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .noProvider(Self.name, "it ended the connection") }
            let length = buffer.withLock { buffer in
                buffer += bytes.prefix(count)
                return buffer.count
            }
            guard length <= Self.maximumLine else {
                throw .noProvider(Self.name, "what it writes are no lines")
            }
        }
    }

    private func takeLine() -> [UInt8]? {
        buffer.withLock { buffer in
            guard let end = buffer.firstIndex(of: 0x0A) else { return nil }
            defer { buffer.removeFirst(end + 1) }
            return Array(buffer[..<end])
        }
    }

    /// The fix of a report; nil for every other line, and where the receiver has none.
    static func fix(_ line: [UInt8], seconds: Int64? = nil) -> LiveFix? {
        let text = line.last == 0x0D ? line.dropLast() : line[...]
        guard let report = try? JSONParser.parse(text, limits: .init(depth: 8, bytes: maximumLine)).value,
            report["class"]?.string == "TPV", let mode = report["mode"]?.integer, mode >= 2
        else { return nil }
        func number(_ name: String) -> Double? { report[name]?.real }
        // The estimated horizontal error, or what it is made of.
        let parts = [number("epx"), number("epy")].compactMap { $0 }
        let accuracy =
            number("eph")
            ?? (parts.count == 2 ? (parts[0] * parts[0] + parts[1] * parts[1]).squareRoot() : nil)
        return LiveFix(
            latitude: number("lat"), longitude: number("lon"), accuracy: accuracy,
            altitude: mode >= 3 ? number("altHAE") ?? number("alt") : nil, speed: number("speed"),
            course: number("track"), seconds: seconds)
    }
}
