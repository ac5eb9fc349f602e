import EscrowSandbox
import Glibc

/// How a run ended, in the words that probes are written in. Two ends are the same when their words are.
struct End: Sendable, Equatable {
    /// `violation socket(AF_INET, SOCK_STREAM)`
    let text: String

    init(text: String) { self.text = text }

    /// Reads an expected end. Throws when no run could ever end so.
    init(parsing text: String) throws(ProbeFailure) {
        let parts = text.split(separator: " ", maxSplits: 1).map(String.init)
        let rest = parts.count == 2 ? parts[1] : ""
        let isKnown =
            switch parts.first {
            case "violation": rest.hasSuffix(")") || rest.hasSuffix(" table") || rest.hasPrefix("syscall ")
            case "refused": rest.hasPrefix("E") && rest.allSatisfy { $0.isUppercase || $0.isNumber }
            case "limit": Outcome.Limit(rawValue: rest) != nil
            case "signal": Self.signals.values.contains(rest)
            case "exit": UInt8(rest) != nil
            case "prints": !rest.isEmpty
            case "code":
                rest.count >= 5 && rest.hasPrefix("E") && rest.dropFirst().prefix(4).allSatisfy(\.isNumber)
            default: false
            }
        guard isKnown else { throw ProbeFailure("no run ends like this: `\(text)`") }
        self.text = text
    }

    /// The end of a run in the sandbox.
    init(_ outcome: Outcome, output: [UInt8]) {
        let said = Self.words(output)
        // Whoever is stopped has not got away with anything; should it have said so before, the end shows it.
        let after = said.contains("DID IT") ? " after DID IT" : ""
        switch outcome.status {
        case .exited(0): text = Self.clean(said)
        case .exited(let code): text = "exit \(code)\(after)"
        case .signaled(let signal): text = "signal \(Self.name(of: signal))\(after)"
        case .violation: text = "violation \(outcome.syscall?.description ?? "without a name")\(after)"
        case .limit(let limit): text = "limit \(limit.rawValue)\(after)"
        case .killedByHost(let reason): text = "killed by the host: \(reason.rawValue)\(after)"
        case .lost(let hold): text = "lost: \(hold.rawValue)\(after)"
        case .setupFailed(let step, let error): text = "no sandbox: \(step): errno \(error)"
        }
    }

    /// The end of a run outside.
    init(_ result: Command.Result) {
        switch result.status {
        case .exited(0): text = Self.clean(Self.words(result.output))
        case .exited(let code): text = "exit \(code)"
        case .signaled(let signal): text = "signal \(Self.name(of: signal))"
        case .timedOut: text = "no end in \(Command.seconds) s"
        }
    }

    private static func clean(_ said: String) -> String {
        if said.isEmpty { return "exit 0" }
        let refused = "REFUSED "
        return said.hasPrefix(refused) && !said.contains("\\n")
            ? "refused \(said.dropFirst(refused.count))" : "prints \(said)"
    }

    /// What was printed on one line: the last line break goes, others are spelled `\n`.
    private static func words(_ output: [UInt8]) -> String {
        let lines = String(decoding: output.prefix(4096), as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
        return (lines.last == "" ? lines.dropLast() : lines[...]).joined(separator: "\\n")
    }

    private static func name(of signal: Int32) -> String { signals[signal] ?? "\(signal)" }

    private static let signals: [Int32: String] = [
        SIGHUP: "SIGHUP", SIGINT: "SIGINT", SIGQUIT: "SIGQUIT", SIGILL: "SIGILL", SIGTRAP: "SIGTRAP",
        SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE", SIGKILL: "SIGKILL", SIGSEGV: "SIGSEGV",
        SIGPIPE: "SIGPIPE", SIGALRM: "SIGALRM", SIGTERM: "SIGTERM", SIGXCPU: "SIGXCPU", SIGXFSZ: "SIGXFSZ",
        SIGSYS: "SIGSYS",
    ]
}
