public import EscrowDiagnostics

extension Outcome {
    /// What to tell the owner, or nil after a clean end. No value of the data is in it: not the log, not an argument
    /// that is not from a closed table.
    public func diagnostic(plugin: String, version: String) -> Diagnostic? {
        let name = "\(plugin) \(version)"
        let nothing = "nothing was returned"
        switch status {
        case .exited(0): return nil
        case .exited(let code):
            return Diagnostic(
                "E0540", "\(name) failed: it ended with exit code \(code), \(time) after start; \(nothing)",
                help: "`escrow run --log` shows what it wrote on stderr")
        case .signaled(let signal):
            return Diagnostic(
                "E0541", "\(name) crashed: \(Self.signalName(signal)), \(time) after start; \(nothing)",
                notes: memoryIsNear
                    ? ["it used \(usage.maxRSSKiB >> 10) of \(limits.memoryMiB) MiB"] : [],
                help: "`escrow run --log` shows what it wrote on stderr")
        case .violation:
            guard let syscall else {
                return Diagnostic(
                    "E0510",
                    "\(name) was stopped: it made a system call that is not allowed, \(time) after start; \(nothing)",
                    notes: ["this host is itself watched by a seccomp listener, so the call cannot be named"])
            }
            return Diagnostic(
                "E0511", "\(name) was stopped: it called \(syscall), \(time) after start; \(nothing)",
                help: "tell its publisher; a plugin has no network, no files and no other programs")
        case .limit(let limit): return limitDiagnostic(name, limit, nothing)
        case .killedByHost(let reason):
            return Diagnostic(
                "E0542", "\(name) was stopped: \(reason.rawValue), \(time) after start; \(nothing)")
        case .setupFailed(let step, let error):
            return Diagnostic(
                "E0559",
                "the sandbox for \(name) could not be built: \(step): \(errnoSentence(error)); it was not run",
                help: "`escrow doctor` checks each wall by itself")
        }
    }

    private func limitDiagnostic(_ name: String, _ limit: Limit, _ nothing: String) -> Diagnostic {
        let code: Diagnostic.Code
        let value: String
        let member: String
        switch limit {
        case .wall: (code, value, member) = ("E0530", "\(seconds(limits.wallSeconds)) of time", "wallSeconds")
        case .cpu:
            (code, value, member) = ("E0531", "\(limits.cpuSeconds) s of processor time", "cpuSeconds")
        case .memory: (code, value, member) = ("E0532", "\(limits.memoryMiB) MiB of memory", "memoryMiB")
        case .output:
            (code, value, member) = ("E0533", "\(limits.outputBytes) bytes of output", "outputBytes")
        case .log: (code, value, member) = ("E0534", "\(limits.logBytes) bytes of log", "logKiB")
        case .processes: (code, value, member) = ("E0535", "\(limits.processes) threads", "processes")
        }
        return Diagnostic(
            code, "\(name) reached its limit of \(value), \(time) after start; \(nothing)",
            notes: [
                "it used \(seconds(usage.cpuSeconds)) of processor time and at most \(usage.maxRSSKiB >> 10) MiB of memory"
            ],
            help: "ask for fewer rows, or raise \(member) in the plugin's manifest")
    }

    private var memoryIsNear: Bool { usage.maxRSSKiB >= limits.memoryMiB * 512 }

    private var time: String {
        endedMs < 10_000 ? "\(Int(endedMs.rounded())) ms" : seconds(endedMs / 1000)
    }

    private func seconds(_ value: Double) -> String {
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
