/// Arguments of system calls in words. Only numbers that come from closed tables are shown: a pointer says nothing
/// and a size or an offset could be a value of the data.
enum SyscallArguments {
    static func words(for call: String, _ arguments: [UInt64]) -> [String] {
        guard arguments.count == 6 else { return [] }
        let word = arguments.map { UInt32(truncatingIfNeeded: $0) }
        switch call {
        case "socket", "socketpair":
            return [name(word[0], families, "AF"), name(word[1] & 0xf, socketTypes, "SOCK")]
        case "clone": return [flags(arguments[0] & ~0xff, cloneFlags)]
        case "unshare": return [flags(arguments[0], cloneFlags + [timeNamespace])]
        case "setns": return [flags(arguments[1], cloneFlags + [timeNamespace])]
        case "mmap", "mprotect", "pkey_mprotect": return [flags(arguments[2], protections)]
        case "openat":
            return [word[0] == currentDirectory ? "AT_FDCWD" : "a descriptor", opening(arguments[2])]
        case "open": return [opening(arguments[1])]
        case "prctl": return [name(word[0], prctlOptions, "PR")]
        case "ioctl": return [name(word[1], ioctlRequests, "request")]
        case "fcntl": return [name(word[1], fcntlCommands, "F")]
        case "futex": return [futexOperation(word[1]) ?? "another FUTEX"]
        case "madvise": return [name(word[2], memoryAdvice, "MADV")]
        default: return []
        }
    }

    private static func name(_ value: UInt32, _ table: [UInt32: String], _ kind: String) -> String {
        table[value] ?? "another \(kind)"
    }

    static func flags(_ value: UInt64, _ table: [(UInt64, String)]) -> String {
        let names = table.filter { value & $0.0 == $0.0 }.map(\.1)
        return names.isEmpty ? "0" : names.joined(separator: "|")
    }

    /// The operation is a number, two bits say whose the key is and which clock counts.
    static func futexOperation(_ value: UInt32) -> String? {
        guard let operation = futexOperations[value & ~0x180] else { return nil }
        let flags: [(UInt32, String)] = [(0x80, "FUTEX_PRIVATE_FLAG"), (0x100, "FUTEX_CLOCK_REALTIME")]
        return ([operation] + flags.filter { value & $0.0 != 0 }.map(\.1)).joined(separator: "|")
    }

    /// The access mode is a number, the rest are bits.
    private static func opening(_ value: UInt64) -> String {
        let modes = ["O_RDONLY", "O_WRONLY", "O_RDWR", "O_ACCMODE"]
        let rest = openFlags.filter { value & $0.0 == $0.0 }.map(\.1)
        return ([modes[Int(value & 3)]] + rest).joined(separator: "|")
    }

    /// AT_FDCWD
    private static let currentDirectory = UInt32(bitPattern: -100)
    private static let families: [UInt32: String] = [
        1: "AF_UNIX", 2: "AF_INET", 10: "AF_INET6", 16: "AF_NETLINK", 17: "AF_PACKET", 29: "AF_CAN",
        31: "AF_BLUETOOTH", 38: "AF_ALG", 40: "AF_VSOCK", 44: "AF_XDP",
    ]
    private static let socketTypes: [UInt32: String] = [
        1: "SOCK_STREAM", 2: "SOCK_DGRAM", 3: "SOCK_RAW", 5: "SOCK_SEQPACKET",
    ]
    private static let futexOperations: [UInt32: String] = [
        0: "FUTEX_WAIT", 1: "FUTEX_WAKE", 2: "FUTEX_FD", 3: "FUTEX_REQUEUE", 4: "FUTEX_CMP_REQUEUE",
        5: "FUTEX_WAKE_OP", 6: "FUTEX_LOCK_PI", 7: "FUTEX_UNLOCK_PI", 8: "FUTEX_TRYLOCK_PI",
        9: "FUTEX_WAIT_BITSET", 10: "FUTEX_WAKE_BITSET", 11: "FUTEX_WAIT_REQUEUE_PI",
        12: "FUTEX_CMP_REQUEUE_PI", 13: "FUTEX_LOCK_PI2",
    ]
    static let memoryAdvice: [UInt32: String] = [
        4: "MADV_DONTNEED", 8: "MADV_FREE", 9: "MADV_REMOVE", 10: "MADV_DONTFORK", 12: "MADV_MERGEABLE",
        14: "MADV_HUGEPAGE", 15: "MADV_NOHUGEPAGE", 16: "MADV_DONTDUMP", 17: "MADV_DODUMP",
        18: "MADV_WIPEONFORK", 20: "MADV_COLD", 21: "MADV_PAGEOUT", 22: "MADV_POPULATE_READ",
        23: "MADV_POPULATE_WRITE", 25: "MADV_COLLAPSE", 102: "MADV_GUARD_INSTALL", 103: "MADV_GUARD_REMOVE",
    ]
    static let cloneFlags: [(UInt64, String)] = [
        (0x100, "CLONE_VM"), (0x200, "CLONE_FS"), (0x400, "CLONE_FILES"), (0x800, "CLONE_SIGHAND"),
        (0x1000, "CLONE_PIDFD"), (0x2000, "CLONE_PTRACE"), (0x4000, "CLONE_VFORK"), (0x8000, "CLONE_PARENT"),
        (0x1_0000, "CLONE_THREAD"), (0x2_0000, "CLONE_NEWNS"), (0x80_0000, "CLONE_UNTRACED"),
        (0x200_0000, "CLONE_NEWCGROUP"), (0x400_0000, "CLONE_NEWUTS"), (0x800_0000, "CLONE_NEWIPC"),
        (0x1000_0000, "CLONE_NEWUSER"), (0x2000_0000, "CLONE_NEWPID"), (0x4000_0000, "CLONE_NEWNET"),
    ]
    /// In a clone this bit is part of the signal at the child's end.
    static let timeNamespace: (UInt64, String) = (0x80, "CLONE_NEWTIME")
    static let protections: [(UInt64, String)] = [(1, "PROT_READ"), (2, "PROT_WRITE"), (4, "PROT_EXEC")]
    static let openFlags: [(UInt64, String)] = [
        (0x40, "O_CREAT"), (0x200, "O_TRUNC"), (0x400, "O_APPEND"), (0x20_0000, "O_PATH"),
        (0x40_0000, "O_TMPFILE"),
    ]
    static let prctlOptions: [UInt32: String] = [
        1: "PR_SET_PDEATHSIG", 4: "PR_SET_DUMPABLE", 8: "PR_SET_KEEPCAPS", 15: "PR_SET_NAME",
        22: "PR_SET_SECCOMP", 24: "PR_CAPBSET_DROP", 26: "PR_SET_TSC", 35: "PR_SET_MM",
        36: "PR_SET_CHILD_SUBREAPER",
        28: "PR_SET_SECUREBITS", 29: "PR_SET_TIMERSLACK", 38: "PR_SET_NO_NEW_PRIVS", 47: "PR_CAP_AMBIENT",
        53: "PR_SET_SPECULATION_CTRL", 59: "PR_SET_SYSCALL_USER_DISPATCH", 65: "PR_SET_MDWE",
        3: "PR_GET_DUMPABLE", 41: "PR_SET_THP_DISABLE", 62: "PR_SCHED_CORE",
        0x5356_4d41: "PR_SET_VMA", 0x5961_6d61: "PR_SET_PTRACER",
    ]
    static let ioctlRequests: [UInt32: String] = [
        0x5412: "TIOCSTI", 0x541c: "TIOCLINUX", 0x541b: "FIONREAD", 0x5421: "FIONBIO", 0x5402: "TCSETS",
        0x5401: "TCGETS", 0x5413: "TIOCGWINSZ", 0x5451: "FIOCLEX", 0x5452: "FIOASYNC",
        0xc020_660b: "FS_IOC_FIEMAP",
    ]
    static let fcntlCommands: [UInt32: String] = [
        0: "F_DUPFD", 1: "F_GETFD", 2: "F_SETFD", 3: "F_GETFL", 4: "F_SETFL", 5: "F_GETLK", 6: "F_SETLK",
        8: "F_SETOWN", 10: "F_SETSIG", 1024: "F_SETLEASE", 1026: "F_NOTIFY", 1030: "F_DUPFD_CLOEXEC",
        1031: "F_SETPIPE_SZ", 1033: "F_ADD_SEALS",
    ]
}
