import CSeccomp
import EscrowDiagnostics
import Glibc
import Testing

@testable import EscrowSandbox

/// What libseccomp made of the rules, run instruction by instruction: on this machine for both processors.
@Suite struct FilterEvaluatorTests {
    private typealias Code = FilterInstruction.Code

    private func answer(
        _ instructions: [FilterInstruction],
        _ call: FilteredCall = .init(
            number: 7, architecture: 1, instruction: 0x1122_3344_5566_7788,
            arguments: [0xaabb_ccdd_0000_0011, 1, 2, 3, 4, 5])
    ) -> FilterAnswer? {
        FilterEvaluator(instructions: instructions).answer(to: call)
    }

    private func instruction(
        _ code: UInt16, _ value: UInt32, _ whenTrue: UInt8 = 0, _ whenFalse: UInt8 = 0
    ) -> FilterInstruction {
        FilterInstruction(code: code, whenTrue: whenTrue, whenFalse: whenFalse, value: value)
    }

    private var allow: FilterInstruction { instruction(Code.answer, escrow_action_allow) }
    private var kill: FilterInstruction { instruction(Code.answer, escrow_action_kill_process) }

    /// Loads a word, and allows when it has that value.
    private func loads(_ offset: UInt32, _ value: UInt32) -> Bool {
        answer([instruction(Code.load, offset), instruction(Code.equal, value, 0, 1), allow, kill]) == .allow
    }

    @Test func everyWordOfACallIsWhereTheKernelPutsIt() {
        #expect(loads(0, 7))
        #expect(loads(4, 1))
        #expect(loads(8, 0x5566_7788))
        #expect(loads(12, 0x1122_3344))
        #expect(loads(16, 0x11))
        #expect(loads(20, 0xaabb_ccdd))
        #expect(loads(56, 5))
        #expect(loads(60, 0))
        #expect(!loads(0, 8))
    }

    @Test(arguments: [
        (Code.equal, UInt32(7), true), (Code.equal, 8, false), (Code.greater, 6, true),
        (Code.greater, 7, false), (Code.greaterOrEqual, 7, true), (Code.greaterOrEqual, 8, false),
        (Code.anyBit, 5, true), (Code.anyBit, 8, false),
    ])
    func aComparisonSkipsAsManyInstructionsAsItSays(_ code: UInt16, _ value: UInt32, _ holds: Bool) {
        let load = instruction(Code.load, 0)
        let program = [load, instruction(code, value, 1, 2), allow, kill, instruction(Code.answer, 0x5_0002)]
        #expect(answer(program) == (holds ? .kill : .refuse(2)))
    }

    @Test func theOtherInstructionsDoWhatTheySay() {
        let masked = [
            instruction(Code.load, 0), instruction(Code.and, 3), instruction(Code.equal, 3, 0, 1), allow,
            kill,
        ]
        #expect(answer(masked) == .allow)
        #expect(answer([instruction(Code.jump, 1), allow, kill]) == .kill)
        #expect(answer([instruction(Code.answer, escrow_action_notify)]) == .notify)
        #expect(answer([instruction(Code.answer, 0x5_0fff)]) == .refuse(4095))
        #expect(answer([instruction(Code.answer, 0)]) == .other(0))
    }

    @Test func aProgramThatTheKernelWouldNotTakeHasNoAnswer() {
        #expect(answer([]) == nil)
        #expect(answer([instruction(Code.load, 0)]) == nil)
        #expect(answer([instruction(Code.load, 64), allow]) == nil)
        #expect(answer([instruction(Code.load, 2), allow]) == nil)
        #expect(answer([instruction(Code.jump, 9), allow]) == nil)
        #expect(answer([instruction(0x61, 0), allow]) == nil)
    }

    @Test(arguments: FilterVariant.all)
    func bothProgramsMeanWhatTheRulesSay(_ variant: FilterVariant) throws {
        let options = variant.options
        func compile(_ optimised: Bool) throws -> FilterEvaluator {
            FilterEvaluator(
                instructions: try FilterProgram(
                    variant.rules, naming: options.naming, architecture: options.architecture,
                    optimised: optimised
                ).code)
        }
        let tree = try compile(true)
        let list = try compile(false)
        #expect(tree.instructions != list.instructions)
        var wrong: [String] = []
        var visited = [Set<Int>(), Set<Int>()]
        for call in variant.calls {
            let meant = variant.meaning(of: call)
            for (index, program) in [tree, list].enumerated() {
                let got = program.answer(to: call) { visited[index].insert($0) }
                if got != meant, wrong.count < 5 { wrong.append("\(call): \(got as Any), meant \(meant)") }
            }
        }
        #expect(wrong == [])
        // A jump that leads one place too far, or an instruction that no call reaches, would otherwise hide.
        #expect(visited[0].count == tree.instructions.count)
        #expect(visited[1].count == list.instructions.count)
    }

    @Test(arguments: SandboxProfile.allCases)
    func aJumpThatIsOneOffIsFound(_ profile: SandboxProfile) throws {
        let variant = FilterVariant(profile: profile, options: .init())
        let program = FilterEvaluator(instructions: try FilterProgram.filter(for: profile, .init()).code)
        // For each instruction a few of the calls that come by.
        var passing: [Int: [FilteredCall]] = [:]
        for call in variant.calls {
            _ = program.answer(to: call) { passing[$0, default: []].append(call) }
        }
        var tried = 0
        var found = 0
        for (place, instruction) in program.instructions.enumerated()
        where [Code.equal, Code.greater, Code.greaterOrEqual].contains(instruction.code) {
            let next = place + 1
            for (whenTrue, whenFalse) in [(1, 0), (0, 1)] {
                var instructions = program.instructions
                instructions[place].whenTrue += UInt8(whenTrue)
                instructions[place].whenFalse += UInt8(whenFalse)
                let from = next + Int(whenTrue == 1 ? instruction.whenTrue : instruction.whenFalse)
                guard from + 1 < instructions.count else { continue }
                let mutant = FilterEvaluator(instructions: instructions)
                let differs = passing[place, default: []].contains {
                    mutant.answer(to: $0) != variant.meaning(of: $0)
                }
                tried += 1
                found += differs ? 1 : 0
            }
        }
        // A few change nothing: the same answer stands one further, or the path has made that test before.
        #expect(tried > 100)
        #expect(found * 10 >= tried * 9, "\(found) of \(tried)")
    }

    @Test func anUnknownNumberIsNeverAllowed() throws {
        for variant in FilterVariant.all {
            let program = FilterEvaluator(
                instructions: try FilterProgram.filter(for: variant.profile, variant.options).code)
            let known = Set(variant.rules.compactMap { variant.options.architecture.number(of: $0.call) })
            let rest: FilterAnswer = variant.options.naming ? .notify : .kill
            for number in (-1...1024).map(Int32.init) where !known.contains(number) {
                let call = FilteredCall(
                    number: number, architecture: variant.options.architecture.token,
                    arguments: [0, 0, 0, 0, 0, 0])
                #expect(program.answer(to: call) == rest, "\(variant.testDescription): \(number)")
            }
        }
    }
}
