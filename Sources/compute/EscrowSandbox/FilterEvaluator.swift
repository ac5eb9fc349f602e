import CSeccomp

enum FilterAnswer: Sendable, Equatable, CustomStringConvertible {
    case allow
    /// The call is not run and gives this errno; 0 is a pretended success.
    case refuse(Int32)
    case notify
    case kill
    /// An answer that no filter of ours gives.
    case other(UInt32)

    init(_ value: UInt32) {
        switch value {
        case escrow_action_allow: self = .allow
        case escrow_action_notify: self = .notify
        case escrow_action_kill_process: self = .kill
        case escrow_action_errno(0)...escrow_action_errno(4095): self = .refuse(Int32(value & 0xffff))
        default: self = .other(value)
        }
    }

    /// `allow`, `errno 2`, `notify`, `kill`, or the number.
    var description: String {
        switch self {
        case .allow: "allow"
        case .refuse(let error): "errno \(error)"
        case .notify: "notify"
        case .kill: "kill"
        case .other(let value): "0x\(String(value, radix: 16))"
        }
    }
}

/// A call as a filter sees it: `struct seccomp_data`.
struct FilteredCall: Sendable, Equatable {
    var number: Int32
    /// AUDIT_ARCH of the table that was entered.
    var architecture: UInt32
    var instruction: UInt64 = 0
    var arguments: [UInt64]

    /// The 32-bit word at a byte offset, as the kernel lays it out; nil outside or between words.
    fileprivate func word(at offset: UInt32) -> UInt32? {
        func half(_ value: UInt64) -> UInt32 {
            UInt32(truncatingIfNeeded: offset % 8 == 0 ? value : value >> 32)
        }
        switch offset {
        case 0: return UInt32(bitPattern: number)
        case 4: return architecture
        case 8, 12: return half(instruction)
        case 16..<64 where offset % 4 == 0: return half(arguments[Int(offset - 16) / 8])
        default: return nil
        }
    }
}

/// Runs a compiled filter in this process, instruction by instruction, as the kernel would: to test what libseccomp
/// made of the rules, also for a processor that is not here, and to trace a plugin.
struct FilterEvaluator: Sendable {
    let instructions: [FilterInstruction]

    /// The answer to a call, or nil for a program that the kernel would not take: it reads beyond the call, jumps
    /// out of itself, ends without an answer, or has an instruction that libseccomp never emits. `visit` is told the
    /// place of each instruction that is run.
    func answer(to call: FilteredCall, visit: (Int) -> Void = { _ in }) -> FilterAnswer? {
        var accumulator: UInt32 = 0
        var place = 0
        // Jumps only go forward, so this ends.
        while place < instructions.count {
            let instruction = instructions[place]
            let value = instruction.value
            visit(place)
            place += 1
            func skip(_ holds: Bool) { place += Int(holds ? instruction.whenTrue : instruction.whenFalse) }
            switch instruction.code {
            case FilterInstruction.Code.load:
                guard let word = call.word(at: value) else { return nil }
                accumulator = word
            case FilterInstruction.Code.and: accumulator &= value
            case FilterInstruction.Code.jump: place += Int(value)
            case FilterInstruction.Code.equal: skip(accumulator == value)
            case FilterInstruction.Code.greater: skip(accumulator > value)
            case FilterInstruction.Code.greaterOrEqual: skip(accumulator >= value)
            case FilterInstruction.Code.anyBit: skip(accumulator & value != 0)
            case FilterInstruction.Code.answer: return FilterAnswer(value)
            default: return nil
            }
        }
        return nil
    }
}
