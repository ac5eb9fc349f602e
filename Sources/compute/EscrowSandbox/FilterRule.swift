/// One line of a seccomp allow-list: a system call, what its arguments must be, what happens then, and why.
struct FilterRule: Sendable {
    enum Action: Sendable, Equatable {
        case allow
        /// Answered without being run; 0 is a pretended success.
        case refuse(Int32)
        /// Shown to the supervisor, which may let it run. Every call that is not listed is shown to it as well, and
        /// ends the run.
        case ask
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
    /// Why it is on the list, for those who review it.
    let reason: String

    init(_ call: String, _ action: Action, _ conditions: [Condition], _ reason: String) {
        (self.call, self.action, self.conditions, self.reason) = (call, action, conditions, reason)
    }

    /// Many unconditional rules with one action and one reason.
    static func each(_ calls: String, _ action: Action, _ reason: String) -> [FilterRule] {
        calls.split(separator: " ").map { FilterRule(String($0), action, [], reason) }
    }

    /// Many calls that are run whatever their arguments.
    static func each(_ calls: String, _ reason: String) -> [FilterRule] { each(calls, .allow, reason) }

    /// Whether the arguments are as the rule wants them: the rule's own meaning, which the tests compare with what
    /// libseccomp made of it.
    func fits(_ arguments: [UInt64]) -> Bool {
        conditions.allSatisfy { condition in
            switch condition {
            case .masked(let argument, let mask, let value): arguments[Int(argument)] & mask == value
            case .equal(let argument, let value): arguments[Int(argument)] == value
            case .notEqual(let argument, let value): arguments[Int(argument)] != value
            }
        }
    }
}

extension FilterRule.Condition {
    /// A 32-bit argument: the upper half is cut off, since the kernel ignores it and a caller may set it.
    static func word(_ argument: UInt32, _ value: UInt32) -> Self {
        .masked(argument: argument, mask: 0xffff_ffff, equals: UInt64(value))
    }
    static func without(_ argument: UInt32, _ bits: UInt64) -> Self {
        .masked(argument: argument, mask: bits, equals: 0)
    }
    static func with(_ argument: UInt32, _ bits: UInt64) -> Self {
        .masked(argument: argument, mask: bits, equals: bits)
    }
    /// The argument's place, from 0.
    var argument: UInt32 {
        switch self {
        case .masked(let argument, _, _), .equal(let argument, _), .notEqual(let argument, _): argument
        }
    }
}
