import CEscrowLauncher
import EscrowDiagnostics
import EscrowFiles
import Glibc

/// A checked program that can be started any number of times: what all its runs share, in memory that does not move, and its
/// own descriptors of the sealed files.
final class PreparedProgram: @unchecked Sendable {
    /// The launcher's view, without what belongs to one run.
    private(set) var template = escrow_plan()
    let profile: SandboxProfile
    /// What opening a path is answered with.
    let paths: PathPolicy
    let limits: SandboxLimits
    let machine: Machine
    /// Set where an author wants to see the calls; the filter then shows all of them.
    let tracing: Tracing?

    /// The bytes of memory that each run's own copies of its files take.
    let copied: UInt64
    /// The bytes of the sealed program; 0 for a script.
    let programSize: UInt64
    /// What its copies are called in `/proc`, for whoever may look there: as the program that was verified.
    let programName: String

    /// What ended runs leave to the next.
    let copies: RunCopies

    private let image: InterpreterImage?
    /// The sealed program, to hold copies against; nil for a script.
    private let content: UnsafeRawBufferPointer?
    private var descriptors: [Int32] = []
    private var strings: [UnsafeMutablePointer<CChar>] = []
    private var blocks: [UnsafeMutableRawPointer] = []

    struct Parts {
        var profile: SandboxProfile
        var program: Int32
        var programPath: String?
        var arguments: [String]
        var root: RootPlan
        var limits: SandboxLimits
        var naming: FilterProgram
        var killing: FilterProgram
        var tracing: Tracing?
    }

    /// Copies what the child will read, and duplicates the sealed files' descriptors: the caller's may close.
    init(
        _ parts: Parts, machine: Machine, lowered: Set<Wall>, copies: RunCopies = RunCopies(mostBytes: 0)
    ) throws(Diagnostic) {
        var parts = parts
        paths = PathPolicy(parts.profile, trees: parts.root.trees)
        profile = parts.profile
        limits = parts.limits
        self.machine = machine
        self.copies = copies
        tracing = parts.tracing
        image = parts.root.image
        var information = stat()
        if parts.program >= 0, fstat(parts.program, &information) == 0 {
            programSize = UInt64(information.st_size)
        } else {
            programSize = 0
        }
        programName = Self.memoryFileName(of: parts.program) ?? "plugin"
        content = try Self.map(parts.program, Int(programSize))
        copied = programSize + parts.root.memory
        try hold(&parts)

        var namespaces: UInt64 = 0
        for wall in Machine.namespaces where !lowered.contains(wall) { namespaces |= wall.cloneFlag ?? 0 }
        let hasUserNamespace = !lowered.contains(.userNamespace)
        template.namespaces = namespaces
        template.map_identity = hasUserNamespace
        template.set_identity = hasUserNamespace || machine.identity.isForeign
        template.clear_groups = machine.identity.isForeign
        template.own_root = !lowered.contains(.mountNamespace)
        template.root_has_code = parts.profile == .runtime
        template.landlock = !lowered.contains(.landlock)
        let rights = machine.landlockRights
        template.landlock_fs = rights.files
        template.landlock_net = rights.network
        template.landlock_scope = rights.scope
        template.seccomp_naming = machine.notifyError == 0
        template.naming = parts.naming.instructions
        template.killing = parts.killing.instructions

        template.program = parts.program
        template.program_path = parts.programPath.map { string("/" + $0.drop { $0 == "/" }) }.map {
            .init($0)
        }
        template.arguments = stringArray(parts.arguments)
        template.environment = stringArray(Self.environment(parts.profile))
        template.root_options = UnsafePointer(string(parts.root.options))
        setEntries(parts.root.entries)
        setLimits(Self.limits(parts.limits, parts.profile, supervised: machine.notifyError == 0))
    }

    private static func map(_ file: Int32, _ size: Int) throws(Diagnostic) -> UnsafeRawBufferPointer? {
        guard size > 0 else { return nil }
        guard let address = mmap(nil, size, PROT_READ, MAP_PRIVATE, file, 0), address != MAP_FAILED else {
            throw Diagnostic(.sandboxNotStarted, "the sandbox could not be started: \(errnoSentence(errno))")
        }
        return UnsafeRawBufferPointer(start: address, count: size)
    }

    /// Writes the verified program into an empty file; gives an errno, 0 for none. From memory: sendfile(2) between two files in memory
    /// takes a third longer.
    func write(to copy: borrowing Descriptor) -> Int32 {
        guard var rest = content else { return ENOEXEC }
        while !rest.isEmpty {
            let count = retrying { Glibc.write(copy.raw, rest.baseAddress, rest.count) }
            guard count > 0 else { return count < 0 ? errno : EIO }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
        return 0
    }

    /// Whether a sealed copy holds what was verified, to the byte. Until it was sealed another process of the same user could
    /// write to it through `/proc`.
    func isWhole(_ copy: borrowing Descriptor) -> Bool {
        guard let content, let base = content.baseAddress else { return false }
        // In pieces that stay in the processor's cache: to map each copy, and take it down, would take longer.
        return withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 64) { piece in
            guard let buffer = piece.baseAddress else { return false }
            var offset = 0
            while true {
                let count = retrying { pread(copy.raw, buffer, piece.count, offset) }
                if count == 0 { return offset == content.count }
                guard count > 0, count <= content.count - offset, memcmp(buffer, base + offset, count) == 0
                else { return false }
                offset += count
            }
        }
    }

    /// The name that a memory file was made with; nil where it is none, or `/proc` is not there.
    private static func memoryFileName(of descriptor: Int32) -> String? {
        guard let text = linkTarget("/proc/self/fd/\(descriptor)"), text.hasPrefix("/memfd:"),
            text.hasSuffix(" (deleted)")
        else { return nil }
        return String(text.dropFirst(7).dropLast(10))
    }

    deinit {
        descriptors.forEach { close($0) }
        strings.forEach { free($0) }
        blocks.forEach { $0.deallocate() }
        if let content { munmap(UnsafeMutableRawPointer(mutating: content.baseAddress), content.count) }
    }

    private func hold(_ parts: inout Parts) throws(Diagnostic) {
        func duplicate(_ descriptor: Int32) throws(Diagnostic) -> Int32 {
            let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
            guard copy >= 0 else {
                throw Diagnostic(
                    .sandboxNotStarted, "the sandbox could not be started: \(errnoSentence(errno))")
            }
            descriptors.append(copy)
            return copy
        }
        if parts.program >= 0 { parts.program = try duplicate(parts.program) }
        try parts.root.replaceDescriptors(duplicate)
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
    private static func limits(
        _ limits: SandboxLimits, _ profile: SandboxProfile, supervised: Bool
    ) -> [escrow_limit] {
        // Where the supervisor counts threads it must come first, and some kernels count a thread too many.
        let threads = UInt64(limits.processes) + (supervised ? 2 : 0)
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
            escrow_limit(resource: 6, value: profile == .strict ? 1 : threads),  // NPROC
            limit(RLIMIT_NOFILE, profile == .strict ? 16 : 256),
        ]
    }

    private func setLimits(_ limits: [escrow_limit]) {
        template.limits = UnsafePointer(block(limits))
        template.limit_count = limits.count
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
            case .memory(let target, let options):
                name(ESCROW_ENTRY_MEMORY, target)
                item.source = UnsafePointer(string(options))
            case .codeMemory(let target, let options):
                name(ESCROW_ENTRY_CODE_MEMORY, target)
                item.source = UnsafePointer(string(options))
            case .copy(let target, let fd, let size):
                name(ESCROW_ENTRY_COPY, target)
                item.descriptor = fd
                item.size = size
                item.mode = 0o444
            case .part(let target, let offset, let size, let isProgram):
                name(ESCROW_ENTRY_COPY, target)
                item.descriptor = image?.fd ?? -1
                item.offset = offset
                item.size = size
                item.mode = isProgram ? 0o555 : 0o444
            case .rule(let target, let rights): name(ESCROW_ENTRY_RULE, target, rights)
            }
            return item
        }
        template.entries = UnsafePointer(block(list))
        template.entry_count = list.count
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
