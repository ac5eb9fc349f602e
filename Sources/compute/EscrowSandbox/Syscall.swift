import CSeccomp
import Glibc

/// A system call that a plugin made and that the sandbox did not run.
public struct Syscall: Sendable, Equatable, CustomStringConvertible {
    /// The architecture whose calling convention was used.
    public enum Architecture: String, Sendable {
        case x86_64
        /// The 32-bit table, reached with `int 0x80`.
        case i386
        case x32
        case arm64
        case arm
        case unknown
    }

    /// Its name; `syscall 999` for a number without one, and `syscall beyond 1023` for one that no table comes to: such
    /// a number could be a value of the data.
    public let name: String
    /// Its number in that architecture's table; nil where it is beyond all tables.
    public let number: Int32?
    public let architecture: Architecture
    /// The arguments in words where a table has them, else as numbers. Pointers are never followed.
    public let arguments: [String]

    /// Names a call; `token` is the kernel's AUDIT_ARCH value.
    init(number: Int32, token: UInt32, arguments: [UInt64]) {
        var resolving = token
        switch token {
        case Self.x86Token where number & 0x4000_0000 != 0 && number != -1:
            architecture = .x32
            resolving = Self.x32Token
        case Self.x86Token: architecture = .x86_64
        case 0x4000_0003: architecture = .i386
        case 0xC000_00B7: architecture = .arm64
        case 0x4000_0028: architecture = .arm
        default: architecture = .unknown
        }
        // libseccomp has names for negative numbers of its own making, which the kernel does not know.
        if number >= 0, let text = seccomp_syscall_resolve_num_arch(resolving, number) {
            name = String(cString: text)
            self.number = number
            free(text)
        } else if -1...Self.lastNumber ~= number {
            name = "syscall \(number)"
            self.number = number
        } else {
            name = "syscall beyond \(Self.lastNumber)"
            self.number = nil
        }
        self.arguments =
            architecture == .i386 || architecture == .arm
            ? [] : SyscallArguments.words(for: name, arguments)
    }

    /// Names a call that another machine tells of: by its number in a table, without arguments; nil for a table that has none.
    public init?(number: Int32, in architecture: Architecture) {
        let tokens: [Architecture: UInt32] = [
            .x86_64: Self.x86Token, .x32: Self.x86Token, .i386: 0x4000_0003, .arm64: 0xC000_00B7,
            .arm: 0x4000_0028,
        ]
        guard let token = tokens[architecture] else { return nil }
        self.init(number: number, token: token, arguments: [])
    }

    private static let lastNumber: Int32 = 1023
    private static let x86Token: UInt32 = 0xC000_003E
    private static let x32Token: UInt32 = 0x4000_003E

    /// `socket(AF_INET, SOCK_STREAM)`; `getpid() of the i386 table`.
    public var description: String {
        let call = name.hasPrefix("syscall ") ? name : "\(name)(\(arguments.joined(separator: ", ")))"
        switch architecture {
        case .x86_64, .arm64: return call
        default: return "\(call) of the \(architecture.rawValue) table"
        }
    }
}
