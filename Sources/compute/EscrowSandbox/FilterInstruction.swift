/// One instruction of a seccomp filter: classic BPF over `struct seccomp_data`.
struct FilterInstruction: Sendable, Equatable {
    /// What it does, as the kernel spells it: class, size or operation, source.
    var code: UInt16
    /// How many instructions are skipped when a comparison holds.
    var whenTrue: UInt8
    var whenFalse: UInt8
    var value: UInt32

    /// The codes that libseccomp emits. linux/bpf_common.h
    enum Code {
        static let load: UInt16 = 0x20  // BPF_LD | BPF_W | BPF_ABS
        static let jump: UInt16 = 0x05  // BPF_JMP | BPF_JA
        static let equal: UInt16 = 0x15  // BPF_JMP | BPF_JEQ | BPF_K
        static let greater: UInt16 = 0x25  // BPF_JMP | BPF_JGT | BPF_K
        static let greaterOrEqual: UInt16 = 0x35  // BPF_JMP | BPF_JGE | BPF_K
        static let anyBit: UInt16 = 0x45  // BPF_JMP | BPF_JSET | BPF_K
        static let and: UInt16 = 0x54  // BPF_ALU | BPF_AND | BPF_K
        static let answer: UInt16 = 0x06  // BPF_RET | BPF_K
    }

    /// The instruction in words; `place` is its own number, since jumps count from the next one.
    func text(at place: Int) -> String {
        let constant = "0x" + String(value, radix: 16)
        func choice(_ test: String) -> String {
            "if \(test) go to \(place + 1 + Int(whenTrue)) else \(place + 1 + Int(whenFalse))"
        }
        switch code {
        case Code.load: return "load \(Self.field(value))"
        case Code.jump: return "go to \(place + 1 + Int(value))"
        case Code.equal: return choice("A = \(constant)")
        case Code.greater: return choice("A > \(constant)")
        case Code.greaterOrEqual: return choice("A >= \(constant)")
        case Code.anyBit: return choice("A & \(constant)")
        case Code.and: return "A = A & \(constant)"
        case Code.answer: return "answer \(FilterAnswer(value))"
        default: return "unknown 0x\(String(code, radix: 16)) \(whenTrue) \(whenFalse) \(constant)"
        }
    }

    /// The member of `struct seccomp_data` at an offset. Both architectures are little-endian.
    private static func field(_ offset: UInt32) -> String {
        switch offset {
        case 0: "number"
        case 4: "architecture"
        case 8: "instruction pointer, low"
        case 12: "instruction pointer, high"
        case 16..<64 where offset % 4 == 0:
            "argument \((offset - 16) / 8), \(offset % 8 == 0 ? "low" : "high")"
        default: "offset \(offset)"
        }
    }
}
