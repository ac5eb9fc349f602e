public import EscrowDiagnostics

extension Outcome {
    /// What the caller counted of what it gave to the plugin.
    public struct Fed: Sendable, Equatable {
        /// Rows of Ds, and bytes of them.
        public var rows = 0
        public var bytes = 0
        /// Assets that the plugin opened, and bytes of them.
        public var assets = 0
        public var assetBytes = 0

        public init() {}
    }

    /// What to tell the owner; nil after a clean end. It holds no value of the data: no log, and only arguments from closed
    /// tables. `fed` says how far the run came; `capped` names the individual's own limits, for the help.
    public func diagnostic(
        plugin: String, version: String, fed: Fed? = nil, capped: Set<Limit> = []
    ) -> Diagnostic? {
        let name = "\(plugin) \(version)"
        let nothing = "nothing was returned"
        switch status {
        case .exited(0): return nil
        case .exited:
            return Diagnostic(
                .pluginFailed, "\(name) failed: \(reason), \(time) after start; \(nothing)",
                help: "`escrow run --log` shows what it wrote on stderr")
        case .signaled(let signal):
            return Diagnostic(
                .pluginCrashed,
                "\(name) crashed: \(Self.signalName(signal)), \(time) after start; \(nothing)",
                notes: memoryIsNear
                    ? ["it used \(usage.maxRSSKiB >> 10) of \(limits.memoryMiB) MiB"] : [],
                help: "`escrow run --log` shows what it wrote on stderr")
        case .violation:
            guard syscall != nil else {
                return Diagnostic(
                    .systemCallNotAllowed,
                    "\(name) was stopped: \(reason), \(time) after start; \(nothing)",
                    notes: ["this host is itself watched by a seccomp listener, so the call cannot be named"])
            }
            return Diagnostic(
                .namedSystemCallNotAllowed, "\(name) was stopped: \(reason), \(time) after start; \(nothing)",
                help: "tell its publisher; a plugin has no network, no files and no other programs")
        case .limit(let limit):
            return Diagnostic(
                limit.code, "\(name) was stopped: \(reason), \(time) after start; \(nothing)",
                notes: ["it came to \(progress(fed))"],
                help: capped.contains(limit)
                    ? "let the query yield less, or raise \"\(limit.member)\" in the limits of config.json"
                    : "let the query yield less, or raise \(limit.manifestMember) in the plugin's manifest")
        case .killedByHost:
            return Diagnostic(
                .pluginStopped, "\(name) was stopped: \(reason), \(time) after start; \(nothing)")
        case .lost:
            return Diagnostic(
                .pluginDoesNotEnd, "\(name) was given up: \(reason); \(nothing)",
                notes: ["its process has what it was given, and hands on nothing; it dies when it is let go"],
                help: "`escrow doctor` names the process as long as it is there")
        case .setupFailed(let step, let error):
            return Diagnostic(
                .sandboxNotBuilt,
                "the sandbox for \(name) could not be built: \(step): \(errnoSentence(error)); it was not run",
                help: "`escrow doctor` checks each wall by itself")
        }
    }

    private func progress(_ fed: Fed?) -> String {
        var parts: [String] = []
        if let fed {
            parts.append("\(fed.rows) \(fed.rows == 1 ? "row" : "rows") (\(byteWords(fed.bytes)))")
            if fed.assets > 0 {
                let word = fed.assets == 1 ? "asset" : "assets"
                parts.append("\(fed.assets) \(word) (\(byteWords(fed.assetBytes)))")
            }
        }
        parts.append("\(byteWords(usage.outputBytes)) of output")
        parts.append("\(Self.seconds(usage.cpuSeconds)) of processor time")
        let last = "\(usage.maxRSSKiB >> 10) MiB of memory"
        return parts.joined(separator: ", ") + " and " + last
    }

    private var memoryIsNear: Bool { usage.maxRSSKiB >= limits.memoryMiB * 512 }
}

extension Outcome.Limit {
    public var code: Diagnostic.Code {
        switch self {
        case .wall: .wallTimeLimit
        case .cpu: .processorTimeLimit
        case .memory: .memoryLimit
        case .output: .outputLimit
        case .log: .logLimit
        case .processes: .threadLimit
        case .assets: .assetLimit
        case .rows: .rowLimit
        case .data: .rowByteLimit
        case .assetBytes: .assetByteLimit
        }
    }

    /// The member that sets it, in a manifest's `limits` and in those of `config.json`.
    public var member: String {
        switch self {
        case .wall: "wallSeconds"
        case .cpu: "cpuSeconds"
        case .memory: "memoryMiB"
        case .processes: "processes"
        case .output: "outputMiB"
        case .log: "logKiB"
        case .rows: "rows"
        case .data: "dataMiB"
        case .assets: "assets"
        case .assetBytes: "assetMiB"
        }
    }

    var manifestMember: String { self == .rows ? "accepts.rows.max" : "limits.\(member)" }
}

/// A number of bytes in the largest unit that holds it whole: `64 MiB`, `1000 bytes`.
func byteWords(_ count: Int) -> String {
    if count >= 1 << 20, count % (1 << 20) == 0 { return "\(count >> 20) MiB" }
    if count >= 1 << 10, count % (1 << 10) == 0 { return "\(count >> 10) KiB" }
    return count == 1 ? "1 byte" : "\(count) bytes"
}
