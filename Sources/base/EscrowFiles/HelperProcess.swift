import Glibc
import Synchronization

/// A program of ours that is started beside the one that runs, with one socket as its stdin and nothing else: no environment, no
/// signal of the terminal, no other descriptor.
public final class HelperProcess: Sendable {
    /// Our end of the socket.
    public let socket: Int32
    private let pid: pid_t
    /// Whether it was waited for: its number may then be another process's.
    private let isReaped = Mutex(false)

    /// Where a program of that name is: beside the program that runs; nil where it is missing, or where others could have put
    /// it there.
    public static func path(of name: String) -> String? {
        // Not realpath(3): the folder is known still where an update has taken this program's file away.
        var target = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = target.withUnsafeMutableBytes { raw in
            readlink("/proc/self/exe", raw.baseAddress!.assumingMemoryBound(to: CChar.self), raw.count)
        }
        guard count > 0, count < target.count else { return nil }
        let path = SecureFile.parent(of: String(decoding: target.prefix(count), as: UTF8.self)) + "/" + name
        var file = stat()
        var ours = stat()
        guard lstat(path, &file) == 0, stat("/proc/self/exe", &ours) == 0, file.st_mode & S_IFMT == S_IFREG,
            file.st_mode & S_IWOTH == 0,
            file.st_uid == 0 || file.st_uid == geteuid() || file.st_uid == ours.st_uid
        else { return nil }
        return path
    }

    /// Starts it; nil where that cannot be.
    public init?(path: String) {
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
        socket = ends[0]
    }

    deinit {
        end()
        Glibc.close(socket)
    }

    /// Ends it at once; whoever waits for it learns of it.
    public func kill() {
        isReaped.withLock { isReaped in if !isReaped { _ = Glibc.kill(pid, SIGKILL) } }
    }

    /// Waits for its end; what waitpid(2) says of it, or -1 where that was taken before.
    @discardableResult
    public func wait() -> Int32 {
        isReaped.withLock { isReaped in
            guard !isReaped else { return -1 }
            var status: Int32 = 0
            while waitpid(pid, &status, 0) < 0, errno == EINTR {}
            isReaped = true
            return status
        }
    }

    /// Ends it, and waits until it is gone.
    public func end() {
        kill()
        wait()
    }

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
        let name = path.split(separator: "/").last.map(String.init) ?? path
        var words = [strdup(name), nil]
        defer { free(words[0]) }
        var environment: [UnsafeMutablePointer<CChar>?] = [nil]
        var pid: pid_t = 0
        guard posix_spawn(&pid, path, &actions, &attributes, &words, &environment) == 0 else { return nil }
        return pid
    }
}
