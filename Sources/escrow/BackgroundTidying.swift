import EscrowHome
import EscrowHost
import Glibc

/// Tidies the ledger after a command, in a process of its own. Nobody who waits for the command, or for the end of its
/// output, waits for that process.
enum BackgroundTidying {
    /// Starts `escrow ledger tidy`, if it is due. If it fails or cannot start, the next run tries again.
    static func start(_ host: Host) {
        guard host.isTidyingDue() else { return }
        var files = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&files)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&files)
            posix_spawnattr_destroy(&attributes)
        }
        for descriptor in 0...2 as ClosedRange<Int32> {
            posix_spawn_file_actions_addopen(&files, descriptor, "/dev/null", O_RDWR, 0)
        }
        // A pipe that the caller left open at another number would keep its reader waiting.
        for descriptor in 3..<256 as Range<Int32> { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        // A session of its own (POSIX_SPAWN_SETSID of <spawn.h>, a GNU name that Swift does not see): a Ctrl-C on this
        // terminal is not meant for it.
        posix_spawnattr_setflags(&attributes, 0x80)
        let words = ["escrow", "ledger", "tidy", "--if-due", "--home", host.home.path]
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
        defer { for argument in arguments { free(argument) } }
        arguments.append(nil)
        var child = pid_t()
        _ = posix_spawn(&child, "/proc/self/exe", &files, &attributes, arguments, environ)
    }
}
