public import EscrowDiagnostics

/// One layer of the sandbox. Each holds alone; a run needs all of them but those that were lowered by name.
public enum Wall: String, Sendable, CaseIterable, Hashable {
    case userNamespace = "user-namespace"
    case mountNamespace = "mount-namespace"
    case networkNamespace = "network-namespace"
    case processNamespace = "process-namespace"
    case ipcNamespace = "ipc-namespace"
    case hostnameNamespace = "hostname-namespace"
    case landlock
    case seccomp
    case noNewPrivileges = "no-new-privileges"
    case capabilities
    case descriptors
    case resourceLimits = "resource-limits"
    case unprivilegedUser = "unprivileged-user"
    case sealedProgram = "sealed-program"
    case controlGroup = "control-group"

    public var purpose: String {
        switch self {
        case .userNamespace: "the plugin has no identity outside, and no rights"
        case .mountNamespace: "an empty read-only root; no file of this machine is there"
        case .networkNamespace: "no network interface and no address"
        case .processNamespace: "no other process can be seen or signalled"
        case .ipcNamespace: "no shared memory or message queue with others"
        case .hostnameNamespace: "the machine's name is hidden"
        case .landlock: "no file may be opened but those listed, said a second time"
        case .seccomp: "every system call that is not listed ends the plugin"
        case .noNewPrivileges: "running a program can grant nothing"
        case .capabilities: "none held, none obtainable"
        case .descriptors: "nothing open but stdin, stdout and stderr"
        case .resourceLimits: "time, memory, threads and output have an end"
        case .unprivilegedUser: "the plugin never runs as the kernel's root"
        case .sealedProgram: "what runs is the copy that was verified"
        case .controlGroup: "memory in use is counted exactly"
        }
    }

    /// Whether an owner may lower it on purpose. The others are what the report itself rests on.
    public var canBeLowered: Bool {
        switch self {
        case .userNamespace, .mountNamespace, .networkNamespace, .processNamespace, .ipcNamespace,
            .hostnameNamespace, .landlock, .unprivilegedUser:
            true
        default: false
        }
    }

    var cloneFlag: UInt64? {
        switch self {
        case .mountNamespace: 0x2_0000
        case .hostnameNamespace: 0x400_0000
        case .ipcNamespace: 0x800_0000
        case .userNamespace: 0x1000_0000
        case .processNamespace: 0x2000_0000
        case .networkNamespace: 0x4000_0000
        default: nil
        }
    }
}

public struct WallReport: Sendable {
    public enum State: Sendable, Equatable {
        case present
        /// It cannot be built here, and why.
        case missing(reason: String)
        case lowered
    }

    public let wall: Wall
    public let state: State
    /// Further facts, for example the version of Landlock.
    public let detail: String?

    public var name: String { wall.rawValue }
    public var purpose: String { wall.purpose }
    /// The refusal of a run for want of this wall; nil where it stands, was lowered, or may be missing.
    public var refusal: Diagnostic? {
        guard case .missing(let reason) = state, wall != .controlGroup else { return nil }
        return wall.missing(reason)
    }
}

public struct SandboxConfiguration: Sendable {
    /// Walls that the owner lowered on purpose; a missing wall that is not among them stops every run.
    public var loweredWalls: Set<Wall>
    /// Whether memory and threads are also counted by a control group where one can be made.
    public var usesControlGroups: Bool
    /// What the machine can do; tests put their own in.
    var machine: Machine?
    /// How many seconds a killed plugin may take to end before its run is lost.
    var patience = 15.0
    /// With so many lost plugins a host starts no more until one of them has ended.
    var mostLost = 8

    public static let `default` = SandboxConfiguration()

    public init(loweredWalls: Set<Wall> = [], usesControlGroups: Bool = true) {
        self.loweredWalls = loweredWalls
        self.usesControlGroups = usesControlGroups
    }

    /// Throws for a wall on the list that can never be lowered.
    public func check() throws(Diagnostic) {
        for wall in Wall.allCases where loweredWalls.contains(wall) && !wall.canBeLowered {
            throw Diagnostic(
                .wallNotLowerable, "the wall \(wall.rawValue) cannot be lowered",
                help: "take it off loweredWalls in config.json")
        }
    }
}
