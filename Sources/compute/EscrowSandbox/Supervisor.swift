import CEscrowLauncher
import EscrowFiles
import Glibc

/// The thread that watches one plugin from clone to reaping. It cannot be the spawner, which sleeps until exec, while exec waits
/// for this thread's answer.
struct Supervisor {
    let run: Run

    var pidfd: Int32 = -1
    var listener: Int32 = -1
    private var statusIsOpen = true
    private var logIsOpen = true
    var started: UInt64?
    /// A parked process had its time to start.
    private var isHeld = false
    var mayStart = true
    /// A thread asked to end the process, and the others' calls are answered first.
    var isSettling = false
    private var log: [UInt8] = []
    var paths: PathPolicy
    var peak: (addressSpace: Int?, memory: Int?) = (nil, nil)
    /// Building a sandbox takes a millisecond, an interpreter's 20; a kernel that takes this long is stuck.
    private static let setupNanoseconds: UInt64 = 60_000_000_000
    /// How long a parked process may run: by then most have come to their first read.
    private static let restNanoseconds: UInt64 = 2_000_000_000

    init(_ run: Run) {
        self.run = run
        paths = run.plan.program.paths
    }

    /// Starts the supervisor's thread; false when there is none.
    static func start(_ run: Run) -> Bool {
        SystemThread.start(name: "escrow-watch") {
            var supervisor = Supervisor(run)
            supervisor.watch()
        }
    }

    private mutating func watch() {
        if !Spawner.shared.submit(Spawner.Job(plan: run.plan, childEnds: run.childEnds)) {
            run.childEnds.forEach { close($0) }
            run.end(.setupFailed(step: "thread", errno: EAGAIN))
            finish(nil)
            return
        }
        while true {
            var entries: [pollfd] = []
            func add(_ descriptor: Int32) {
                entries.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
            }
            // A negative descriptor is skipped by poll, so every place is fixed.
            add(statusIsOpen ? run.status : -1)
            add(listener)
            add(pidfd)
            add(logIsOpen ? run.log : -1)
            add(run.wake)
            let ready = poll(&entries, nfds_t(entries.count), millisecondsLeft())
            // Also when something else happened: calls of many threads in turn would otherwise put the deadline off for ever.
            timeOut()
            if isLost { return lose() }
            guard ready > 0 else { continue }
            // A violation goes before the end that it brings about.
            if entries[1].revents != 0 { readListener(entries[1].revents) }
            if entries[0].revents != 0, !readStatus() { return }
            if entries[3].revents != 0 { readLog() }
            if entries[4].revents != 0 { readWake() }
            if entries[2].revents != 0 {
                var end = escrow_end()
                let error = escrow_reap(pidfd, &end)
                if error != 0 { run.end(.setupFailed(step: "wait", errno: error)) }
                finish(error == 0 ? end : nil)
                return
            }
        }
    }

    // MARK: time

    private enum Due { case setup, wall, hold }

    private var isLost: Bool {
        run.state.withLock { state in
            guard let time = lostAt(state.cause), monotonicNanoseconds() >= time else { return false }
            return !state.isDead
        }
    }

    private func deadline() -> (time: UInt64, due: Due) {
        let wall = UInt64(run.limits.wallSeconds * 1e9)
        guard let started else { return (run.requested + max(wall, Self.setupNanoseconds), .setup) }
        if let taken = run.state.withLock({ $0.taken }) { return (max(started, taken) + wall, .wall) }
        return (isHeld ? .max : started + Self.restNanoseconds, .hold)
    }

    private func millisecondsLeft() -> Int32 {
        let deadline = deadline().time
        let now = monotonicNanoseconds()
        // The kill is under way; look again in case it came before the pidfd or has no effect.
        if let cause = run.state.withLock({ $0.cause }) {
            let left = lostAt(cause).map { $0 > now ? ($0 - now) / 1_000_000 + 1 : 0 } ?? 100
            return Int32(min(left, 100))
        }
        if now >= deadline { return 0 }
        return Int32(clamping: (deadline - now) / 1_000_000 + 1)
    }

    private mutating func timeOut() {
        let deadline = deadline()
        guard monotonicNanoseconds() >= deadline.time else { return }
        switch deadline.due {
        case .setup: run.end(.setupFailed(step: "time", errno: ETIMEDOUT))
        case .wall: run.end(.limit(.wall))
        case .hold: hold()
        }
    }

    /// Stops a parked process until a run takes it: it has started, and would only watch the machine.
    private mutating func hold() {
        isHeld = true
        run.state.withLock { state in
            guard state.taken == nil, state.cause == nil else { return }
            state.isHeld = escrow_hold(pidfd, true) == 0
        }
    }

    private func readWake() {
        var count: UInt64 = 0
        _ = read(run.wake, &count, 8)
    }

    // MARK: handshake

    /// False when there is no child to wait for.
    private mutating func readStatus() -> Bool {
        takePidfd()
        var message = escrow_message()
        let size = MemoryLayout<escrow_message>.size
        let count = read(run.status, &message, size)
        if count < 0 { return true }
        guard count == size else {
            // End of file: the child has exec'd, or died. Nobody cloned means nobody to wait for.
            statusIsOpen = false
            if pidfd < 0 {
                run.end(.setupFailed(step: "clone", errno: ECHILD))
                finish(nil)
                return false
            }
            return true
        }
        switch UInt32(message.kind) {
        case ESCROW_MESSAGE_MAP.rawValue:
            let error = writeMaps()
            if error != 0 { fail(ESCROW_STEP_IDENTITY, error) } else { sendGo() }
        case ESCROW_MESSAGE_LISTENER.rawValue: takeListener(message.value)
        default:
            let step = UInt32(message.step)
            run.end(.setupFailed(step: Self.name(of: step), errno: message.error))
            // The spawner's own steps: there never was a child.
            if step == ESCROW_STEP_CLONE.rawValue || pidfd < 0 {
                finish(nil)
                return false
            }
        }
        return true
    }

    private mutating func takePidfd() {
        guard pidfd < 0 else { return }
        pidfd = run.plan.raw.pointee.pidfd
        guard pidfd >= 0 else { return }
        let pidfd = pidfd
        run.state.withLock { state in
            state.pidfd = pidfd
            if state.cause != nil { _ = escrow_kill(pidfd) }
        }
    }

    private func fail(_ step: escrow_step, _ error: Int32) {
        run.end(.setupFailed(step: Self.name(of: step.rawValue), errno: error))
    }

    private func sendGo() {
        var byte: UInt8 = 1
        _ = write(run.go, &byte, 1)
    }

    func processDirectory() -> String? { Self.processDirectory(pidfd: pidfd) }

    /// The directory in this process's /proc of the process behind a pidfd.
    static func processDirectory(pidfd: Int32) -> String? {
        let pid = escrow_pid(pidfd)
        return pid > 0 ? "/proc/\(pid)" : nil
    }

    /// One id each: the plugin's 1000 is `outsideID`. Written from here, since only the host may map an id that is
    /// not its own.
    private func writeMaps() -> Int32 {
        guard let directory = processDirectory() else { return ESRCH }
        let map = "\(LaunchPlan.insideID) \(run.plan.outsideID) 1\n"
        if !run.plan.raw.pointee.clear_groups {
            let error = writeSmallFile("\(directory)/setgroups", "deny")
            if error != 0 { return error }
        }
        let error = writeSmallFile("\(directory)/uid_map", map)
        if error != 0 { return error }
        let group = run.plan.raw.pointee.clear_groups ? run.plan.outsideID : getegid()
        return writeSmallFile("\(directory)/gid_map", "\(LaunchPlan.insideID) \(group) 1\n")
    }

    private mutating func takeListener(_ number: Int32) {
        if let group = run.controlGroup, let directory = processDirectory() {
            let error = group.add(pid: String(directory.dropFirst("/proc/".count)))
            if error != 0 { return fail(ESCROW_STEP_LIMITS, error) }
        }
        if number >= 0 {
            let taken = escrow_take_descriptor(pidfd, number)
            if taken < 0 { return fail(ESCROW_STEP_SECCOMP, -taken) }
            listener = taken
            escrow_notification_hasten(listener)
        } else {
            started = monotonicNanoseconds()
            run.plan.program.tracing?.trace.noteBlindness()
        }
        sendGo()
    }

    static func name(of step: UInt32) -> String {
        let names = [
            "clone", "signals", "beginning", "identity", "session", "parent-death", "mount-private",
            "mount-root", "mount-view", "pivot", "hostname", "program", "descriptors", "keyring", "limits",
            "capabilities", "no-new-privileges", "landlock", "seccomp", "exec",
        ]
        return Int(step) < names.count ? names[Int(step)] : "unknown"
    }

    /// What the kernel counts by the processor, and may tell too low.
    private static let inexactKiB = 4096

    /// The kernel's count where it is above what was inherited; 0 where that hides it. The child shares the host's memory until
    /// exec, so its count begins with the host's peak at that moment, which is at most the host's peak now.
    private func memory(_ end: escrow_end?) -> Int {
        if let memory = peak.memory { return memory }
        var own = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &own)
        let counted = Int(end?.max_rss_kib ?? 0)
        return counted > Int(own.ru_maxrss) + Self.inexactKiB ? counted : 0
    }

    // MARK: log and end

    private mutating func readLog() {
        var buffer = [UInt8](repeating: 0, count: 16384)
        let count = read(run.log, &buffer, buffer.count)
        if count > 0 {
            let room = run.limits.logBytes - log.count
            log += buffer.prefix(min(count, room))
            if count > room { run.end(.limit(.log)) }
        } else if count == 0 || errno != EAGAIN {
            logIsOpen = false
        }
    }

    mutating func finish(_ end: escrow_end?, lost hold: Outcome.Hold? = nil) {
        let now = monotonicNanoseconds()
        // All of the plugin is dead, so what is in the pipe is all there is.
        if end != nil {
            while logIsOpen, log.count < run.limits.logBytes {
                let before = log.count
                readLog()
                if log.count == before { break }
            }
        }
        if listener >= 0 { close(listener) }
        let counted = hold == nil ? run.controlGroup?.finish() : run.controlGroup?.counted()
        let run = run
        // With a parked process the run began when it was taken.
        let asked = run.state.withLock { $0.taken } ?? run.requested
        let begun = max(started ?? now, asked)
        let usage = Outcome.Usage(
            cpuSeconds: end?.cpu_seconds ?? 0, maxRSSKiB: max(memory(end), counted?.peakKiB ?? 0),
            wallSeconds: Double(now - begun) / 1e9, peakAddressSpaceKiB: peak.addressSpace,
            logBytes: log.count)
        let log = log
        let afterwards = run.state.withLock { state in
            // Whether abort() was called for want of memory shows only in the usage.
            if state.cause?.status == .signaled(SIGABRT), usage.wasNearMemory(run.limits) {
                state.cause?.status = .limit(.memory)
            }
            if let hold { state.cause?.status = .lost(hold) }
            let cause =
                state.cause
                ?? Run.Cause(
                    status: Outcome.Status(
                        end, usage: usage, limits: run.limits, counted: counted, started: started != nil),
                    syscall: nil, address: nil, time: now)
            if state.pidfd >= 0, hold == nil { close(state.pidfd) }
            state.pidfd = -1
            state.outcome = Outcome(
                status: cause.status, syscall: cause.syscall, address: cause.address,
                startedMs: Double(begun - asked) / 1e6,
                whenMs: cause.time > begun ? Double(cause.time - begun) / 1e6 : 0,
                usage: usage, limits: run.limits, log: log)
            defer { state.afterwards = [] }
            return state.afterwards
        }
        // Before the pool is told, which makes the next process from it.
        if end != nil, started != nil { run.plan.giveBackCopy() }
        for body in afterwards { body() }
    }
}
