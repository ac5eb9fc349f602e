import CEscrowLauncher
import CSeccomp
import EscrowDiagnostics
import EscrowFiles
import Glibc

/// A compiled seccomp filter, kept for the life of the process: a child may be reading it at any time.
struct FilterProgram: @unchecked Sendable {
    let instructions: escrow_filter

    private struct Key: Hashable {
        let profile: SandboxProfile
        let options: FilterRules.Options
    }
    private static let cache = Monitor<[Key: FilterProgram]>([:])

    static func filter(
        for profile: SandboxProfile, _ options: FilterRules.Options
    ) throws(Diagnostic) -> FilterProgram {
        try cache.withLock { (programs: inout [Key: FilterProgram]) throws(Diagnostic) in
            let key = Key(profile: profile, options: options)
            if let program = programs[key] { return program }
            let rules = FilterRules.rules(for: profile, options)
            let program = try FilterProgram(
                rules, naming: options.naming, architecture: options.architecture)
            programs[key] = program
            return program
        }
    }

    /// Compiles rules: everything else is notified, or kills the process. An optimised program is a binary tree over
    /// the calls' numbers, otherwise a list.
    init(
        _ rules: [FilterRule], naming: Bool, architecture: FilterArchitecture = .native,
        optimised: Bool = true
    ) throws(Diagnostic) {
        let rest = naming ? escrow_action_notify : escrow_action_kill_process
        guard let context = seccomp_init(rest) else { throw Self.failed("seccomp_init", EINVAL) }
        defer { seccomp_release(context) }
        if architecture != .native {
            try Self.check(seccomp_arch_add(context, architecture.token), "architecture")
            try Self.check(seccomp_arch_remove(context, FilterArchitecture.native.token), "architecture")
        }
        // The default for calls of another architecture (int 0x80) would kill one thread and tell nobody.
        try Self.check(seccomp_attr_set(context, SCMP_FLTATR_ACT_BADARCH, rest), "bad architecture")
        // A binary tree: faster per call, and the kernel loads it faster as well.
        try Self.check(seccomp_attr_set(context, SCMP_FLTATR_CTL_OPTIMIZE, optimised ? 2 : 1), "optimize")
        // To be asked about is what an unlisted call gets by itself.
        for rule in rules where rule.action != .ask { try Self.add(rule, to: context, architecture) }
        instructions = try Self.export(context)
    }

    var code: [FilterInstruction] {
        let memory = UnsafeRawBufferPointer(
            start: instructions.instructions, count: Int(instructions.count) * MemoryLayout<UInt64>.size)
        return (0..<Int(instructions.count)).map { index in
            let place = index * MemoryLayout<UInt64>.size
            return FilterInstruction(
                code: memory.loadUnaligned(fromByteOffset: place, as: UInt16.self),
                whenTrue: memory[place + 2], whenFalse: memory[place + 3],
                value: memory.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self))
        }
    }

    private static func add(
        _ rule: FilterRule, to context: scmp_filter_ctx, _ architecture: FilterArchitecture
    ) throws(Diagnostic) {
        // libseccomp would drop a rule in silence whose call the architecture lacks.
        guard architecture.number(of: rule.call) != nil else {
            throw failed("\(architecture.rawValue) has no call \(rule.call)", EINVAL)
        }
        let action =
            switch rule.action {
            case .refuse(let error): escrow_action_errno(error)
            case .allow, .ask: escrow_action_allow
            }
        let comparisons = rule.conditions.map { condition in
            switch condition {
            case .masked(let argument, let mask, let value):
                scmp_arg_cmp(arg: argument, op: SCMP_CMP_MASKED_EQ, datum_a: mask, datum_b: value)
            case .equal(let argument, let value):
                scmp_arg_cmp(arg: argument, op: SCMP_CMP_EQ, datum_a: value, datum_b: 0)
            case .notEqual(let argument, let value):
                scmp_arg_cmp(arg: argument, op: SCMP_CMP_NE, datum_a: value, datum_b: 0)
            }
        }
        // Rules take this machine's number, which libseccomp translates to each architecture's.
        let number = seccomp_syscall_resolve_name(rule.call)
        try check(
            seccomp_rule_add_array(context, action, number, UInt32(comparisons.count), comparisons), rule.call
        )
    }

    /// libseccomp 2.5 exports to a descriptor only.
    private static func export(_ context: scmp_filter_ctx) throws(Diagnostic) -> escrow_filter {
        let number = MemoryFile.make("filter")
        guard number >= 0 else { throw failed("memfd_create", -number) }
        let file = Descriptor(owning: number)
        try check(seccomp_export_bpf(context, file.raw), "export")
        let bytes = Int(lseek(file.raw, 0, SEEK_END))
        let size = MemoryLayout<UInt64>.size  // struct sock_filter
        guard bytes > 0, bytes % size == 0, bytes / size <= Int(UInt16.max) else {
            throw failed("export", EIO)
        }
        let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: size)
        guard pread(file.raw, memory, bytes, 0) == bytes else { throw failed("export", EIO) }
        return escrow_filter(count: UInt16(bytes / size), instructions: UnsafeRawPointer(memory))
    }

    private static func check(_ result: Int32, _ what: String) throws(Diagnostic) {
        if result < 0 { throw failed(what, -result) }
    }

    private static func failed(_ what: String, _ error: Int32) -> Diagnostic {
        Diagnostic(
            .filterNotCompiled,
            "the filter of system calls could not be compiled: \(what): \(errnoSentence(error))",
            help: "libseccomp 2.5.4 or later is needed; `escrow doctor` shows what this machine has")
    }
}
