import Glibc

/// What a crash of this program leaves behind. It may hold the person's data at that moment.
public enum Crash {
    /// Lets a crash end the process, and nothing else. To be called first, while there is one thread.
    ///
    /// On a terminal Swift's runtime starts `swift-backtrace`, which prints registers and the memory that they point to. Where
    /// Swift is linked into the program, it looks for that beside the name by which the program was called: `escrow` is looked for
    /// in the folder that the person is in, and whoever could put a file there had a program look into our memory. The
    /// runtime has its handlers before main begins, so they are taken back here.
    public static func leavesNothing() {
        for number in [SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV] { signal(number, SIG_DFL) }
        // A core file of one byte is not written. 0 would hold for files alone: the kernel feeds a program that collects cores
        // (systemd-coredump, apport) whatever the limit says, but for 1. fs/coredump.c
        var limit = rlimit()
        if getrlimit(core, &limit) == 0 {
            limit.rlim_cur = min(1, limit.rlim_max)
            setrlimit(core, &limit)
        }
        // Where the limit cannot be raised from 0, a collector's core holds no memory. core(5)
        let filter = open("/proc/self/coredump_filter", O_WRONLY | O_CLOEXEC)
        if filter >= 0 {
            _ = write(filter, "0", 1)
            close(filter)
        }
    }

    private static let core = __rlimit_resource_t(UInt32(RLIMIT_CORE.rawValue))
}
