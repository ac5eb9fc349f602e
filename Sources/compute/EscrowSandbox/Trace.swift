import CEscrowLauncher
import EscrowDiagnostics
import Glibc

/// The system calls that a plugin made, counted, for its author: `escrow plugin test --trace`.
///
/// Under a trace the supervisor sees every call and asks the profile's own filter. What the profile allows is run, what it
/// answers is answered; a call that would end a run is noted and gives EPERM, so that the author sees all of them at once. A
/// trace runs no call that the filter would not.
public final class Trace: Sendable {
    public enum Decision: Sendable, Hashable, CustomStringConvertible {
        case refused
        /// Answered with this errno without being run; 0 is a pretended success.
        case answered(Int32)
        case allowed

        public var description: String {
            switch self {
            case .refused: "refused: a run ends here"
            case .answered(0): "answered with success, not run"
            case .answered(let error): "answered with \(FilterWords.errorName(error)), not run"
            case .allowed: "allowed"
            }
        }
    }

    public struct Entry: Sendable, Equatable {
        /// The call's name; its arguments as well where it was not simply run. Only numbers of closed tables are
        /// shown, never a path, a pointer or a size.
        public let call: String
        public let decision: Decision
        public let count: Int
    }

    private struct Key: Hashable {
        let call: String
        let decision: Decision
    }
    private let counts = Monitor<[Key: Int]>([:])
    /// Those that are run, by number: to name each of them as it comes would slow the plugin down.
    private let allowed = Monitor<[Int32: Int]>([:])
    private let blind = Monitor(false)

    /// Kinds of refused calls that are told apart; a plugin can make up any number.
    private static let mostKinds = 256

    /// Counts nothing yet. One trace may serve several runs, one after the other or at once.
    public init() {}

    /// All that was counted: first what is refused, then what is answered, then what is allowed; by name within.
    public var entries: [Entry] {
        func rank(_ decision: Decision) -> Int {
            switch decision {
            case .refused: 0
            case .answered: 1
            case .allowed: 2
            }
        }
        let others = counts.withLock {
            $0.map { Entry(call: $0.key.call, decision: $0.key.decision, count: $0.value) }
        }
        let run = allowed.withLock { $0 }.map { number, count in
            let call = Syscall(number: number, token: FilterArchitecture.native.token, arguments: [])
            return Entry(call: call.name, decision: .allowed, count: count)
        }
        return (others + run).sorted {
            (rank($0.decision), $0.call, $0.count) < (rank($1.decision), $1.call, $1.count)
        }
    }

    /// True when a run could not be traced, since the kernel gave no listener: this host runs under one itself.
    public var wasBlind: Bool { blind.withLock { $0 } }

    func noteBlindness() { blind.withLock { $0 = true } }

    func noteAllowed(_ number: Int32) { allowed.withLock { $0[number, default: 0] += 1 } }

    func note(_ call: Syscall, _ decision: Decision) {
        counts.withLock { counts in
            let key = Key(call: call.description, decision: decision)
            guard counts[key] != nil || counts.count < Self.mostKinds else {
                counts[Key(call: "other calls", decision: decision), default: 0] += 1
                return
            }
            counts[key, default: 0] += 1
        }
    }
}

/// What a supervisor needs to trace a run.
struct Tracing: Sendable {
    let trace: Trace
    /// The filter that a real run of the profile has.
    let filter: FilterEvaluator

    /// The filter of a traced run: it shows every call but the launcher's own, between the filter and exec, when
    /// nobody can be asked yet. They carry a mark in an argument that the kernel ignores.
    static func program() throws(Diagnostic) -> FilterProgram {
        try compiled.withLock { (compiled: inout FilterProgram?) throws(Diagnostic) in
            if let compiled { return compiled }
            let program = try compile()
            compiled = program
            return program
        }
    }

    /// A filter's memory is never given back, since a child may be reading it; so there is one.
    private static let compiled = Monitor<FilterProgram?>(nil)

    private static func compile() throws(Diagnostic) -> FilterProgram {
        let mark = FilterRule.Condition.equal(argument: 5, UInt64(ESCROW_HANDSHAKE_MARK))
        return try FilterProgram(
            [
                FilterRule("write", .allow, [.word(0, 4), mark], "the launcher's message"),
                FilterRule("read", .allow, [.word(0, 5), mark], "the host's answer"),
                FilterRule("exit", .allow, [mark], "its end, when the host is gone"),
            ], naming: true)
    }
}
