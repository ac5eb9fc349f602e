import CEscrowLauncher
import EscrowFiles
import Glibc

/// One run as its supervisor and its owner share it. The first cause of the end is written once.
final class Run: @unchecked Sendable {
    struct Cause {
        var status: Outcome.Status
        var syscall: Syscall?
        var address: UInt64?
        var time: UInt64
    }

    struct State {
        var cause: Cause?
        var pidfd: Int32 = -1
        var outcome: Outcome?
        /// When the run began to count; nil while its process is parked.
        var taken: UInt64?
        /// The parked process is stopped, and goes on when a run takes it.
        var isHeld = false
        /// Bytes read of the plugin's stdout.
        var outputBytes = 0
        /// Called once there is an outcome, in order.
        var afterwards: [@Sendable () -> Void] = []

        /// The process is dead, whether its supervisor has seen it already or not. pidfd_open(2), "poll"
        var isDead: Bool {
            guard pidfd >= 0 else { return outcome != nil }
            var entry = pollfd(fd: pidfd, events: Int16(POLLIN), revents: 0)
            return poll(&entry, 1, 0) == 1 && entry.revents & Int16(POLLIN) != 0
        }
    }

    let plan: LaunchPlan
    var limits: SandboxLimits { plan.program.limits }
    let controlGroup: ControlGroup?
    let requested: UInt64
    let state: Monitor<State>
    let wake: Int32
    /// The host's ends; stdin and stdout belong to `SandboxedProcess`.
    let log: Int32
    let status: Int32
    let go: Int32
    let childEnds: [Int32]
    /// How many seconds the process may take to end once it was killed.
    let patience: Double

    init(
        plan: LaunchPlan, isParked: Bool, controlGroup: ControlGroup?, wake: Int32, log: Int32,
        status: Int32, go: Int32, childEnds: [Int32], patience: Double
    ) {
        let now = monotonicNanoseconds()
        requested = now
        state = Monitor(State(taken: isParked ? nil : now))
        self.plan = plan
        self.controlGroup = controlGroup
        self.wake = wake
        self.log = log
        self.status = status
        self.go = go
        self.childEnds = childEnds
        self.patience = patience
    }

    deinit { for descriptor in [wake, log, status, go] { close(descriptor) } }

    /// Ends the plugin for a cause, unless there was one before.
    func end(_ status: Outcome.Status, syscall: Syscall? = nil, address: UInt64? = nil) {
        state.withLock { state in
            guard state.outcome == nil else { return }
            if state.cause == nil {
                state.cause = Cause(
                    status: status, syscall: syscall, address: address, time: monotonicNanoseconds())
            }
            if state.pidfd >= 0 { _ = escrow_kill(state.pidfd) }
        }
        wakeSupervisor()
    }

    /// Begins the run of a parked process: its wall limit and times count from here. False when the process has ended or is
    /// about to, as a violation while it was parked is not this run's.
    func take() -> Bool {
        let isAlive = state.withLock { state in
            guard state.taken == nil, state.cause == nil, !state.isDead else { return false }
            state.taken = monotonicNanoseconds()
            if state.isHeld { _ = escrow_hold(state.pidfd, false) }
            return true
        }
        // It sleeps without a deadline while nobody has taken the process.
        if isAlive { wakeSupervisor() }
        return isAlive
    }

    /// The run is over, although its process is not: nobody waits for the process.
    var isLost: Bool {
        state.withLock { state in
            if case .lost? = state.outcome?.status { true } else { false }
        }
    }

    /// Calls the body once there is an outcome, or at once if there is one.
    func afterwards(_ body: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            if state.outcome == nil { state.afterwards.append(body) }
            return state.outcome != nil
        }
        if isOver { body() }
    }

    private func wakeSupervisor() {
        var one: UInt64 = 1
        _ = write(wake, &one, 8)
    }

    func outcome(until deadline: UInt64? = nil) -> Outcome? {
        state.wait(until: deadline) { state in
            // What was left in the pipe may have been read after the end.
            state.outcome?.usage.outputBytes = state.outputBytes
            return state.outcome
        }
    }
}

extension Run {
    /// Ends a run for which no thread could be started.
    func abandon() {
        state.withLock { state in
            state.outcome = Outcome(
                status: .setupFailed(step: "thread", errno: EAGAIN), syscall: nil, address: nil, startedMs: 0,
                whenMs: 0, usage: .init(), limits: limits, log: [])
        }
    }
}
