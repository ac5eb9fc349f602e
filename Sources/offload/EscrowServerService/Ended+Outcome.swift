public import EscrowOffloadWire
public import EscrowSandbox

extension Ended {
    /// An outcome for the device.
    public init(_ outcome: Outcome) {
        switch outcome.status {
        case .exited(let code):
            self.init(.exited)
            number = Int(code) & 0xFF
        case .signaled(let signal):
            self.init(.signaled)
            number = Int(signal)
        case .violation: self.init(.violation)
        case .limit(let limit):
            self.init(.limit)
            word = limit.rawValue
        case .killedByHost(let reason):
            self.init(.killed)
            word = reason.rawValue
        case .setupFailed(_, let error):
            self.init(.setupFailed)
            number = Int(max(0, error))
        case .lost(let hold):
            self.init(.lost)
            word = hold.rawValue
        }
        startedMicroseconds = Int(max(0, outcome.startedMs) * 1000)
        whenMicroseconds = Int(max(0, outcome.whenMs) * 1000)
        cpuMicroseconds = Int(max(0, outcome.usage.cpuSeconds) * 1e6)
        wallMicroseconds = Int(max(0, outcome.usage.wallSeconds) * 1e6)
        memoryKiB = max(0, outcome.usage.maxRSSKiB)
        log = outcome.log
        if let syscall = outcome.syscall, let number = syscall.number, number >= 0 {
            self.syscall = Call(number: Int(number), table: syscall.architecture.rawValue)
        }
    }
}
