import CEscrowLauncher
import EscrowFiles
import Glibc

/// The one thread that clones. It never ends, as the children's parent-death signal is tied to the thread that made them. It
/// makes one child at a time and sleeps until that one has exec'd.
final class Spawner: Sendable {
    /// A child to make, and the child's ends of its pipes, which the spawner closes once the child has its own.
    struct Job: Sendable {
        let plan: LaunchPlan
        let childEnds: [Int32]
    }

    static let shared = Spawner()
    /// Tells a host from other programs.
    static let threadName = "escrow-spawner"

    private struct State {
        var jobs: [Job] = []
        var isRunning = false
    }
    private let state = Monitor(State())

    func submit(_ job: Job) -> Bool {
        state.withLock { state in
            if !state.isRunning {
                guard SystemThread.start(name: Self.threadName, { [self] in run() }) else { return false }
                state.isRunning = true
            }
            state.jobs.append(job)
            return true
        }
    }

    /// Moves this thread into an empty network namespace once, in which its children are born: making one for each is half the
    /// cost of a launch.
    ///
    /// The wall is as firm: the namespace belongs to the host's user namespace, so a child never has a right over it, and the
    /// plugins share only a loopback interface that is down. Only a root host may do this; another makes one for each child.
    private static func leaveNetworks() -> Bool {
        geteuid() == 0 && escrow_enter_empty_network() == 0
    }

    private func run() -> Never {
        let size = 256 << 10
        let guardSize = 4096
        let stack = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        let usable = stack != MAP_FAILED
        if usable { mprotect(stack, guardSize, PROT_NONE) }
        let isApart = Self.leaveNetworks()
        // It belongs to the memory that child and host share until exec. The host's holds the person's data as well.
        let memoryError = escrow_set_memory()
        while true {
            let job = state.wait { $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }
            guard let job else { continue }
            if isApart { job.plan.raw.pointee.namespaces &= ~(Wall.networkNamespace.cloneFlag ?? 0) }
            var step = ESCROW_STEP_BEGINNING
            var error = memoryError != 0 ? memoryError : escrow_begin_alike()
            if error == 0 {
                step = ESCROW_STEP_CLONE
                error = usable ? escrow_launch(job.plan.raw, stack?.advanced(by: size)) : ENOMEM
            }
            if error != 0 {
                var message = escrow_message(
                    kind: Int32(ESCROW_MESSAGE_FAILED.rawValue), step: Int32(step.rawValue), error: error,
                    value: 0)
                _ = write(job.plan.raw.pointee.status, &message, MemoryLayout<escrow_message>.size)
            }
            for end in job.childEnds { close(end) }
        }
    }
}
