import CEscrowLauncher
import EscrowFiles
import Glibc

/// What the plugin's filter asks about: the calls that end a run, and the few that are answered.
extension Supervisor {
    mutating func readListener(_ events: Int16) {
        if events & Int16(POLLIN) == 0 {
            // The kernel hangs up here before the pidfd is readable; kept in the set it would spin.
            close(listener)
            listener = -1
            return
        }
        var call = escrow_notification()
        // ENOENT and EINTR: the caller is gone or was interrupted; the next poll tells.
        guard escrow_notification_receive(listener, &call) == 0 else { return }
        if isOwnExec(call) {
            mayStart = false
            started = monotonicNanoseconds()
            _ = escrow_notification_continue(listener, call.id)
            return
        }
        let arguments = withUnsafeBytes(of: call.arguments) { Array($0.bindMemory(to: UInt64.self)) }
        if let tracing = run.plan.program.tracing { return answerTraced(call, arguments, tracing) }
        switch decide(call, arguments) {
        case .run: _ = escrow_notification_continue(listener, call.id)
        case .refuse(let error): _ = escrow_notification_refuse(listener, call.id, error)
        case .end(let status): run.end(status)
        case .violation:
            run.end(
                .violation,
                syscall: Syscall(number: call.number, token: call.architecture, arguments: arguments),
                address: call.instruction)
        case .gone: break
        }
    }

    /// What becomes of a call that the filter shows.
    enum Answer {
        case run
        case refuse(Int32)
        case end(Outcome.Status)
        case violation
        /// Nobody waits for an answer any more.
        case gone
    }

    /// Decides on a call that the profile's filter does not decide by itself.
    mutating func decide(_ call: escrow_notification, _ arguments: [UInt64]) -> Answer {
        guard call.architecture == Self.architecture else { return .violation }
        switch call.number {
        case Self.exitGroup:
            // A second thread that ends the process: the first one's call does it.
            if isSettling { return .gone }
            peak = readPeak(call.thread)
            settleOthers()
            return .run
        case Self.clone where run.plan.program.profile == .runtime && FilterRules.isThread(arguments[0]):
            return mayHaveAnotherThread() ? .run : .end(.limit(.processes))
        case Self.tgkill
        where Int32(truncatingIfNeeded: arguments[2]) == SIGABRT && isOwnNumber(arguments[0]):
            peak = readPeak(call.thread)
            return .end(.signaled(SIGABRT))
        case Self.openat, Self.open: return decideOpen(call, arguments)
        default: return .violation
        }
    }

    /// Whether a process number, as the plugin sees it, is its own.
    private func isOwnNumber(_ process: UInt64) -> Bool {
        let flag = Wall.processNamespace.cloneFlag ?? 0
        let isApart = run.plan.program.template.namespaces & flag != 0
        return Int(UInt32(truncatingIfNeeded: process)) == (isApart ? 1 : Int(escrow_pid(pidfd)))
    }

    /// Answers the calls of other threads before one thread ends the process, so that an exit hides no violation. Each waiting
    /// thread has one call, so this ends.
    private mutating func settleOthers() {
        isSettling = true
        defer { isSettling = false }
        for _ in 0..<run.limits.processes {
            var waiting = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
            guard listener >= 0, poll(&waiting, 1, 0) == 1, waiting.revents & Int16(POLLIN) != 0 else {
                return
            }
            readListener(waiting.revents)
        }
    }

    /// Whether the limit leaves room for one more thread. For some microseconds the kernel counts a thread that was joined, so
    /// the run ends only after some more looks.
    private func mayHaveAnotherThread() -> Bool {
        // Nobody can count: the kernel's own limit holds.
        guard let directory = processDirectory() else { return true }
        for _ in 0..<10 {
            var status = stat()
            guard stat("\(directory)/task", &status) == 0, status.st_nlink > 2 else { return true }
            // One link for each thread, beside the two of every directory.
            if Int(status.st_nlink) - 2 < run.limits.processes { return true }
            poll(nil, 0, 1)
        }
        return false
    }

    private mutating func decideOpen(_ call: escrow_notification, _ arguments: [UInt64]) -> Answer {
        let place = call.number == Self.openat ? 1 : 0
        let path = readPath(of: call.thread, at: arguments[place])
        // Only now: the thread may have ended and its number be another's, whose memory that was.
        guard escrow_notification_is_valid(listener, call.id) else { return .gone }
        let fromDescriptor = place == 1 && Int32(truncatingIfNeeded: arguments[0]) != AT_FDCWD
        switch paths.decide(path, flags: arguments[place + 1], fromDescriptor: fromDescriptor) {
        case .run: return .run
        case .refuse(let error): return .refuse(error)
        case .violation: return .violation
        }
    }

    private func readPath(of thread: UInt32, at address: UInt64) -> PathPolicy.Path {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: PathPolicy.longest) { buffer in
            guard let start = buffer.baseAddress else { return .unreadable }
            let count = escrow_read_string(thread, address, start, buffer.count)
            switch Int32(truncatingIfNeeded: -count) {
            case EFAULT: return .badAddress
            case ENAMETOOLONG: return .tooLong
            default: break
            }
            guard count >= 0 else { return .unreadable }
            let bytes = UnsafeRawBufferPointer(start: start, count: count)
            return .text(String(decoding: bytes, as: UTF8.self))
        }
    }

    /// The exec of the plugin itself: once, by descriptor, before anything of the plugin has run.
    private func isOwnExec(_ call: escrow_notification) -> Bool {
        mayStart && call.architecture == Self.architecture && call.number == Self.execveat
            && UInt32(truncatingIfNeeded: call.arguments.0) == 3 && call.arguments.4 == 0x1000
    }

    private static let architecture = FilterArchitecture.native.token
    private static let execveat = number("execveat")
    private static let exitGroup = number("exit_group")
    private static let tgkill = number("tgkill")
    private static let clone = number("clone")
    private static let openat = number("openat")
    private static let open = number("open")

    /// A call's number on this machine; one that no call has where there is none.
    private static func number(_ call: String) -> Int32 {
        FilterArchitecture.native.number(of: call) ?? .min
    }

    /// The most address space and memory that the plugin had, in KiB, while one of its threads waits in its last call.
    private func readPeak(_ thread: UInt32) -> (Int?, Int?) {
        var addressSpace: Int64 = 0
        var memory: Int64 = 0
        guard escrow_read_peak(thread, &addressSpace, &memory) else { return (nil, nil) }
        return (Int(addressSpace), Int(memory))
    }
}
