/// One line of a seccomp allow-list: a system call, what its arguments must be, and what happens then.
struct FilterRule: Sendable {
    /// What the kernel does with a call that fits.
    enum Action: Sendable, Equatable {
        case allow
        /// Answered without being run; 0 is a pretended success.
        case refuse(Int32)
    }

    /// What one argument must be. The kernel compares 64 bits; masks cut 32-bit arguments down to what counts.
    enum Condition: Sendable, Equatable {
        case masked(argument: UInt32, mask: UInt64, equals: UInt64)
        case equal(argument: UInt32, UInt64)
        case notEqual(argument: UInt32, UInt64)
    }

    /// The call's name, as libseccomp spells it.
    let call: String
    let action: Action
    let conditions: [Condition]
    /// A call that only the older architecture (x86-64) has.
    let isLegacy: Bool

    init(_ call: String, _ action: Action = .allow, _ conditions: [Condition] = [], legacy: Bool = false) {
        self.call = call
        self.action = action
        self.conditions = conditions
        isLegacy = legacy
    }

    /// Many unconditional rules with one action.
    static func each(_ calls: String, _ action: Action = .allow, legacy: Bool = false) -> [FilterRule] {
        calls.split(separator: " ").map { FilterRule(String($0), action, legacy: legacy) }
    }
}

extension FilterRule.Condition {
    /// A 32-bit argument: the upper half is cut off, since the kernel ignores it and a caller may set it.
    static func word(_ argument: UInt32, _ value: UInt32) -> Self {
        .masked(argument: argument, mask: 0xffff_ffff, equals: UInt64(value))
    }
    /// None of these bits.
    static func without(_ argument: UInt32, _ bits: UInt64) -> Self {
        .masked(argument: argument, mask: bits, equals: 0)
    }
    /// All of these bits.
    static func with(_ argument: UInt32, _ bits: UInt64) -> Self {
        .masked(argument: argument, mask: bits, equals: bits)
    }
}
