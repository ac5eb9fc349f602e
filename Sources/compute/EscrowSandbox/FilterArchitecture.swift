import CSeccomp

/// A processor whose table of system calls a filter is compiled for.
public enum FilterArchitecture: String, Sendable, CaseIterable {
    case x86_64 = "x86-64"
    case arm64

    public static var native: FilterArchitecture {
        #if arch(x86_64)
        .x86_64
        #else
        .arm64
        #endif
    }

    /// The kernel's AUDIT_ARCH value, which is libseccomp's token as well.
    var token: UInt32 {
        switch self {
        case .x86_64: 0xC000_003E
        case .arm64: 0xC000_00B7
        }
    }

    /// A call's number in this table, or nil for a name that it lacks. seccomp_syscall_resolve_name_arch(3)
    func number(of call: String) -> Int32? {
        // Names of other architectures resolve to negative pseudo numbers.
        let number = seccomp_syscall_resolve_name_arch(token, call)
        return number >= 0 ? number : nil
    }
}
