import EscrowEgress
import EscrowEgressWire
import EscrowFiles
import Glibc
import Synchronization

/// One process of `escrow-egress`, and our end of the socket to it. One thread uses it; any may kill it.
final class SenderProcess: @unchecked Sendable {
    private let pid: pid_t
    private var socket: MessageSocket
    /// Whether it was waited for: its number may then be another process's.
    private let isReaped = Mutex(false)

    /// Seconds beyond the time of the exchange itself, for a busy machine.
    private static let grace = 30.0

    /// Starts it; nil where that cannot be.
    init?(roots: [UInt8]) {
        guard let path = SenderProgram.path else { return nil }
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            return nil
        }
        defer { Glibc.close(ends[1]) }
        guard let pid = Self.start(path, ends[1]) else {
            Glibc.close(ends[0])
            return nil
        }
        self.pid = pid
        socket = MessageSocket(ends[0])
        // A process that could not start shows at the first exchange.
        try? socket.send(SendGreeting(roots: roots.count).line, roots)
    }

    deinit {
        kill()
        reap()
        Glibc.close(socket.descriptor)
    }

    func kill() {
        isReaped.withLock { isReaped in if !isReaped { _ = Glibc.kill(pid, SIGKILL) } }
    }

    /// Lets it close its connections in order, which takes it no time; then it is gone.
    func end() {
        finish(within: 1)
        kill()
        reap()
    }

    /// Whether it built its walls, read the greeting, and ended in order when it was told nothing more.
    func startsAndEnds() -> Bool {
        finish(within: Self.grace)
        return reap() == 0
    }

    /// Says that no request comes any more, and waits for its end of the socket to close.
    private func finish(within seconds: Double) {
        shutdown(socket.descriptor, Int32(SHUT_WR))
        _ = try? socket.line(atMost: 0, within: seconds)
    }

    /// Waits for its end; what waitpid(2) says of it, or -1 where that was taken before.
    @discardableResult
    private func reap() -> Int32 {
        isReaped.withLock { isReaped in
            guard !isReaped else { return -1 }
            var status: Int32 = 0
            while waitpid(pid, &status, 0) < 0, errno == EINTR {}
            isReaped = true
            return status
        }
    }

    /// Sends the bytes and waits for the report. What the process says is believed as far as the limits go.
    func exchange(
        _ bytes: [UInt8], _ file: FileToSend? = nil, with destination: Destination, limits: ExchangeLimits
    ) throws(TransportFailure) -> IncomingResponse {
        let report: SendReport
        var isChanged = false
        do throws(WireFault) {
            try socket.send(
                SendOrder(
                    destination: destination, limits: limits, bytes: bytes.count, streamed: file?.count ?? 0
                ).line, bytes)
            if let file {
                isChanged = true
                try file.send { (piece) throws(WireFault) in try socket.send(piece) }
                isChanged = false
            }
            guard
                let line = try socket.line(
                    atMost: SendReport.longestLine, within: limits.patience.whole + Self.grace)
            else { throw .ended }
            report = try SendReport(line: line, limits: limits)
            if case .answer(let status, let isTyped, let count) = report {
                return IncomingResponse(
                    status: status, body: try socket.bytes(count, within: Self.grace),
                    mediaType: isTyped ? limits.mediaType : "")
            }
        } catch {
            throw isChanged && error == .wrong ? .file : .sender
        }
        guard case .failure(let failure) = report else { throw .sender }
        throw failure
    }

    /// Its stdin is the socket. It inherits no environment, no signal of the terminal and no other
    /// descriptor.
    private static func start(_ path: String, _ socket: Int32) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, socket, 0)
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        guard Spawning.closeFrom(&actions, 3) == 0 else { return nil }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
        var words = [strdup(SenderProgram.name), nil]
        defer { free(words[0]) }
        var environment: [UnsafeMutablePointer<CChar>?] = [nil]
        var pid: pid_t = 0
        guard posix_spawn(&pid, path, &actions, &attributes, &words, &environment) == 0 else { return nil }
        return pid
    }
}
