import CSeccomp
import EscrowDiagnostics
import Glibc
import Testing

@testable import EscrowSandbox

/// The filters in the real sandbox: what a rule allows runs, what it perturbs ends the run by the right name. The
/// probe is a static program in either profile; in `runtime` no plugin is one, but the filter does not know.
@Suite struct FilterKernelTests {
    /// A call as the probe's input spells it.
    struct Line: Sendable {
        let number: Int32
        let arguments: [UInt64]
        var text: String {
            ([UInt64(UInt32(bitPattern: number))] + arguments).map { String($0, radix: 16) }
                .joined(separator: " ") + "\n"
        }
    }

    /// What a run of the probe gave: the outcome, and the result of each call that returned.
    struct Calls {
        let outcome: Outcome
        let results: [Int]
    }

    private func make(_ lines: [Line], in profile: SandboxProfile, _ sandbox: Sandbox) throws -> Calls? {
        guard let file = try Probes.program("call") else { return nil }
        let filters = try sandbox.filters(for: profile)
        let parts = PreparedProgram.Parts(
            profile: profile, program: file.fd, programPath: nil, arguments: ["plugin"], root: .empty,
            limits: .standard, naming: filters.naming, killing: filters.killing)
        let program = try PreparedProgram(parts, machine: sandbox.machine, lowered: [])
        let process = try sandbox.start(program)
        do throws(SandboxIOError) { try process.write(Array(lines.map(\.text).joined().utf8)) } catch {
            #expect(error == .closed)
        }
        process.closeInput()
        var output: [UInt8] = []
        do throws(SandboxIOError) {
            while true {
                let bytes = try process.read(max: 65536)
                if bytes.isEmpty { break }
                output += bytes
            }
        } catch { Issue.record("\(error)") }
        let results = String(decoding: output, as: UTF8.self).split(separator: "\n").map { line in
            Int(line.split(separator: " ").last ?? "") ?? .min
        }
        return Calls(outcome: process.finish(graceSeconds: 60), results: results)
    }

    private static let table: Syscall.Architecture = FilterArchitecture.native == .x86_64 ? .x86_64 : .arm64
    private static let variants = SandboxProfile.allCases.map { FilterVariant(profile: $0, options: .init()) }
    private static let bothWays =
        variants
        + SandboxProfile.allCases.map { FilterVariant(profile: $0, options: .init(naming: false)) }

    /// A sandbox that names calls, or one as on a host that is itself under a listener.
    private func sandbox(for variant: FilterVariant) throws -> Sandbox {
        var configuration = SandboxConfiguration()
        if !variant.options.naming {
            var machine = Machine.probe()
            machine.notifyError = EINVAL
            configuration.machine = machine
        }
        return try Sandbox(configuration: configuration)
    }

    /// Arguments that fit a rule and that the kernel takes no harm from: 99 is no descriptor, no address, no signal
    /// and no option of any call.
    private func harmless(_ rule: FilterRule) -> [UInt64] {
        var arguments = FilterVariant.fit(rule, [UInt64](repeating: 99, count: 6))
        switch rule.call {
        // An address that no thread may have for its own variables: refused before anything is made.
        case "arch_prctl": arguments[1] = 1 << 63
        case "clone":
            arguments[0] |= 0x8_0000  // CLONE_SETTLS
            arguments[3] = 1 << 63
            arguments[4] = 1 << 63
        default: break
        }
        return arguments
    }

    /// Calls after which the probe is gone, or has lost its stack.
    private static let last = ["exit", "exit_group", "rt_sigreturn", "execveat"]

    @Test(arguments: bothWays) func everyRuleDoesWhatItSays(_ variant: FilterVariant) throws {
        let rules = variant.rules.filter { rule in
            // To ask for SIGABRT ends the run; `LimitTests` has it.
            !Self.last.contains(rule.call) && !(rule.call == "tgkill" && rule.action == .ask)
        }
        let lines = try rules.map { rule in
            Line(
                number: try #require(FilterArchitecture.native.number(of: rule.call)),
                arguments: harmless(rule))
        }
        guard let made = try make(lines, in: variant.profile, sandbox(for: variant)) else { return }
        #expect(made.outcome.status == .exited(0), "\(made.outcome.syscall as Any)")
        try #require(made.results.count == rules.count)
        for (rule, result) in zip(rules, made.results) {
            switch rule.action {
            case .refuse(let error): #expect(result == -Int(error), "\(rule.call)")
            // Told apart from a filter's answer by what only the kernel itself would say of such arguments.
            case .allow: #expect(result != -Int(ENOSYS) || rule.call == "futex", "\(rule.call)")
            // What the supervisor lets run is a path that is not there, or a thread that the kernel will not make so.
            case .ask: #expect(result == -Int(rule.call == "clone" ? EPERM : EFAULT), "\(rule.call)")
            }
        }
    }

    @Test(arguments: bothWays) func theCallsThatEndAProgramAreNoViolation(_ variant: FilterVariant) throws {
        for call in ["exit", "exit_group", "rt_sigreturn"] {
            let number = try #require(FilterArchitecture.native.number(of: call))
            let line = Line(number: number, arguments: [5, 0, 0, 0, 0, 0])
            guard let made = try make([line], in: variant.profile, sandbox(for: variant)) else { return }
            #expect(
                made.outcome.status == (call == "rt_sigreturn" ? .signaled(SIGSEGV) : .exited(5)), "\(call)")
            #expect(made.outcome.syscall == nil)
        }
    }

    @Test(arguments: bothWays) func everyPerturbedArgumentEndsTheRunByName(_ variant: FilterVariant) throws {
        let sandbox = try sandbox(for: variant)
        var tried = 0
        for (call, rules) in Dictionary(grouping: variant.rules, by: \.call) {
            let number = try #require(FilterArchitecture.native.number(of: call))
            for arguments in perturbed(rules) {
                let line = Line(number: number, arguments: arguments)
                guard let made = try make([line], in: variant.profile, sandbox) else { return }
                tried += 1
                #expect(made.outcome.status == .violation, "\(call) \(arguments)")
                #expect(
                    made.outcome.syscall?.name == (variant.options.naming ? call : nil),
                    "\(call) \(arguments)")
                #expect(made.outcome.syscall?.number == (variant.options.naming ? number : nil))
                #expect(made.results == [])
            }
        }
        #expect(tried >= 40)
    }

    /// For each condition: all bits, the value with bit 32 set, and off by the lowest and by the highest bit that
    /// counts; those that no rule fits.
    private func perturbed(_ rules: [FilterRule]) -> [[UInt64]] {
        var found: [[UInt64]] = []
        for rule in rules {
            for condition in rule.conditions {
                let place = Int(condition.argument)
                let fitting = harmless(rule)
                var flips: [UInt64] = [1, 1 << 32, .max ^ fitting[place]]
                if case .masked(_, let mask, _) = condition {
                    flips += [
                        1 << UInt64(mask.trailingZeroBitCount), 1 << UInt64(63 - mask.leadingZeroBitCount),
                    ]
                }
                for flip in flips {
                    var arguments = fitting
                    arguments[place] ^= flip
                    if !found.contains(arguments), !rules.contains(where: { $0.fits(arguments) }) {
                        found.append(arguments)
                    }
                }
            }
        }
        return found
    }

    /// uretprobe and uprobe: Linux (6.11, 6.18) lets them past every filter, since its own probes put them into
    /// programs. Made by a program itself they give SIGILL and ENXIO, and do nothing.
    private static let unfiltered: Set<Int32> = FilterArchitecture.native == .x86_64 ? [335, 336] : []

    @Test func everyCallThatIsNotListedEndsTheRunByName() throws {
        let variant = Self.variants[0]
        let sandbox = try Sandbox()
        let known = Set(variant.rules.compactMap { FilterArchitecture.native.number(of: $0.call) })
        for number in (Int32(-1)...470) where !known.contains(number) {
            let line = Line(number: number, arguments: [0, 0, 0, 0, 0, 0])
            guard let made = try make([line], in: .strict, sandbox) else { return }
            if Self.unfiltered.contains(number), made.outcome.status != .violation {
                #expect(
                    made.outcome.status == .signaled(SIGILL) || made.results == [-Int(ENXIO)], "\(number)")
                continue
            }
            #expect(made.outcome.status == .violation, "\(number)")
            #expect(made.outcome.syscall?.number == number)
            #expect(made.outcome.syscall?.architecture == Self.table)
        }
    }

    /// The evaluator and the kernel answer alike: what the program in this process lets through comes back from a
    /// probe, and what it does not ends one. A sample of numbers, those of the x32 table among them.
    @Test func theEvaluatorAnswersAsTheKernelDoes() throws {
        let sandbox = try Sandbox()
        for variant in Self.variants {
            let program = FilterEvaluator(instructions: try sandbox.filters(for: variant.profile).naming.code)
            let harmful = Set(
                (Self.last + ["openat", "open", "tgkill", "clone", "arch_prctl"]).compactMap {
                    FilterArchitecture.native.number(of: $0)
                })
            let sample = stride(from: Int32(0), to: 470, by: 9).filter { !harmful.contains($0) }
            for number in sample + [0x4000_0000, 0x4000_0027, -1, .max, .min] {
                let arguments = [UInt64](repeating: 99, count: 6)
                let answer = program.answer(
                    to: .init(
                        number: number, architecture: FilterArchitecture.native.token, arguments: arguments))
                guard
                    let made = try make(
                        [Line(number: number, arguments: arguments)], in: variant.profile, sandbox)
                else { return }
                switch answer {
                case .allow: #expect(made.outcome.status == .exited(0), "\(number)")
                case .refuse(let error): #expect(made.results == [-Int(error)], "\(number)")
                default: #expect(made.outcome.status == .violation, "\(number)")
                }
            }
        }
    }

    @Test func toAbortAnotherProcessIsNoAbort() throws {
        let number = try #require(FilterArchitecture.native.number(of: "tgkill"))
        let ends: [(process: UInt64, status: Outcome.Status)] = [
            (1, .signaled(SIGABRT)), (1 << 32 | 1, .signaled(SIGABRT)), (2, .violation), (0, .violation),
        ]
        for end in ends {
            let line = Line(number: number, arguments: [end.process, 1, UInt64(SIGABRT), 0, 0, 0])
            guard let made = try make([line], in: .strict, Sandbox()) else { return }
            #expect(made.outcome.status == end.status, "\(end.process)")
        }
    }

    @Test func theProbeMakesTheCallsItIsTold() throws {
        guard let path = try Probes.path("call") else { return }
        // Outside: getppid succeeds, close of a descriptor that is not open does not, an unknown number is unknown.
        let numbers = ["getppid", "close"].compactMap { FilterArchitecture.native.number(of: $0) }
        let input =
            numbers.map { Line(number: $0, arguments: [99, 0, 0, 0, 0, 0]).text }.joined()
            + Line(number: 9999, arguments: [0, 0, 0, 0, 0, 0]).text
        let script = "printf '\(input.replacing("\n", with: "\\n"))' | \(path)"
        let ran = try Plain.run(["/bin/sh", "-c", script])
        #expect(ran.output == "\(numbers[0]) 0\n\(numbers[1]) -9\n9999 -38\n")
    }
}
