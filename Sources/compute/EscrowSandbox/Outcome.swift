public enum KillReason: String, Sendable {
    case protocolError = "it broke the protocol"
    case cancelled = "the run was cancelled"
    case lingered = "it did not end after its result"
    case budget = "a budget of the run was used up"
    case hostError = "the host failed"
}

/// How a run ended: the first cause, when, and what it used.
public struct Outcome: Sendable {
    public enum Limit: String, Sendable, CaseIterable {
        case wall
        case cpu
        case memory
        case processes
        case output
        case log
        /// Rows of Ds, counted by the caller, as the three that follow.
        case rows
        case data
        case assets
        case assetBytes
    }

    /// The first cause of the end; what follows from it is not reported.
    public enum Status: Sendable, Equatable {
        case exited(Int32)
        /// A signal ended it, for example SIGSEGV (11).
        case signaled(Int32)
        /// It made a call that is not allowed; `syscall` names it.
        case violation
        case limit(Limit)
        case killedByHost(KillReason)
        case setupFailed(step: String, errno: Int32)
        /// It was killed, for whatever cause, and did not end.
        case lost(Hold)
    }

    public struct Usage: Sendable, Equatable {
        /// Processor time, user and system.
        public var cpuSeconds: Double = 0
        /// The most memory in use at once; 0 where a crash left no way to tell.
        public var maxRSSKiB: Int = 0
        /// From start to end.
        public var wallSeconds: Double = 0
        /// The most address space asked for, where the end let it be read.
        public var peakAddressSpaceKiB: Int?
        /// Bytes that the host read of its stdout.
        public var outputBytes: Int = 0
        /// Bytes that the host kept of its stderr.
        public var logBytes: Int = 0
    }

    public let status: Status
    /// The call that was not allowed; nil when the kernel could not tell which, or none was made.
    public let syscall: Syscall?
    /// The address of the instruction that made that call, in the plugin's own memory.
    public let address: UInt64?
    /// Milliseconds from the request to the program's first instruction.
    public let startedMs: Double
    /// Milliseconds from the program's start to the first cause.
    public let whenMs: Double
    public internal(set) var usage: Usage
    public let limits: SandboxLimits
    /// What it wrote on stderr, cut at the limit. Treat it as if it held the person's data.
    public let log: [UInt8]

    /// An end that another machine tells of, or that this one saw from outside.
    public init(
        status: Status, syscall: Syscall? = nil, startedMs: Double = 0, whenMs: Double, usage: Usage = .none,
        limits: SandboxLimits, log: [UInt8]
    ) {
        self.init(
            status: status, syscall: syscall, address: nil, startedMs: startedMs, whenMs: whenMs,
            usage: usage,
            limits: limits, log: log)
    }

    init(
        status: Status, syscall: Syscall?, address: UInt64?, startedMs: Double, whenMs: Double, usage: Usage,
        limits: SandboxLimits, log: [UInt8]
    ) {
        self.status = status
        self.syscall = syscall
        self.address = address
        self.startedMs = startedMs
        self.whenMs = whenMs
        self.usage = usage
        self.limits = limits
        self.log = log
    }

    /// It ended by itself with code 0: the only outcome after which its output counts.
    public var isClean: Bool { status == .exited(0) }
}

extension Outcome.Usage {
    /// Nothing used.
    public static let none = Outcome.Usage(cpuSeconds: 0)
}
