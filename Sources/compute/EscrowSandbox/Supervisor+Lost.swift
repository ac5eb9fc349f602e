import CEscrowLauncher
import EscrowFiles
import Glibc

/// What becomes of a plugin that was killed and does not end.
extension Supervisor {
    /// When a process that was killed counts as lost; nil while nobody has killed it, or it is not there yet.
    func lostAt(_ cause: Run.Cause?) -> UInt64? {
        guard let cause, pidfd >= 0 else { return nil }
        return cause.time + UInt64(run.patience * 1e9)
    }

    /// Reports the run as lost, then waits for the process as long as it takes: it must be reaped, and keeps what it shares with
    /// the run until then.
    mutating func lose() {
        let pid = escrow_pid(pidfd)
        LostProcesses.add(pid)
        // Before the report, as its reader finds the thread by this name.
        SystemThread.name(LostProcesses.threadName(pid))
        finish(nil, lost: LostProcesses.hold(of: pid))
        var entry = pollfd(fd: pidfd, events: Int16(POLLIN), revents: 0)
        while poll(&entry, 1, -1) < 1 {}
        var end = escrow_end()
        _ = escrow_reap(pidfd, &end)
        close(pidfd)
        _ = run.controlGroup?.finish()
        LostProcesses.remove(pid)
    }
}
