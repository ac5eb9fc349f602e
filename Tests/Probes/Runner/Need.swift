/// What a machine must have for the control run to show the misdeed.
enum Need: Sendable {
    /// A capability by its name, as capabilities(7) has it, and its number.
    case capability(String, Int)
    /// The processor, for what only its table of calls has. Without it the probe cannot even be compiled.
    case x86
    /// A part of the kernel; the control says REFUSED and one of these errnos where it was left out.
    case feature(String, without: Set<String>)

    /// `CAP_SYS_ADMIN`, `x86-64`, or `a kernel with kexec, else ENOSYS`.
    init(parsing text: String) throws(ProbeFailure) {
        if text.hasPrefix("CAP_") {
            guard let number = Self.capabilities.firstIndex(of: String(text.dropFirst(4))) else {
                throw ProbeFailure("there is no capability `\(text)`")
            }
            self = .capability(text, number)
        } else if text == "x86-64" {
            self = .x86
        } else {
            let parts = text.split(separator: ",", maxSplits: 1)
            let words = parts.count == 2 ? parts[1].split(separator: " ").map(String.init) : []
            guard words.count >= 2, words[0] == "else", words.dropFirst().allSatisfy({ $0.hasPrefix("E") })
            else {
                throw ProbeFailure("needs: a capability, x86-64, or `FEATURE, else ERRNO`")
            }
            self = .feature(String(parts[0]), without: Set(words.dropFirst()))
        }
    }

    /// Whether without it nothing of the probe can run, inside or outside.
    var isOfMachine: Bool {
        if case .x86 = self { true } else { false }
    }

    /// Why the control cannot run at all; nil when it can.
    func missing(held: UInt64) -> String? {
        switch self {
        case .capability(let name, let number): held >> UInt64(number) & 1 == 1 ? nil : "\(name) is not held"
        case .x86:
            #if arch(x86_64)
            nil
            #else
            "not an x86-64 machine"
            #endif
        case .feature: nil
        }
    }

    /// Why the control ended as it did, where that shows a kernel without the feature.
    func explains(_ end: End) -> String? {
        guard case .feature(let name, let without) = self, end.text.hasPrefix("refused "),
            without.contains(String(end.text.dropFirst(8)))
        else { return nil }
        return "it needs \(name): \(end.text.dropFirst(8))"
    }

    /// The capabilities that this process holds. proc(5), CapEff
    static func heldCapabilities() throws(ProbeFailure) -> UInt64 {
        for line in try Files.text("/proc/self/status").split(separator: "\n") where line.hasPrefix("CapEff:")
        {
            if let held = UInt64(ProbeHeader.trim(line.dropFirst(7)).filter { $0.isHexDigit }, radix: 16) {
                return held
            }
        }
        throw ProbeFailure("/proc/self/status does not tell this process's capabilities")
    }

    /// In the order of linux/capability.h.
    private static let capabilities = [
        "CHOWN", "DAC_OVERRIDE", "DAC_READ_SEARCH", "FOWNER", "FSETID", "KILL", "SETGID", "SETUID", "SETPCAP",
        "LINUX_IMMUTABLE", "NET_BIND_SERVICE", "NET_BROADCAST", "NET_ADMIN", "NET_RAW", "IPC_LOCK",
        "IPC_OWNER",
        "SYS_MODULE", "SYS_RAWIO", "SYS_CHROOT", "SYS_PTRACE", "SYS_PACCT", "SYS_ADMIN", "SYS_BOOT",
        "SYS_NICE",
        "SYS_RESOURCE", "SYS_TIME", "SYS_TTY_CONFIG", "MKNOD", "LEASE", "AUDIT_WRITE", "AUDIT_CONTROL",
        "SETFCAP",
        "MAC_OVERRIDE", "MAC_ADMIN", "SYSLOG", "WAKE_ALARM", "BLOCK_SUSPEND", "AUDIT_READ", "PERFMON", "BPF",
        "CHECKPOINT_RESTORE",
    ]
}
