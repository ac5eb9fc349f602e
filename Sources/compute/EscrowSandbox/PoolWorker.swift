import EscrowFiles
import Glibc

/// The parked processes of a pool, and the thread that starts them.
final class PoolWorker: Sendable {
    private struct Slot {
        let key: WarmKey
        let program: PreparedProgram
        var parked: [SandboxedProcess] = []
        var depth: Int
        var lastUse: UInt64
        /// Parked processes that were handed out, and those that had ended before.
        var lives = 0
        var deaths = 0
        /// The system refused a process; the next launch of the program tries again.
        var isResting = false

        /// After so many dead ones, and one more for each hundred that lived, the program is not parked any more: what it does
        /// at its start then ends a run, and is reported.
        static let mostDeaths = 3
        /// What one process may take, in MiB: its limit, and its own copies of its files.
        var weight: Int { key.limits.memoryMiB + Int(program.copied >> 20) }
        var diesTooOften: Bool { deaths >= Self.mostDeaths + lives / 100 }
    }

    private struct State {
        /// The program used last is last.
        var slots: [Slot] = []
        var counts = WarmPool.Counts()
        var isRunning = false
        var isClosed = false
        var running = 0
        /// When the last run ended.
        var lastEnd: UInt64 = 0
    }

    private enum Work {
        case park(PreparedProgram)
        case drop([SandboxedProcess])
        /// Lets go the copies that no run waits for.
        case tidy([RunCopies])
        /// Nothing is urgent until then.
        case rest(until: UInt64)
        case stop
    }

    private let sandbox: Sandbox
    private let settings: WarmPool.Settings
    private let state = Monitor(State())

    init(sandbox: Sandbox, settings: WarmPool.Settings) {
        self.sandbox = sandbox
        self.settings = settings
    }

    /// How many bytes of a program's copies wait for the next run, at most: none where the machine leaves traces in them.
    var mostCopied: Int { MachineMemory.keepsTraces == nil ? settings.copiesMiB << 20 : 0 }

    var counts: WarmPool.Counts {
        state.withLock { state in
            var counts = state.counts
            counts.parked = state.slots.reduce(0) { $0 + $1.parked.count }
            return counts
        }
    }

    var parked: [SandboxedProcess] { state.withLock { $0.slots.flatMap(\.parked) } }
    var copies: Int { state.withLock { $0.slots.reduce(0) { $0 + $1.program.copies.count } } }
    var depths: [Int] { state.withLock { $0.slots.map(\.depth) } }
    var names: [String] { state.withLock { $0.slots.map(\.key.name) } }

    // MARK: for a run

    /// The oldest parked process that is alive, whose run begins now; or the program, where it is known.
    func take(_ key: WarmKey) -> (process: SandboxedProcess?, program: PreparedProgram?) {
        let now = monotonicNanoseconds()
        var dropped: [SandboxedProcess] = []
        defer { end(dropped) }
        let found: (process: SandboxedProcess?, program: PreparedProgram?) = state.withLock { state in
            for slot in state.slots where slot.key.name == key.name && slot.key != key {
                dropped += slot.parked
            }
            state.slots.removeAll { $0.key.name == key.name && $0.key != key }
            guard let index = state.slots.firstIndex(where: { $0.key == key }) else {
                state.counts.cold += 1
                return (nil, nil)
            }
            var slot = state.slots.remove(at: index)
            slot.lastUse = now
            slot.isResting = false
            var taken: SandboxedProcess?
            while taken == nil, !slot.parked.isEmpty {
                let process = slot.parked.removeFirst()
                if process.take() {
                    taken = process
                    state.running += 1
                    slot.lives += 1
                } else {
                    dropped.append(process)
                    slot.deaths += 1
                    state.counts.dead += 1
                }
            }
            if taken == nil {
                state.counts.cold += 1
                slot.depth = min(slot.depth + 1, settings.most)
            } else {
                state.counts.warm += 1
            }
            state.slots.append(slot)
            return (taken, slot.program)
        }
        if let process = found.process { watch(process) }
        return found
    }

    private func watch(_ process: SandboxedProcess) {
        process.run.afterwards { [state] in
            state.withLock { state in
                state.running -= 1
                state.lastEnd = monotonicNanoseconds()
            }
        }
    }

    /// Parks processes of this program from now on. A run has begun with `process`.
    func remember(_ key: WarmKey, _ program: PreparedProgram, _ process: SandboxedProcess) {
        state.withLock { $0.running += 1 }
        watch(process)
        let now = monotonicNanoseconds()
        var dropped: [SandboxedProcess] = []
        defer { end(dropped) }
        state.withLock { state in
            guard !state.isClosed else { return }
            if !state.slots.contains(where: { $0.key == key }) {
                state.slots.append(
                    Slot(key: key, program: program, depth: settings.least, lastUse: now))
                while state.slots.count > settings.programs {
                    dropped += state.slots.removeFirst().parked
                }
            }
            if !state.isRunning {
                state.isRunning = SystemThread.start(name: "escrow-pool") { [self] in keep() }
            }
        }
    }

    // MARK: ending

    /// Drops programs and ends their parked processes.
    func discard(_ isStale: (WarmKey) -> Bool) {
        var dropped: [SandboxedProcess] = []
        defer { end(dropped) }
        state.withLock { state in
            for slot in state.slots where isStale(slot.key) { dropped += slot.parked }
            state.slots.removeAll { isStale($0.key) }
        }
    }

    func close() {
        var dropped: [SandboxedProcess] = []
        state.withLock { state in
            state.isClosed = true
            dropped = state.slots.flatMap(\.parked)
            state.slots = []
        }
        end(dropped)
        for process in dropped { _ = process.finish() }
        // The thread may have been parking one more.
        state.wait { $0.isRunning ? nil : () }
    }

    /// Kills outside the lock; the supervisor of each reaps it.
    private func end(_ processes: [SandboxedProcess]) {
        for process in processes { process.kill(reason: .cancelled) }
    }

    // MARK: the thread

    private func keep() {
        while true {
            // The pool sleeps until a launch, or until the first program has been idle for long.
            let deadline = state.withLock { state in state.slots.map { expiry($0) }.min() }
            switch state.wait(until: deadline, for: { nextWork(&$0) }) {
            case .stop:
                state.withLock { $0.isRunning = false }
                return
            case .park(let program): park(program)
            case .drop(let processes): end(processes)
            case .tidy(let copies): for copies in copies { copies.empty() }
            case .rest(let end): state.wait(until: end) { $0.isClosed || isBare($0) ? () : nil }
            case nil: continue
            }
        }
    }

    private func expiry(_ slot: Slot) -> UInt64 {
        slot.lastUse + UInt64(max(0, min(settings.idleSeconds, 86_400)) * 1e9)
    }

    private func nextWork(_ state: inout State) -> Work? {
        if state.isClosed { return .stop }
        let now = monotonicNanoseconds()
        if let index = state.slots.firstIndex(where: { expiry($0) <= now }) {
            return .drop(state.slots.remove(at: index).parked)
        }
        for slot in state.slots.reversed() {
            let wanted = WarmPool.wanted(depth: slot.depth, running: state.running)
            guard !slot.diesTooOften, !slot.isResting, slot.parked.count < wanted else { continue }
            let restEnd = state.lastEnd + UInt64(max(0, min(settings.restSeconds, 60)) * 1e9)
            if now < restEnd, !isBare(state) { return .rest(until: restEnd) }
            let reserved = state.slots.reduce(0) { $0 + $1.parked.count * $1.weight }
            if reserved + slot.weight <= settings.memoryMiB { return .park(slot.program) }
            // The program used last goes before those used before it, if it has none parked yet.
            if slot.parked.isEmpty, slot.key == state.slots.last?.key, reserved > 0 {
                return .drop(state.slots.removeFirst().parked)
            }
        }
        guard state.running == 0 else { return nil }
        let copies = state.slots.map(\.program.copies).filter { $0.count > 0 }
        return copies.isEmpty ? nil : .tidy(copies)
    }

    /// Whether a program in use has no process parked.
    private func isBare(_ state: State) -> Bool {
        state.slots.contains { $0.parked.isEmpty && !$0.diesTooOften && !$0.isResting }
    }

    private func park(_ program: PreparedProgram) {
        let process = try? sandbox.start(program, isParked: true)
        let isKept = state.withLock { state in
            guard let index = state.slots.firstIndex(where: { $0.program === program }) else { return false }
            if let process {
                state.slots[index].parked.append(process)
            } else {
                state.slots[index].isResting = true
            }
            return true
        }
        // Its program was discarded meanwhile.
        if !isKept, let process {
            end([process])
            _ = process.finish()
        }
    }
}
