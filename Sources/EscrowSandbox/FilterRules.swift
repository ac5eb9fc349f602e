import Glibc

/// The allow-lists. Whatever is not named here is a violation: the call is not run, the plugin is killed, and the
/// report names the call. `docs/spec/sandbox.md` gives the reason for each argument rule.
enum FilterRules {
    /// How the lists vary with what the machine can do.
    struct Options: Hashable, Sendable {
        /// The plugin is process 1 of its own namespace, so it may signal "process 1" and hits only itself.
        var ownProcessNamespace = true
        /// Calls not listed are notified, and so are those that the supervisor wants to see.
        var naming = true
    }

    static func rules(for profile: SandboxProfile, _ options: Options) -> [FilterRule] {
        common(options) + (profile == .strict ? strict : runtime)
            + (options.naming ? [] : opens(profile))
    }

    private static let executable = UInt64(PROT_EXEC)
    private static let writableAndExecutable = UInt64(PROT_EXEC | PROT_WRITE)

    private static func common(_ options: Options) -> [FilterRule] {
        var rules: [FilterRule] = []
        rules += FilterRule.each("read write readv writev close lseek fstat brk munmap mremap madvise futex")
        rules += FilterRule.each("rt_sigaction rt_sigprocmask rt_sigreturn sigaltstack restart_syscall")
        rules += FilterRule.each("getpid gettid getppid getuid geteuid getgid getegid uname getrandom")
        rules += FilterRule.each("clock_gettime clock_getres clock_nanosleep nanosleep gettimeofday getcpu")
        rules += FilterRule.each(
            "sched_yield sched_getaffinity exit set_tid_address set_robust_list rseq ppoll")
        rules += FilterRule.each("time poll", legacy: true)
        rules += [
            FilterRule("mmap", .allow, [.without(2, executable)]),
            FilterRule("mprotect", .allow, [.without(2, executable)]),
            FilterRule("arch_prctl", .allow, [.word(0, 0x1002)], legacy: true),
            FilterRule("arch_prctl", .refuse(EINVAL), [.word(0, 0x3001)], legacy: true),
            FilterRule("prlimit64", .allow, [.word(0, 0), .equal(argument: 2, 0)]),
            FilterRule("ioctl", .allow, [.word(1, 0x5451)]),
            FilterRule("ioctl", .refuse(ENOTTY), [.word(1, 0x5401)]),
            FilterRule("ioctl", .refuse(ENOTTY), [.word(1, 0x5413)]),
            FilterRule("prctl", .allow, [.word(0, 15)]),
            FilterRule("prctl", .refuse(EINVAL), [.word(0, 0x5356_4d41)]),
            // Probed by honest runtimes, which have another way; anything but ENOSYS makes them give up.
        ]
        rules += [F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC].map {
            FilterRule("fcntl", .allow, [.word(1, UInt32($0))])
        }
        rules += FilterRule.each("clone3 openat2 pidfd_open close_range io_uring_setup", .refuse(ENOSYS))
        rules += FilterRule.each("setpriority", .refuse(0))
        rules += FilterRule.each(
            "sched_setaffinity sched_setparam sched_getparam sched_setscheduler sched_getscheduler sysinfo umask",
            .refuse(EPERM))
        // With a listener the end is shown to the supervisor first, which reads how much memory was used and lets it
        // go on: afterwards nobody can tell.
        if !options.naming {
            rules.append(FilterRule("exit_group"))
            // Nobody answers for the exec of the plugin itself. Descriptor 3 closes with it.
            rules.append(FilterRule("execveat", .allow, [.word(0, 3), .word(4, 0x1000)]))
        }
        if options.ownProcessNamespace {
            // abort() is shown to the supervisor: process 1 cannot die of its own SIGABRT, and would end as SIGSEGV.
            let notAbort = FilterRule.Condition.notEqual(argument: 2, UInt64(SIGABRT))
            rules.append(
                FilterRule("tgkill", .allow, options.naming ? [.word(0, 1), notAbort] : [.word(0, 1)]))
        }
        return rules
    }

    private static let strict: [FilterRule] =
        FilterRule.each("readlinkat faccessat getcwd chdir", .refuse(ENOENT))
        + FilterRule.each("stat lstat readlink access", .refuse(ENOENT), legacy: true)
        + FilterRule.each("statx faccessat2", .refuse(ENOSYS)) + [
            FilterRule("newfstatat", .allow, [.with(3, 0x1000)]),
            FilterRule("newfstatat", .refuse(ENOENT), [.without(3, 0x1000)]),
        ]

    /// O_ACCMODE, O_CREAT, O_TRUNC, O_PATH and the kernel's own bit of O_TMPFILE (glibc's value contains
    /// O_DIRECTORY, and would refuse every directory).
    static let writingOpen: UInt64 = 0x3 | 0x40 | 0x200 | 0x20_0000 | 0x40_0000

    /// Without a listener nobody reads paths: the kernel answers by the profile alone. With one, `PathPolicy` does.
    private static func opens(_ profile: SandboxProfile) -> [FilterRule] {
        profile == .strict
            ? FilterRule.each("openat", .refuse(ENOENT))
                + FilterRule.each("open", .refuse(ENOENT), legacy: true)
            : [
                FilterRule("openat", .allow, [.without(2, writingOpen)]),
                FilterRule("open", .allow, [.without(1, writingOpen)], legacy: true),
            ]
    }

    /// VM, FS, FILES, SIGHAND and THREAD, all of them; no new namespace, PTRACE, VFORK, PARENT, UNTRACED, PIDFD.
    private static let threadFlags: UInt64 = 0x1_0f00
    private static let forbiddenCloneFlags: UInt64 =
        0x7e02_0000 | 0x80 | 0x1000 | 0x2000 | 0x4000 | 0x8000 | 0x80_0000

    private static let runtime: [FilterRule] =
        FilterRule.each("rt_sigsuspend rt_sigtimedwait rt_sigpending membarrier")
        + FilterRule.each(
            "epoll_create1 epoll_ctl epoll_pwait eventfd2 timerfd_create timerfd_settime pselect6")
        + FilterRule.each("dup dup3 statx newfstatat readlinkat faccessat faccessat2 getdents64 getcwd")
        + FilterRule.each("statfs fstatfs pread64 getrusage times getsid")
        + FilterRule.each("epoll_wait select dup2 stat lstat readlink access getpgrp", legacy: true)
        + FilterRule.each("chdir", .refuse(EACCES)) + [
            FilterRule(
                "clone", .allow,
                [.masked(argument: 0, mask: threadFlags | forbiddenCloneFlags, equals: threadFlags)]),
            FilterRule("fcntl", .allow, [.word(1, UInt32(F_DUPFD))]),
            FilterRule("pipe2", .allow, [.without(1, 0xffff_ffff & ~UInt64(O_CLOEXEC | O_NONBLOCK))]),
            // The dynamic loader maps code; nothing is ever writable and executable in one call.
            FilterRule(
                "mmap", .allow, [.masked(argument: 2, mask: writableAndExecutable, equals: executable)]),
            FilterRule(
                "mprotect", .allow, [.masked(argument: 2, mask: writableAndExecutable, equals: executable)]),
        ]
}
