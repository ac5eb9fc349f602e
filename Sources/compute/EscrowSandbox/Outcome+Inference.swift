import CEscrowLauncher
import Glibc

extension Outcome.Status {
    /// What an end means that the host did not bring about.
    ///
    /// Exact: exit codes, signals, and what a control group counted. Inferred: that a failing program came near its limit of
    /// address space; and that a SIGKILL not sent by the host was the processor limit's, which the kernel decides by timer
    /// ticks that differ from its later count of the time.
    init(
        _ end: escrow_end?, usage: Outcome.Usage, limits: SandboxLimits, counted: ControlGroup.Count?,
        started: Bool
    ) {
        guard let end else {
            self = .setupFailed(step: "wait", errno: ECHILD)
            return
        }
        guard started else {
            self = .setupFailed(step: "start", errno: ECHILD)
            return
        }
        if end.exited != 0, end.value == 0 {
            self = .exited(0)
            return
        }
        if counted?.outOfMemory == true {
            self = .limit(.memory)
        } else if end.exited == 0, end.value == SIGKILL, usage.cpuSeconds >= Double(limits.cpuSeconds) * 0.6 {
            self = .limit(.cpu)
        } else if end.exited == 0, end.value == SIGSYS {
            self = .violation
        } else if usage.wasNearMemory(limits) {
            self = .limit(.memory)
        } else if counted?.outOfProcesses == true {
            self = .limit(.processes)
        } else {
            self = end.exited != 0 ? .exited(end.value) : .signaled(end.value)
        }
    }
}

extension Outcome.Usage {
    /// Whether a program that failed had come near its limit of memory: most programs abort when an allocation is refused.
    func wasNearMemory(_ limits: SandboxLimits) -> Bool {
        let limitKiB = Double(limits.memoryMiB) * 1024
        return Double(maxRSSKiB) >= limitKiB * 0.75 || Double(peakAddressSpaceKiB ?? 0) >= limitKiB * 0.9
    }
}
