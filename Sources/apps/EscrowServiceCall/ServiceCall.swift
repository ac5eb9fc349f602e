package import EscrowAppWire
import EscrowDiagnostics
import Glibc
import Synchronization

/// One request to the individual's service over its Unix socket, and its answer. HTTP/1.1, RFC 9112
///
/// The answer is waited for on the calling thread. Any thread may end the wait: the service then withdraws the run.
package final class ServiceCall: Sendable {
    /// What came back.
    package struct Answer: Sendable {
        /// The status of HTTP.
        package let status: Int
        /// A JSON document.
        package let body: [UInt8]
    }

    private struct State {
        var descriptor: Int32 = -1
        var isCancelled = false
    }
    private let state = Mutex(State())

    /// Prepares a request.
    package init() {}

    /// Ends the wait.
    package func cancel() {
        state.withLock { state in
            state.isCancelled = true
            if state.descriptor >= 0 { _ = shutdown(state.descriptor, Int32(SHUT_RDWR)) }
        }
    }

    /// Whether it was ended by ``cancel()``.
    package var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Sends a request and waits for its answer. E1251 where nobody answers, E1005 where the wait was ended.
    package func send(
        _ method: String, _ path: String, to socket: String, token: String? = nil, wait seconds: Int = 0,
        _ body: [UInt8]? = nil
    ) throws(HostFailure) -> Answer {
        var head = "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        if let token {
            // A line feed in it would begin another header.
            guard token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { throw HostFailure(.badValue) }
            head += "Authorization: Bearer \(token)\r\n"
        }
        if seconds > 0 { head += "Prefer: wait=\(seconds)\r\n" }
        if let body { head += "Content-Type: application/json\r\nContent-Length: \(body.count)\r\n" }
        let answer = try exchange(Array((head + "\r\n").utf8) + (body ?? []), with: socket) {
            Self.answer(Self.readAll($0))
        }
        guard !isCancelled else { throw HostFailure(.cancelled) }
        guard let answer else { throw .noService }
        return answer
    }

    /// Sends a request, and has what comes back read.
    func exchange<Reply>(
        _ request: [UInt8], with socket: String, _ read: (Int32) throws(HostFailure) -> Reply?
    ) throws(HostFailure) -> Reply? {
        // Looked at first, too: connecting waits for as long as the backlog of whoever listens there is full.
        var status = stat()
        guard stat(socket, &status) == 0 else { throw .noService }
        guard status.st_uid == geteuid() else { throw .anothersService }
        guard let descriptor = Self.connect(to: socket) else { throw .noService }
        guard Self.isOurs(descriptor) else {
            close(descriptor)
            throw .anothersService
        }
        let goesOn = state.withLock { state in
            if !state.isCancelled { state.descriptor = descriptor }
            return !state.isCancelled
        }
        defer {
            state.withLock { $0.descriptor = -1 }
            close(descriptor)
        }
        // Who refuses a request may close before all of it was read, and has answered then.
        guard goesOn else { return nil }
        Self.write(request, to: descriptor)
        return try read(descriptor)
    }

    private static func connect(to path: String) -> Int32? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path), !bytes.contains(0) else {
            return nil
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = Glibc.socket(AF_UNIX, type, 0)
        guard descriptor >= 0 else { return nil }
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        guard isConnected else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    /// Whether this user listens at the other end: what is asked, and what is believed, is nobody else's. unix(7), SO_PEERCRED
    private static func isOurs(_ descriptor: Int32) -> Bool {
        // struct ucred, which Swift's Glibc module does not declare.
        var peer: (process: pid_t, user: uid_t, group: gid_t) = (0, 0, 0)
        var size = socklen_t(MemoryLayout.size(ofValue: peer))
        return getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.user == geteuid()
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) {
        bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let part = UnsafeRawBufferPointer(rebasing: rest)
                let count = Glibc.send(descriptor, part.baseAddress, part.count, Int32(MSG_NOSIGNAL))
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return }
                rest = rest.dropFirst(count)
            }
        }
    }

    /// All that comes until the service closes; nil where it is more than an answer may have.
    private static func readAll(_ descriptor: Int32) -> [UInt8]? {
        var all: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while all.count <= AppWire.answerCap + 65_536 {
            let count = chunk.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return all }
            all += chunk[..<count]
        }
        return nil
    }

    /// Takes an answer apart. It has a `Content-Length`, or ends with the connection; nil for one that was cut off.
    static func answer(_ bytes: [UInt8]?) -> Answer? {
        guard let bytes, let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count >= 2, words[0] == "HTTP/1.1" || words[0] == "HTTP/1.0", words[1].utf8.count == 3,
            let status = Int(words[1])
        else { return nil }
        let body = Array(bytes[end.upperBound...])
        let length = lines.dropFirst().first { $0.lowercased().hasPrefix("content-length:") }
            .flatMap { Int($0.dropFirst(15).filter { $0 != " " }) }
        guard length == nil || length == body.count else { return nil }
        return Answer(status: status, body: body)
    }
}

extension HostFailure {
    /// Nobody answers at the socket.
    package static let noService = HostFailure(
        code: Diagnostic.Code.noService.rawValue, status: Diagnostic.Code.noService.exitStatus.rawValue,
        message: "the escrow service does not answer")
    /// Another user answers at the socket.
    static let anothersService = HostFailure(
        code: noService.code, status: noService.status,
        message: "at the socket of the escrow service another user listens")

    init(_ reason: AppWireError.Reason) { self.init(AppWireError(reason)) }
}
