import Testing

@testable import EscrowSandbox

/// One variant of a filter: what the tests compare for every processor and for each way of running it.
struct FilterVariant: Sendable, CustomTestStringConvertible {
    let profile: SandboxProfile
    let options: FilterRules.Options
    var rules: [FilterRule] { FilterRules.rules(for: profile, options) }
    var testDescription: String {
        "\(profile.rawValue) \(options.architecture.rawValue) naming \(options.naming) own \(options.ownProcessNamespace)"
    }

    /// All profiles, processors and ways.
    static let all: [FilterVariant] = SandboxProfile.allCases.flatMap { profile in
        FilterArchitecture.allCases.flatMap { architecture in
            [(true, true), (true, false), (false, true), (false, false)].map { naming, own in
                FilterVariant(
                    profile: profile,
                    options: .init(ownProcessNamespace: own, naming: naming, architecture: architecture))
            }
        }
    }

    /// What the rules mean, without any compiler: the answer to a call.
    func meaning(of call: FilteredCall) -> FilterAnswer {
        let rest = options.naming ? FilterAnswer.notify : .kill
        guard call.architecture == options.architecture.token else { return rest }
        let rule = table[call.number]?.first { $0.fits(call.arguments) }
        switch rule?.action {
        case .allow: return .allow
        case .refuse(let error): return .refuse(error)
        case .ask, nil: return rest
        }
    }

    private let table: [Int32: [FilterRule]]

    init(profile: SandboxProfile, options: FilterRules.Options) {
        self.profile = profile
        self.options = options
        table = Dictionary(grouping: FilterRules.rules(for: profile, options)) { rule in
            options.architecture.number(of: rule.call) ?? -2
        }
    }

    /// Every number of a table and its neighbours, other tables, and for the calls of the rules every class of
    /// arguments: none, all bits, each value that a rule names, that with bit 32 set, and off by each single bit.
    var calls: [FilteredCall] {
        let token = options.architecture.token
        let none = [UInt64](repeating: 0, count: 6)
        let every = [UInt64](repeating: .max, count: 6)
        var calls: [FilteredCall] = []
        for number in Array(-2...600) + [Int32.max, .min] {
            calls.append(.init(number: number, architecture: token, arguments: none))
            calls.append(.init(number: number, architecture: token, instruction: .max, arguments: every))
        }
        for number in Int32(0)...600 {
            // The x32 table of x86-64 has the same architecture and one more bit in the number.
            calls.append(.init(number: number | 0x4000_0000, architecture: token, arguments: none))
        }
        // i386, arm, x32's own token, and the other processor.
        let others: [UInt32] =
            [0x4000_0003, 0x4000_0028, 0x4000_003E, 0, .max]
            + FilterArchitecture.allCases.filter { $0 != options.architecture }.map(\.token)
        for other in others {
            for number in stride(from: Int32(-1), through: 460, by: other < 2 || other == .max ? 20 : 1) {
                calls.append(.init(number: number, architecture: other, arguments: none))
            }
        }
        for (number, rules) in table {
            for arguments in Self.arguments(of: rules) {
                calls.append(.init(number: number, architecture: token, arguments: arguments))
            }
        }
        return calls
    }

    /// The classes of arguments for the rules of one call.
    static func arguments(of rules: [FilterRule]) -> [[UInt64]] {
        rules.filter { !$0.conditions.isEmpty }.flatMap { rule in
            [UInt64(0), .max].flatMap { base in
                let fitting = fit(rule, [UInt64](repeating: base, count: 6))
                return [fitting]
                    + rule.conditions.flatMap { condition in
                        let place = Int(condition.argument)
                        return (0..<64).map { bit in
                            var arguments = fitting
                            arguments[place] ^= 1 << UInt64(bit)
                            return arguments
                        }
                    }
            }
        }
    }

    /// The arguments, changed as little as makes them fit the rule.
    static func fit(_ rule: FilterRule, _ arguments: [UInt64]) -> [UInt64] {
        var arguments = arguments
        for condition in rule.conditions {
            let place = Int(condition.argument)
            switch condition {
            case .masked(_, let mask, let value): arguments[place] = arguments[place] & ~mask | value
            case .equal(_, let value): arguments[place] = value
            case .notEqual(_, let value): if arguments[place] == value { arguments[place] ^= 1 }
            }
        }
        return arguments
    }
}
