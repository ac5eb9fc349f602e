import EscrowOffloadWire
import EscrowSandbox

extension Outcome {
    /// An end that a server tells of; the cause on this side came first, if there is one. Words are taken from closed lists only.
    init(_ ended: Ended, cause: Status?, limits: SandboxLimits, output: Int) {
        var usage = Usage.none
        usage.cpuSeconds = Double(ended.cpuMicroseconds) / 1e6
        usage.wallSeconds = Double(ended.wallMicroseconds) / 1e6
        usage.maxRSSKiB = ended.memoryKiB
        usage.outputBytes = output
        usage.logBytes = ended.log.count
        let call = ended.syscall.flatMap { call in
            Syscall.Architecture(rawValue: call.table).flatMap {
                Syscall(number: Int32(clamping: call.number), in: $0)
            }
        }
        self.init(
            status: cause ?? Status(ended), syscall: call, startedMs: Double(ended.startedMicroseconds) / 1e3,
            whenMs: Double(ended.whenMicroseconds) / 1e3, usage: usage, limits: limits,
            log: Array(ended.log.prefix(limits.logBytes)))
    }
}

extension Outcome.Status {
    fileprivate init(_ ended: Ended) {
        let number = Int32(clamping: ended.number)
        self =
            switch ended.kind {
            case .exited: .exited(number)
            case .signaled: .signaled(number)
            case .violation: .violation
            case .limit: .limit(Outcome.Limit(rawValue: ended.word) ?? .wall)
            case .killed: .killedByHost(KillReason(rawValue: ended.word) ?? .hostError)
            case .setupFailed: .setupFailed(step: "on the server", errno: number)
            case .lost: .lost(Outcome.Hold(rawValue: ended.word) ?? .unknown)
            }
    }
}

extension RemoteLimits {
    init(_ limits: SandboxLimits) {
        self.init(
            wallMilliseconds: Int((limits.wallSeconds * 1000).rounded()), cpuSeconds: limits.cpuSeconds,
            memoryMiB: limits.memoryMiB, outputBytes: limits.outputBytes, logBytes: limits.logBytes,
            processes: limits.processes)
    }
}

extension RemoteKill {
    init(_ reason: KillReason) {
        self =
            switch reason {
            case .protocolError: .protocolError
            case .cancelled: .cancelled
            case .lingered: .lingered
            case .budget: .budget
            case .hostError: .hostError
            }
    }
}
