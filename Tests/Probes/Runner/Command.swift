import CProbeRunner
import Glibc

/// A program run without any sandbox, in a process group of its own that does not outlive it.
struct Command {
    /// How it ended.
    enum Status: Sendable, Equatable {
        case exited(Int32)
        case signaled(Int32)
        case timedOut
    }

    /// What came of it.
    struct Result: Sendable {
        var status: Status
        /// stdout
        var output: [UInt8] = []
        /// stderr, at most 64 KiB
        var errors: [UInt8] = []
    }

    /// How long a program may take: far longer than any needs on a busy machine.
    static let seconds = 180

    /// The program's path and its arguments.
    var arguments: [String]
    var environment: [String] = ["PATH=/usr/bin:/bin", "LANG=C.UTF-8"]
    /// The working directory.
    var directory = "/"
    /// What is written to its stdin; nil closes it at once.
    var input: [UInt8]?

    /// Runs it. Throws when it could not be started.
    func run() throws(ProbeFailure) -> Result {
        let input = try OpenPipe()
        let output = try OpenPipe()
        let errors = try OpenPipe()
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input.reading, 0)
        posix_spawn_file_actions_adddup2(&actions, output.writing, 1)
        posix_spawn_file_actions_adddup2(&actions, errors.writing, 2)
        _ = probe_spawn_in(&actions, directory)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
        defer { (words + variables).forEach { free($0) } }
        var pid = pid_t()
        let error = posix_spawn(&pid, arguments[0], &actions, &attributes, &words, &variables)
        input.closeReading()
        output.closeWriting()
        errors.closeWriting()
        guard error == 0 else { throw ProbeFailure("\(arguments[0]) could not be started: errno \(error)") }
        return talk(pid, input, output, errors)
    }

    /// Feeds and drains until it has ended. A child of its own may hold the pipes longer than it lives, so
    /// its end is looked for as well; then its whole group is killed.
    private func talk(_ pid: pid_t, _ input: OpenPipe, _ output: OpenPipe, _ errors: OpenPipe) -> Result {
        var result = Result(status: .timedOut)
        var hasEnded = false
        var rest = self.input ?? []
        if rest.isEmpty { input.closeWriting() }
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        let deadline = now.tv_sec + Self.seconds
        while now.tv_sec < deadline {
            var entries = [
                pollfd(fd: output.reading, events: Int16(POLLIN), revents: 0),
                pollfd(fd: errors.reading, events: Int16(POLLIN), revents: 0),
                pollfd(fd: input.writing, events: Int16(POLLOUT), revents: 0),
            ]
            _ = poll(&entries, 3, 5)
            if entries[0].revents != 0 { output.read(into: &result.output, atMost: 1 << 20) }
            if entries[1].revents != 0 { errors.read(into: &result.errors, atMost: 1 << 16) }
            if entries[2].revents != 0, !input.write(&rest) { input.closeWriting() }
            // Looked at and left: until it is reaped, its number is nobody else's group.
            var end = siginfo_t()
            if waitid(P_PID, id_t(pid), &end, WEXITED | WNOHANG | WNOWAIT) == 0, end.si_signo == SIGCHLD {
                hasEnded = true
                break
            }
            clock_gettime(CLOCK_MONOTONIC, &now)
        }
        kill(-pid, SIGKILL)
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        if hasEnded {
            result.status = status & 0x7f == 0 ? .exited((status >> 8) & 0xff) : .signaled(status & 0x7f)
        }
        output.read(into: &result.output, atMost: 1 << 20)
        errors.read(into: &result.errors, atMost: 1 << 16)
        return result
    }
}

/// Both ends of a pipe; the host's never block.
private final class OpenPipe {
    private(set) var reading: Int32 = -1
    private(set) var writing: Int32 = -1

    init() throws(ProbeFailure) {
        var ends: [Int32] = [-1, -1]
        let error = probe_pipe(&ends)
        guard error == 0 else { throw ProbeFailure("no pipe: errno \(error)") }
        reading = ends[0]
        writing = ends[1]
    }

    deinit {
        closeReading()
        closeWriting()
    }

    func closeReading() {
        if reading >= 0 { close(reading) }
        reading = -1
    }

    func closeWriting() {
        if writing >= 0 { close(writing) }
        writing = -1
    }

    /// Reads what is there; at the end of the stream the end closes, so that it is polled no more.
    func read(into bytes: inout [UInt8], atMost most: Int) {
        guard reading >= 0 else { return }
        _ = fcntl(reading, F_SETFL, O_NONBLOCK)
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = Glibc.read(reading, &buffer, buffer.count)
            if count > 0 {
                bytes += buffer.prefix(min(count, max(0, most - bytes.count)))
            } else {
                if count == 0 || errno != EAGAIN { closeReading() }
                return
            }
        }
    }

    /// Writes what fits; false when there is no more to write, or nobody to read it.
    func write(_ rest: inout [UInt8]) -> Bool {
        guard writing >= 0, !rest.isEmpty else { return false }
        _ = fcntl(writing, F_SETFL, O_NONBLOCK)
        let count = Glibc.write(writing, rest, rest.count)
        if count < 0 { return errno == EAGAIN }
        rest.removeFirst(count)
        return !rest.isEmpty
    }
}
