import EscrowEgress
import EscrowEgressWire
import Glibc
import Synchronization

/// One process of `escrow-egress`, and our end of the socket to it. One thread uses it; any may kill it.
final class SenderProcess: @unchecked Sendable {
    private let pid: pid_t
    private var socket: MessageSocket
    /// Whether its end has been taken: from then on its number may be another process's.
    private let isReaped = Mutex(false)

    /// What it has beyond the time that the exchange itself may take, on a machine that is busy.
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
        shutdown(socket.descriptor, Int32(SHUT_WR))
        _ = try? socket.line(atMost: 0, within: 1)
        kill()
        reap()
    }

    private func reap() {
        isReaped.withLock { isReaped in
            guard !isReaped else { return }
            var status: Int32 = 0
            while waitpid(pid, &status, 0) < 0, errno == EINTR {}
            isReaped = true
        }
    }

    /// Sends the bytes and waits for the report. What the process says is believed as far as the limits go.
    func exchange(
        _ bytes: [UInt8], with destination: Destination, limits: ExchangeLimits
    ) throws(TransportFailure) -> IncomingResponse {
        let report: SendReport
        do throws(WireFault) {
            try socket.send(
                SendOrder(destination: destination, limits: limits, bytes: bytes.count).line, bytes)
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
            throw .sender
        }
        guard case .failure(let failure) = report else { throw .sender }
        throw failure
    }

    /// It has the socket as its stdin and nothing else of ours: no environment, no signal of our terminal, no other descriptor,
    /// since all of ours close at an exec; any that does not is closed by its walls.
    private static func start(_ path: String, _ socket: Int32) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, socket, 0)
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
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
