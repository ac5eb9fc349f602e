import CEscrowLauncher
import EscrowDiagnostics
import Glibc

/// Everything that the child reads, in memory that stays put until the child has exec'd.
final class LaunchPlan: @unchecked Sendable {
    /// The launcher's view.
    let raw: UnsafeMutablePointer<escrow_plan>
    /// What opening a path is answered with.
    let paths: PathPolicy
    /// The ids of the plugin outside its user namespace.
    let outsideID: UInt32
    /// The ids inside.
    static let insideID: UInt32 = 1000

    private var strings: [UnsafeMutablePointer<CChar>] = []
    private var blocks: [UnsafeMutableRawPointer] = []

    /// What differs from run to run.
    struct Parts {
        var profile: SandboxProfile
        var program: Int32
        var programPath: String?
        var arguments: [String]
        var root: RootPlan
        var limits: SandboxLimits
        var naming: FilterProgram
        var killing: FilterProgram
    }

    init(_ parts: Parts, machine: Machine, lowered: Set<Wall>) {
        raw = .allocate(capacity: 1)
        raw.initialize(to: escrow_plan())
        paths = PathPolicy(parts.profile, trees: parts.root.trees)
        outsideID = machine.identity.take()
        raw.pointee.pidfd = -1

        var namespaces: UInt64 = 0
        for wall in Machine.namespaces where !lowered.contains(wall) { namespaces |= wall.cloneFlag ?? 0 }
        let hasUserNamespace = !lowered.contains(.userNamespace)
        raw.pointee.namespaces = namespaces
        raw.pointee.map_identity = hasUserNamespace
        raw.pointee.set_identity = hasUserNamespace || machine.identity.isForeign
        raw.pointee.clear_groups = machine.identity.isForeign
        raw.pointee.dumpable = escrow_is_dumpable()
        raw.pointee.identity_user = hasUserNamespace ? Self.insideID : outsideID
        raw.pointee.identity_group = hasUserNamespace ? Self.insideID : outsideID
        raw.pointee.own_root = !lowered.contains(.mountNamespace)
        raw.pointee.landlock = !lowered.contains(.landlock)
        let rights = machine.landlockRights
        raw.pointee.landlock_fs = rights.files
        raw.pointee.landlock_net = rights.network
        raw.pointee.landlock_scope = rights.scope
        raw.pointee.seccomp_naming = machine.notifyError == 0
        raw.pointee.naming = parts.naming.instructions
        raw.pointee.killing = parts.killing.instructions

        raw.pointee.program = parts.program
        raw.pointee.program_path = parts.programPath.map { string("/" + $0.drop { $0 == "/" }) }.map {
            .init($0)
        }
        raw.pointee.arguments = stringArray(parts.arguments)
        raw.pointee.environment = stringArray(Self.environment(parts.profile))
        raw.pointee.root_options = UnsafePointer(string(parts.root.options))
        setEntries(parts.root.entries)
        setLimits(Self.limits(parts.limits, parts.profile))
    }

    deinit {
        strings.forEach { free($0) }
        blocks.forEach { $0.deallocate() }
        raw.deallocate()
    }

    /// The whole environment: constants only.
    static func environment(_ profile: SandboxProfile) -> [String] {
        [
            "ESCROW_PLUGIN=1", "SWIFT_ROOT=/", "SWIFT_BACKTRACE=enable=no", "LANG=C.UTF-8", "TZ=UTC",
            "PATH=/",
        ] + (profile == .runtime ? ["HOME=/"] : [])
    }

    /// Soft and hard alike: process 1 of a namespace ignores the signal of a soft limit. NOFILE is last, since it
    /// would refuse the descriptors that the earlier steps park.
    private static func limits(_ limits: SandboxLimits, _ profile: SandboxProfile) -> [escrow_limit] {
        let memory = UInt64(limits.memoryMiB) << 20
        func limit(_ resource: __rlimit_resource, _ value: UInt64) -> escrow_limit {
            escrow_limit(resource: Int32(resource.rawValue), value: value)
        }
        return [
            // 1 and not 0: with 0 the kernel still feeds a core handler that is a pipe.
            limit(RLIMIT_CORE, 1), limit(RLIMIT_FSIZE, 0), limit(RLIMIT_CPU, UInt64(limits.cpuSeconds)),
            limit(RLIMIT_AS, memory), limit(RLIMIT_DATA, memory), limit(RLIMIT_STACK, min(8 << 20, memory)),
            escrow_limit(resource: 8, value: 0),  // MEMLOCK
            escrow_limit(resource: 10, value: 0),  // LOCKS
            escrow_limit(resource: 11, value: 64),  // SIGPENDING
            escrow_limit(resource: 12, value: 0),  // MSGQUEUE
            escrow_limit(resource: 13, value: 0),  // NICE
            escrow_limit(resource: 14, value: 0),  // RTPRIO
            escrow_limit(resource: 6, value: profile == .strict ? 1 : UInt64(limits.processes)),  // NPROC
            limit(RLIMIT_NOFILE, profile == .strict ? 16 : 256),
        ]
    }

    private func setLimits(_ limits: [escrow_limit]) {
        raw.pointee.limits = UnsafePointer(block(limits))
        raw.pointee.limit_count = limits.count
    }

    private func setEntries(_ entries: [RootPlan.Entry]) {
        let list = entries.map { entry in
            var item = escrow_entry()
            func name(_ kind: escrow_entry_kind, _ target: String, _ rights: UInt64 = 0) {
                item.kind = Int32(kind.rawValue)
                item.target = UnsafePointer(string(target))
                item.rights = rights
            }
            switch entry {
            case .directory(let target): name(ESCROW_ENTRY_DIRECTORY, target)
            case .symlink(let target, let source):
                name(ESCROW_ENTRY_SYMLINK, target)
                item.source = UnsafePointer(string(source))
            case .bind(let target, let rights):
                name(ESCROW_ENTRY_BIND, target, rights)
                item.source = UnsafePointer(string("/" + target))
            case .bindFile(let target, let rights):
                name(ESCROW_ENTRY_BIND_FILE, target, rights)
                item.source = UnsafePointer(string("/" + target))
            case .copy(let target, let fd, let size):
                name(ESCROW_ENTRY_COPY, target)
                item.descriptor = fd
                item.size = size
            case .proc: name(ESCROW_ENTRY_PROC, "proc")
            case .rule(let target, let rights): name(ESCROW_ENTRY_RULE, target, rights)
            }
            return item
        }
        raw.pointee.entries = UnsafePointer(block(list))
        raw.pointee.entry_count = list.count
    }

    private func string(_ text: String) -> UnsafeMutablePointer<CChar> {
        guard let copy = strdup(text) else { preconditionFailure("out of memory") }
        strings.append(copy)
        return copy
    }

    private func stringArray(_ texts: [String]) -> UnsafePointer<UnsafePointer<CChar>?> {
        let pointers: [UnsafePointer<CChar>?] = texts.map { UnsafePointer(string($0)) } + [nil]
        return UnsafePointer(block(pointers))
    }

    private func block<Element>(_ elements: [Element]) -> UnsafeMutablePointer<Element> {
        let memory = UnsafeMutablePointer<Element>.allocate(capacity: max(elements.count, 1))
        memory.initialize(from: elements, count: elements.count)
        blocks.append(UnsafeMutableRawPointer(memory))
        return memory
    }
}
