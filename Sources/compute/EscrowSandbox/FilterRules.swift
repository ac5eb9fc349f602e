import Glibc

/// The allow-lists. Whatever is not named here is a violation: the call is not run, the plugin is killed, and the
/// report names the call. `escrow doctor --filter` prints them; `docs/spec/sandbox.md` says more about the reasons.
enum FilterRules {
    /// How the lists vary with what the machine can do.
    struct Options: Hashable, Sendable {
        /// The plugin is process 1 of its own namespace, so it may signal "process 1" and hits only itself.
        var ownProcessNamespace = true
        /// Calls not listed are notified, and so are those that the supervisor wants to see.
        var naming = true
        var architecture = FilterArchitecture.native
    }

    /// Every rule of a profile. No two rules of one call fit the same arguments.
    static func rules(for profile: SandboxProfile, _ options: Options) -> [FilterRule] {
        common(options) + waits + memoryAdvice
            + (profile == .strict ? strict : runtime + sharedWaits + threads(options))
            + opens(profile, options)
            + (options.architecture == .x86_64 ? olderCalls(profile, options) : [])
            + (options.architecture == .arm64 && profile == .runtime ? [markedCode] : [])
    }

    private static let executable = UInt64(PROT_EXEC)
    private static let writableAndExecutable = UInt64(PROT_EXEC | PROT_WRITE)

    private static func common(_ options: Options) -> [FilterRule] {
        var rules: [FilterRule] = []
        rules += FilterRule.each(
            "read write readv writev close lseek fstat", "descriptors that it has: the three pipes")
        rules += FilterRule.each("brk munmap mremap", "memory of its own, within its limit")
        rules += FilterRule.each(
            "rt_sigaction rt_sigprocmask rt_sigreturn sigaltstack", "its own signal handlers")
        rules += FilterRule.each("restart_syscall", "the kernel resumes an interrupted wait with it")
        rules += FilterRule.each(
            "getpid gettid getppid getuid geteuid getgid getegid", "ids inside the sandbox: 1, 0, 1000")
        rules += FilterRule.each("uname", "the kernel's version; the host is named plugin")
        rules += FilterRule.each("getrandom", "seeds of hash tables")
        rules += FilterRule.each(
            "clock_gettime clock_getres gettimeofday", "the time, which no filter can hide: the vDSO tells it"
        )
        rules += FilterRule.each("clock_nanosleep nanosleep", "sleep, within the limit of time")
        rules += FilterRule.each("sched_yield sched_getaffinity", "the processors that it may use")
        rules += FilterRule.each("exit set_tid_address rseq", "begin and end of a thread")
        rules += FilterRule.each(
            "set_robust_list", .refuse(ENOSYS),
            "the kernel would wake by shared keys at a thread's end; libraries go on without")
        rules += FilterRule.each("ppoll", "waits for its pipes")
        rules += [
            FilterRule("mmap", .allow, [.without(2, executable)], "memory of its own; no new code"),
            FilterRule("mprotect", .allow, [.without(2, executable)], "no new code"),
            FilterRule(
                "prlimit64", .allow, [.word(0, 0), .equal(argument: 2, 0)],
                "its own limits are read, never set"),
            FilterRule("ioctl", .refuse(ENOTTY), [.word(1, 0x5401)], "asks whether stdout is a terminal"),
            FilterRule("ioctl", .refuse(ENOTTY), [.word(1, 0x5413)], "asks how wide the terminal is"),
            FilterRule(
                "prctl", .refuse(0), [.word(0, 15)],
                "pretended: every process of the machine can read a thread's name"),
            FilterRule(
                "prctl", .refuse(EINVAL), [.word(0, 0x5356_4d41)], "names memory; older kernels cannot"),
        ]
        rules += [F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC].map {
            FilterRule("fcntl", .allow, [.word(1, UInt32($0))], "descriptors of its own; signals nobody")
        }
        rules += FilterRule.each(
            "clone3 openat2 pidfd_open close_range io_uring_setup statx", .refuse(ENOSYS),
            "runtimes try it and have another way; what it asks for lies behind a pointer, or is never granted"
        )
        rules += FilterRule.each(
            "setpriority", .refuse(0), "pretended: told no, libdispatch opens a socket to the system log")
        rules += FilterRule.each(
            "sched_setaffinity sched_setparam sched_getparam sched_setscheduler sched_getscheduler",
            .refuse(EPERM), "runtimes try to tune their threads, and go on without")
        rules += FilterRule.each("sysinfo umask", .refuse(EPERM), "runtimes ask, and go on without")
        rules += ends(options)
        return rules
    }

    /// How it starts and ends. With a listener the end is shown to the supervisor first, which reads how much memory
    /// was used and lets it go on: afterwards nobody can tell.
    private static func ends(_ options: Options) -> [FilterRule] {
        let exec = "the exec of the plugin itself: by descriptor 3, once, before any of its code has run"
        let signal = "signals to itself alone; process 1 is the plugin"
        let toItself = FilterRule.Condition.word(0, 1)
        guard options.naming else {
            // Nobody answers for the exec of the plugin itself. Descriptor 3 closes with it.
            return [
                FilterRule("execveat", .allow, [.word(0, 3), .word(4, 0x1000)], exec),
                FilterRule("exit_group", .allow, [], "its end"),
            ] + (options.ownProcessNamespace ? [FilterRule("tgkill", .allow, [toItself], signal)] : [])
        }
        let abort = UInt64(SIGABRT)
        var rules = [
            FilterRule("execveat", .ask, [.word(0, 3), .equal(argument: 4, 0x1000)], exec),
            FilterRule("exit_group", .ask, [], "its end: the supervisor first reads how much memory it used"),
            // Process 1 cannot die of its own SIGABRT, and would end as SIGSEGV.
            FilterRule(
                "tgkill", .ask, [.word(2, UInt32(SIGABRT))], "abort: the supervisor ends it by that name"),
        ]
        if options.ownProcessNamespace {
            rules.append(
                FilterRule("tgkill", .allow, [toItself, .notEqual(argument: 2, abort)], signal))
        }
        return rules
    }

    /// FUTEX_PRIVATE_FLAG: the key is of this process alone. Without it the key of a page of a file is the file's, and
    /// whoever has the file waits and wakes with the plugin. No operation with priority inheritance, which looks at other
    /// threads of the machine.
    private static let privateWait: UInt32 = 128
    private static let clockRealtime: UInt32 = 256

    private static let waits: [FilterRule] = ([0, 1, 3, 4, 5, 9, 10] + [9 | clockRealtime]).map { operation in
        FilterRule(
            "futex", .allow, [.word(1, operation | privateWait)], "waits of its own threads on one another")
    }

    /// What pthread_join makes, since the kernel tells of a thread's end by a shared key: it asks until it sees the end.
    private static let sharedWaits: [FilterRule] =
        [0, 9, 9 | clockRealtime].map { operation in
            FilterRule(
                "futex", .refuse(EAGAIN), [.word(1, operation)],
                "a key of more than itself: nobody waits there")
        } + [
            FilterRule("futex", .refuse(0), [.word(1, 1)], "a key of more than itself: nobody is woken there")
        ]

    /// Advice on memory of its own: to use it soon, in order, or no more; in large pages or not; not in a core.
    private static let memoryAdvice: [FilterRule] =
        [
            FilterRule("madvise", .allow, [.without(2, 0xffff_fffc)], "how it will use its memory"),
            FilterRule("madvise", .allow, [.word(2, 4)], "gives memory back"),
            FilterRule("madvise", .allow, [.word(2, 8)], "gives memory back, when it is needed"),
            // BoringSSL, before it asks for MADV_WIPEONFORK: an emulator that says yes to -1 says yes to everything.
            FilterRule("madvise", .refuse(EINVAL), [.word(2, .max)], "no kernel has it: libraries make sure"),
        ]
        + [UInt32(14), 15, 16, 17].map { advice in
            FilterRule("madvise", .allow, [.word(2, advice)], "large pages or not; in a core or not")
        }
        + [UInt32(12), 18, 20, 21, 22, 23, 25, 102, 103].map { advice in
            FilterRule(
                "madvise", .refuse(EINVAL), [.word(2, advice)],
                "older kernels cannot; pages merged with another's would be shared")
        }

    private static let strict: [FilterRule] =
        FilterRule.each(
            "readlinkat faccessat getcwd chdir", .refuse(ENOENT), "runtimes look around; the root is empty")
        + FilterRule.each("faccessat2", .refuse(ENOSYS), "runtimes try it and have another way") + [
            FilterRule("newfstatat", .allow, [.with(3, 0x1000)], "fstat by another name"),
            FilterRule(
                "newfstatat", .refuse(ENOENT), [.without(3, 0x1000)],
                "runtimes look around; the root is empty"),
        ]

    /// O_ACCMODE, O_CREAT, O_TRUNC, O_PATH and the kernel's own bit of O_TMPFILE (glibc's value contains
    /// O_DIRECTORY, and would refuse every directory). The same on both processors.
    static let writingOpen: UInt64 = 0x3 | 0x40 | 0x200 | 0x20_0000 | 0x40_0000

    /// Without a listener nobody reads paths: the kernel answers by the profile alone. With one, `PathPolicy` does.
    private static func opens(_ profile: SandboxProfile, _ options: Options) -> [FilterRule] {
        openRule("openat", flags: 2, profile, options)
    }

    private static func openRule(
        _ call: String, flags: UInt32, _ profile: SandboxProfile, _ options: Options
    ) -> [FilterRule] {
        let readOnly = FilterRule.Condition.without(flags, writingOpen)
        switch (options.naming, profile) {
        case (true, _):
            return [
                FilterRule(
                    call, .ask, [readOnly],
                    profile == .strict
                        ? "the supervisor answers ENOENT to what runtimes look for; no file is ever opened"
                        : "the supervisor reads the path; files that the root has are opened, read only")
            ]
        case (false, .strict):
            return [FilterRule(call, .refuse(ENOENT), [], "runtimes look around; the root is empty")]
        case (false, .runtime):
            return [FilterRule(call, .allow, [readOnly], "files that the root has, read only")]
        }
    }

    /// VM, FS, FILES, SIGHAND and THREAD, all of them; no new namespace, PTRACE, VFORK, PARENT, UNTRACED, PIDFD.
    private static let threadFlags: UInt64 = 0x1_0f00
    private static let forbiddenCloneFlags: UInt64 =
        0x7e02_0000 | 0x80 | 0x1000 | 0x2000 | 0x4000 | 0x8000 | 0x80_0000

    /// Threads, never processes. With a listener the supervisor counts them: the kernel's own limit would only be an
    /// errno to the plugin, and its end the plugin's own failure.
    private static func threads(_ options: Options) -> [FilterRule] {
        let flags = FilterRule.Condition.masked(
            argument: 0, mask: threadFlags | forbiddenCloneFlags, equals: threadFlags)
        return [
            options.naming
                ? FilterRule("clone", .ask, [flags], "threads, never processes; the supervisor counts them")
                : FilterRule("clone", .allow, [flags], "threads, never processes")
        ]
    }

    /// Whether these flags of a clone make a thread and nothing else.
    static func isThread(_ flags: UInt64) -> Bool {
        flags & (threadFlags | forbiddenCloneFlags) == threadFlags
    }

    private static let runtime: [FilterRule] =
        FilterRule.each("pselect6", "waits for its pipes")
        + FilterRule.each("dup3", "descriptors of its own")
        + FilterRule.each(
            "newfstatat readlinkat faccessat faccessat2", "asks about files; finds those of its root")
        + FilterRule.each("getdents64 pread64", "files that it has open, read only")
        + FilterRule.each("getcwd", "always /")
        + FilterRule.each("statfs fstatfs", .refuse(EPERM), "how full the person's disk is")
        + FilterRule.each(
            "getrusage times", .refuse(EPERM),
            "tells what the machine had in memory, and of the host that it was made by")
        + FilterRule.each("getsid", "its own session")
        + FilterRule.each("chdir", .refuse(EACCES), "it stays in /")
        // `import subprocess` tries it; a violation would end scripts that never wait for anything.
        + FilterRule.each("epoll_create1", .refuse(ENOSYS), "Python tries it on import, and waits with poll")
        + [
            FilterRule(
                "fcntl", .allow, [.word(1, UInt32(F_DUPFD))], "descriptors of its own; signals nobody"),
            FilterRule("ioctl", .allow, [.word(1, 0x5451)], "close on exec, for a descriptor of its own"),
            FilterRule(
                "pipe2", .allow, [.without(1, 0xffff_ffff & ~UInt64(O_CLOEXEC | O_NONBLOCK))],
                "pipes within it; none that carries notifications"),
            FilterRule(
                "mmap", .allow,
                [
                    .masked(argument: 2, mask: writableAndExecutable, equals: executable),
                    .without(3, UInt64(MAP_ANONYMOUS)),
                ], "the dynamic loader maps code from files; what was written is never made code"),
        ]

    // MARK: where the processors differ

    /// PROT_EXEC and PROT_BTI: on arm64 the dynamic loader marks the code of the program itself, and goes on without.
    private static let markedCode = FilterRule(
        "mprotect", .refuse(EACCES), [.masked(argument: 2, mask: marksCode, equals: marksCode)],
        "the dynamic loader marks where code may be jumped to; no memory becomes code")
    private static let marksCode = UInt64(PROT_EXEC | 0x10)

    /// What x86-64 has beside newer spellings of the same; `absent` names each for arm64.
    private static func olderCalls(_ profile: SandboxProfile, _ options: Options) -> [FilterRule] {
        let shared =
            FilterRule.each("time", "the time, which no filter can hide: the vDSO tells it")
            + FilterRule.each("poll", "waits for its pipes") + [
                FilterRule(
                    "arch_prctl", .allow, [.word(0, 0x1002)], "where a thread keeps its own variables"),
                FilterRule("arch_prctl", .refuse(EINVAL), [.word(0, 0x3001)], "asks for shadow stacks"),
            ] + openRule("open", flags: 1, profile, options)
        switch profile {
        case .strict:
            return shared
                + FilterRule.each(
                    "stat lstat readlink access", .refuse(ENOENT), "runtimes look around; the root is empty")
        case .runtime:
            return shared
                + FilterRule.each(
                    "stat lstat readlink access", "asks about files; finds those of its root")
                + FilterRule.each("select", "waits for its pipes")
                + FilterRule.each("dup2", "descriptors of its own")
        }
    }

    /// Calls of the x86-64 lists that arm64 does not have, and what takes their place. libseccomp would drop a rule
    /// on such a name in silence, so each stands here on purpose; a test compares.
    static let absentOnArm64: [String: String] = [
        "access": "faccessat", "arch_prctl": "a register", "dup2": "dup3", "lstat": "newfstatat",
        "open": "openat", "poll": "ppoll", "readlink": "readlinkat", "select": "pselect6",
        "stat": "newfstatat", "time": "clock_gettime",
    ]

    /// The calls that a profile's list has on x86-64 alone, by name.
    static func absentCalls(of profile: SandboxProfile) -> [String] {
        func calls(_ architecture: FilterArchitecture) -> Set<String> {
            var options = Options()
            options.architecture = architecture
            return Set(rules(for: profile, options).map(\.call))
        }
        return calls(.x86_64).subtracting(calls(.arm64)).sorted()
    }
}
