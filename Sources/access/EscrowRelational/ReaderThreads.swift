import EscrowFiles
internal import Glibc

/// The threads that read ahead: a pool for the whole process, whose threads start when needed and end when idle.
///
/// A scan is only offered to them: who needs a chunk that no thread has begun to read reads it itself. So nobody waits for a
/// thread that is not at work, however few there are.
final class ReaderThreads: Sendable {
    static let shared = ReaderThreads(most: sysconf(Int32(_SC_NPROCESSORS_ONLN)))

    /// Whether there is a second processor to read on.
    var isUseful: Bool { most > 1 }

    private let most: Int
    private let condition = Condition()
    /// Guarded by the condition's lock.
    nonisolated(unsafe) private var queue: [ReadAhead] = []
    nonisolated(unsafe) private var threads = 0
    nonisolated(unsafe) private var idle = 0

    /// How long a thread waits for something to do before it ends.
    private static let idleNanoseconds: UInt64 = 5_000_000_000
    private static let stackBytes = 4 << 20

    init(most: Int) { self.most = most }

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

    private func start() -> Bool {
        SystemThread.start(name: "escrow-reader", stackBytes: Self.stackBytes) { [self] in work() }
    }

    private func work() {
        condition.lock()
        defer { condition.unlock() }
        while true {
            while queue.isEmpty {
                idle += 1
                let isWoken = condition.wait(until: monotonicNanoseconds() + Self.idleNanoseconds)
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
