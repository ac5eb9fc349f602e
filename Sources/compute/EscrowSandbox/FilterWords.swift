import Glibc

/// Filter rules in words. The words are made from the rule's own numbers, and each number is shown, so that a list
/// cannot say one thing and do another.
enum FilterWords {
    static func decision(_ rule: FilterRule) -> String {
        let action: String =
            switch rule.action {
            case .allow: "allowed"
            case .ask: "the supervisor decides"
            case .refuse(0): "not run, answers success"
            case .refuse(let error): "answers \(errorName(error))"
            }
        guard !rule.conditions.isEmpty else { return action }
        return action + " if " + rule.conditions.map { condition(rule.call, $0) }.joined(separator: ", and ")
    }

    /// `ENOENT` for its number; `errno 99` for one that no list of ours uses.
    static func errorName(_ error: Int32) -> String {
        let names: [Int32: String] = [
            EPERM: "EPERM", ENOENT: "ENOENT", EAGAIN: "EAGAIN", EACCES: "EACCES", EFAULT: "EFAULT",
            EINVAL: "EINVAL", ENOTTY: "ENOTTY", ENOSYS: "ENOSYS",
        ]
        return names[error] ?? "errno \(error)"
    }

    private static func condition(_ call: String, _ condition: FilterRule.Condition) -> String {
        let place = condition.argument
        let name = argumentNames[call]?[place] ?? "argument \(place)"
        func value(_ value: UInt64) -> String { self.value(value, call, place) }
        switch condition {
        case .equal(_, let number): return "\(name) is \(value(number)) in all 64 bits"
        case .notEqual(_, let number): return "\(name) is not \(value(number)) in all 64 bits"
        case .masked(_, 0xffff_ffff, let number): return "\(name) is \(value(number))"
        case .masked(_, let mask, 0) where mask.nonzeroBitCount > 16:
            return "\(name) has no bit but \(value(~mask & 0xffff_ffff))"
        case .masked(_, let mask, 0): return "\(name) has none of \(value(mask))"
        case .masked(_, let mask, let wanted) where mask == wanted:
            return "\(name) has \(value(mask))"
        case .masked(_, let mask, let wanted):
            return "\(name) has \(value(wanted)) and none of \(value(mask & ~wanted))"
        }
    }

    /// A number by name and in hexadecimal digits, or in these alone.
    private static func value(_ value: UInt64, _ call: String, _ place: UInt32) -> String {
        let digits = "0x" + String(value, radix: 16)
        let word = UInt32(truncatingIfNeeded: value)
        let name: String? =
            switch (call, place) {
            case ("ioctl", 1): SyscallArguments.ioctlRequests[word]
            case ("prctl", 0): SyscallArguments.prctlOptions[word]
            case ("fcntl", 1): SyscallArguments.fcntlCommands[word]
            case ("futex", 1): SyscallArguments.futexOperation(word)
            case ("madvise", 2): SyscallArguments.memoryAdvice[word]
            case ("arch_prctl", 0): archOptions[word]
            case ("tgkill", 2) where value == UInt64(SIGABRT): "SIGABRT"
            case ("clone", 0): bits(value, SyscallArguments.cloneFlags + [SyscallArguments.timeNamespace])
            case ("mmap", 2), ("mprotect", 2): bits(value, SyscallArguments.protections)
            case ("open", 1), ("openat", 2), ("pipe2", 1): bits(value, openBits)
            case ("newfstatat", 3), ("execveat", 4): bits(value, [(0x1000, "AT_EMPTY_PATH")])
            default: nil
            }
        return name.map { "\($0) (\(digits))" } ?? digits
    }

    private static func bits(_ value: UInt64, _ table: [(UInt64, String)]) -> String? {
        let known = table.reduce(0) { $0 | $1.0 }
        return value & ~known == 0 ? SyscallArguments.flags(value, table) : nil
    }

    private static let openBits =
        [
            (1, "O_WRONLY"), (2, "O_RDWR"), (UInt64(O_NONBLOCK), "O_NONBLOCK"),
            (UInt64(O_CLOEXEC), "O_CLOEXEC"),
        ]
        + SyscallArguments.openFlags

    private static let archOptions: [UInt32: String] = [0x1002: "ARCH_SET_FS", 0x3001: "ARCH_CET_STATUS"]

    /// The arguments that rules look at, as section 2 of the manual calls them.
    private static let argumentNames: [String: [UInt32: String]] = [
        "arch_prctl": [0: "code"], "clone": [0: "flags"], "execveat": [0: "dirfd", 4: "flags"],
        "fcntl": [1: "command"], "futex": [1: "futex_op"], "madvise": [2: "advice"], "ioctl": [1: "request"],
        "mmap": [2: "prot"], "mprotect": [2: "prot"], "newfstatat": [3: "flags"], "open": [1: "flags"],
        "openat": [2: "flags"], "pipe2": [1: "flags"],
        "prctl": [0: "option"], "prlimit64": [0: "pid", 2: "new_limit"], "tgkill": [0: "tgid", 2: "signal"],
    ]
}
