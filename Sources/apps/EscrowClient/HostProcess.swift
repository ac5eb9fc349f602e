import EscrowAppWire
import Glibc
import Synchronization

/// A running `escrow host --stdio`, and the one socket that is its stdin and stdout.
///
/// A socket pair rather than two pipes: writing to a host that is gone must be an error here, and only sockets can be
/// written to without SIGPIPE, which would end the app.
final class HostProcess: Sendable {
    private let socket: CInt
    private let pid: pid_t
    /// Guards the pid: once the process is reaped, its number may be another's.
    private let isReaped = Mutex(false)

    private init(socket: CInt, pid: pid_t) {
        self.socket = socket
        self.pid = pid
    }

    deinit { Glibc.close(socket) }

    /// Starts a program; without one what `ESCROW_HOST_PATH` names, else `escrow` in `PATH`.
    static func start(home: String?, program: String?) throws(EscrowError) -> HostProcess {
        let path = program ?? getenv("ESCROW_HOST_PATH").map { String(cString: $0) } ?? ""
        let program = path.isEmpty ? "escrow" : path
        var arguments = [program]
        if let home { arguments += ["--home", home] }
        arguments = [program, "host", "--stdio"] + arguments.dropFirst()
        guard !arguments.contains(where: { $0.utf8.contains(0) }) else { throw EscrowError(.noHost) }

        var ends: [CInt] = [-1, -1]
        let type = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw EscrowError(.noHost) }
        defer { Glibc.close(ends[1]) }
        guard let pid = spawn(program, arguments, socket: ends[1]) else {
            Glibc.close(ends[0])
            throw EscrowError(.noHost)
        }
        return HostProcess(socket: ends[0], pid: pid)
    }

    private static func spawn(_ program: String, _ arguments: [String], socket: CInt) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        guard posix_spawn_file_actions_init(&actions) == 0 else { return nil }
        defer { posix_spawn_file_actions_destroy(&actions) }
        var attributes = posix_spawnattr_t()
        guard posix_spawnattr_init(&attributes) == 0 else { return nil }
        defer { posix_spawnattr_destroy(&attributes) }

        // The app's signal mask and its care for SIGPIPE are none of the host's business.
        var none = sigset_t()
        var pipe = sigset_t()
        sigemptyset(&none)
        sigemptyset(&pipe)
        sigaddset(&pipe, SIGPIPE)
        guard posix_spawn_file_actions_adddup2(&actions, socket, 0) == 0,
            posix_spawn_file_actions_adddup2(&actions, 0, 1) == 0,
            // The app's open files and connections are none of its business either.
            closeFrom(&actions, 3) == 0,
            posix_spawnattr_setsigmask(&attributes, &none) == 0,
            posix_spawnattr_setsigdefault(&attributes, &pipe) == 0,
            posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)) == 0
        else { return nil }

        let copies = arguments.map { strdup($0) }
        defer { copies.forEach { free($0) } }
        guard copies.allSatisfy({ $0 != nil }) else { return nil }
        var pid: pid_t = 0
        guard posix_spawnp(&pid, program, &actions, &attributes, copies + [nil], environ) == 0 else {
            return nil
        }
        return pid
    }

    /// Reads what there is, at most the buffer; 0 at the end, when the host's side is closed or broken.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        while true {
            let count = Glibc.recv(socket, buffer.baseAddress, buffer.count, 0)
            if count < 0, errno == EINTR { continue }
            return max(count, 0)
        }
    }

    /// Writes a whole line; false when the host is gone. May wait for the host to read.
    func write(_ line: [UInt8]) -> Bool {
        line.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let part = UnsafeRawBufferPointer(rebasing: rest)
                let count = Glibc.send(socket, part.baseAddress, part.count, CInt(MSG_NOSIGNAL))
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
    }

    /// Closes the host's stdin; its answers can still be read.
    func endInput() { _ = shutdown(socket, CInt(SHUT_WR)) }

    /// Closes both ways: a host that broke the protocol is not read on, nor waited for in a write.
    func disconnect() { _ = shutdown(socket, CInt(SHUT_RDWR)) }

    /// Waits for the end of the process and takes its number out of use.
    func reap() {
        var info = siginfo_t()
        // WNOWAIT leaves the process a zombie, so that its number cannot become another's before the lock is held.
        while waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        isReaped.withLock { isReaped in
            while waitpid(pid, nil, 0) < 0, errno == EINTR {}
            isReaped = true
        }
    }

    /// Sends a signal, unless the process is gone.
    func signal(_ number: CInt) {
        isReaped.withLock { isReaped in
            if !isReaped { _ = kill(pid, number) }
        }
    }
}

/// glibc declares it under _GNU_SOURCE only.
@_silgen_name("posix_spawn_file_actions_addclosefrom_np")
private func closeFrom(_ actions: UnsafeMutablePointer<posix_spawn_file_actions_t>, _ first: CInt) -> CInt
