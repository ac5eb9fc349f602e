public import NIOCore
public import NIOPosix

/// Runs tasks on the threads that read and write the network, so that a message wakes no other thread on its way.
///
/// A task goes on on the loop that woke it: for a call that is its connection's. So nothing that waits may be called in such a task;
/// what waits has a thread of its own.
public final class LoopExecutor: TaskExecutor {
    private let group: MultiThreadedEventLoopGroup

    /// Over the process's loops; gRPC uses the same ones.
    public init() { group = .singleton }

    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // `any()` is the loop of the calling thread where that is one of the group's.
        group.any().execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    /// The loop of the calling thread; else one of the group.
    public var loop: any EventLoop { group.any() }

    /// Has the process make one loop alone, before there is any: it serves one connection.
    public static func useOneLoop() { NIOSingletons.groupLoopCountSuggestion = 1 }
}
