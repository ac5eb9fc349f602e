extension Outcome {
    /// The first cause in one sentence whose subject is the plugin. It holds no data: numbers of the limits, words of
    /// closed tables.
    public var reason: String {
        switch status {
        case .exited(0): "it ended by itself"
        case .exited(let code): "it ended with exit code \(code)"
        case .signaled(let signal): "it crashed: \(Self.signalName(signal))"
        case .violation: syscall.map { "it called \($0)" } ?? "it made a system call that is not allowed"
        case .limit(let limit): "it reached its limit of \(limits.words(for: limit))"
        case .killedByHost(let reason): reason.rawValue
        case .setupFailed(let step, let error):
            "its sandbox could not be built: \(step): \(errnoSentence(error))"
        case .lost(let hold): "it was killed and does not end: \(hold.rawValue)"
        }
    }

    /// The kind of end in one word: `clean`, `exit`, `signal`, `violation`, `limit`, `stopped`, `setup`, `lost`.
    public var kind: String {
        switch status {
        case .exited(0): "clean"
        case .exited: "exit"
        case .signaled: "signal"
        case .violation: "violation"
        case .limit: "limit"
        case .killedByHost: "stopped"
        case .setupFailed: "setup"
        case .lost: "lost"
        }
    }

    /// When it ended, in words: `41 ms`, `12.5 s`.
    public var time: String { whenMs < 10_000 ? "\(Int(whenMs.rounded())) ms" : Self.seconds(whenMs / 1000) }

    static func seconds(_ value: Double) -> String {
        let tenths = (value * 10).rounded() / 10
        return tenths == tenths.rounded() ? "\(Int(tenths)) s" : "\(tenths) s"
    }

    static func signalName(_ signal: Int32) -> String {
        let names: [Int32: String] = [
            4: "SIGILL (an illegal instruction, or a trap such as Swift's fatalError)", 5: "SIGTRAP",
            6: "SIGABRT (abort)", 7: "SIGBUS", 8: "SIGFPE", 9: "SIGKILL", 11: "SIGSEGV (a bad memory access)",
            13: "SIGPIPE", 15: "SIGTERM", 31: "SIGSYS",
        ]
        return names[signal] ?? "signal \(signal)"
    }
}
