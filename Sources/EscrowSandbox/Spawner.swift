import CEscrowLauncher
import Glibc

/// The one thread that clones. It never ends, since the children's parent-death signal is tied to the thread that
/// made them; and it makes one child at a time, asleep until that one has exec'd.
final class Spawner: Sendable {
    /// A child to make, and the child's ends of its pipes, which the spawner closes once the child has its own.
    struct Job: Sendable {
        let plan: LaunchPlan
        let childEnds: [Int32]
    }

    static let shared = Spawner()

    private struct State {
        var jobs: [Job] = []
        var isRunning = false
    }
    private let state = Monitor(State())

    /// Queues a job; false when the thread cannot be started.
    func submit(_ job: Job) -> Bool {
        state.withLock { state in
            if !state.isRunning {
                guard startThread(name: "escrow-spawner", { [self] in run() }) else { return false }
                state.isRunning = true
            }
            state.jobs.append(job)
            return true
        }
    }

    private func run() -> Never {
        let size = 256 << 10
        let guardSize = 4096
        let stack = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        let usable = stack != MAP_FAILED
        if usable { mprotect(stack, guardSize, PROT_NONE) }
        while true {
            let job = state.wait { $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }
            guard let job else { continue }
            let error = usable ? escrow_launch(job.plan.raw, stack?.advanced(by: size)) : ENOMEM
            if error != 0 {
                var message = escrow_message(
                    kind: Int32(ESCROW_MESSAGE_FAILED.rawValue), step: Int32(ESCROW_STEP_CLONE.rawValue),
                    error: error, value: 0)
                _ = write(job.plan.raw.pointee.status, &message, MemoryLayout<escrow_message>.size)
            }
            for end in job.childEnds { close(end) }
        }
    }
}
