import EscrowFiles
internal import Glibc

/// The threads that read ahead: a few, made when they are first needed, shared by all accesses of the process, gone when
/// they had nothing to do for a while.
///
/// What is handed to them is only ever an offer: whoever needs a chunk that no thread has begun to read reads it
/// itself. So nobody waits for a thread that is not at work, however few there are, and none can be started that is in
/// the way of another.
final class ReaderThreads: Sendable {
    static let shared = ReaderThreads(most: sysconf(Int32(_SC_NPROCESSORS_ONLN)))

    /// No thread is of use where there is but one processor for all.
    var isUseful: Bool { most > 1 }

    private let most: Int
    private let condition = Condition()
    /// Guarded by the condition's lock.
    nonisolated(unsafe) private var queue: [ReadAhead] = []
    nonisolated(unsafe) private var threads = 0
    nonisolated(unsafe) private var idle = 0

    /// How long a thread waits for something to do before it ends.
    private static let idleSeconds = 5
    /// As much as the host gives a thread that runs by itself.
    private static let stackBytes = 4 << 20

    init(most: Int) { self.most = most }

    /// Offers a scan to read on.
    func offer(_ scan: ReadAhead) {
        condition.lock()
        defer { condition.unlock() }
        queue.append(scan)
        if idle >= queue.count {
            condition.signal()
        } else if threads < most, start() {
            threads += 1
        } else if threads == 0 {
            // Who asked reads by itself.
            queue.removeAll()
        }
    }

    /// Starts a thread; false if the system has none left.
    private func start() -> Bool {
        SystemThread.start(name: "escrow-reader", stackBytes: Self.stackBytes) { [self] in work() }
    }

    private func work() {
        condition.lock()
        defer { condition.unlock() }
        while true {
            while queue.isEmpty {
                idle += 1
                let isWoken = condition.wait(seconds: Self.idleSeconds)
                idle -= 1
                if !isWoken, queue.isEmpty {
                    threads -= 1
                    return
                }
            }
            let scan = queue.removeFirst()
            condition.unlock()
            scan.readOn()
            condition.lock()
        }
    }
}
