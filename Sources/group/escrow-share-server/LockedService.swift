import EscrowShareService
import Glibc
import Synchronization

/// The service, and who may use it: the thread that answers, and the one that sweeps.
final class LockedService: Sendable {
    private let service: Mutex<ShareService>

    init(_ service: sending ShareService) { self.service = Mutex(service) }

    func bodyLimit(_ request: ShareRequest) -> Int {
        (try? service.withLock { try $0.bodyLimit(request) }) ?? 0
    }

    func answer(_ request: ShareRequest) -> ShareAnswer {
        (try? service.withLock { try $0.answer(request, at: Self.now) }) ?? ShareAnswer(status: 500)
    }

    /// Deletes what is due. How often it is called is how late a share may go.
    func sweep() throws { try service.withLock { try $0.sweep(at: Self.now) } }

    static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
