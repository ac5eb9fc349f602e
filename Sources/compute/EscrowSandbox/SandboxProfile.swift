public enum SandboxProfile: String, Sendable, CaseIterable {
    /// A static executable with one thread, an empty root and nothing to open.
    case strict
    /// An interpreter with threads, and read-only copies of its libraries.
    case runtime
}

/// The program that a sandbox runs. Descriptors stay the caller's; they must be open until `launch` returns.
public enum SandboxProgram: Sendable {
    /// A static ELF executable in a sealed memfd, run in the strict profile.
    case executable(fd: Int32)
    /// A script, run in the runtime profile by an interpreter of this machine named by one word of a closed list:
    /// `python3`, `jq`, `awk`, `sh`. Each file is a sealed memfd and appears, read-only, as `/plugin/NAME`; `main`
    /// names one of them. With `mapsCode` names may have folders in them, and what lies in them may be mapped as code.
    case script(interpreter: String, main: String, files: [(name: String, fd: Int32)], mapsCode: Bool = false)

    public var profile: SandboxProfile {
        switch self {
        case .executable: .strict
        case .script: .runtime
        }
    }
}
