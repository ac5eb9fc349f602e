import EscrowShareService
import Glibc
import Synchronization

/// The service, and who may use it: the thread that answers, and the one that sweeps.
final class LockedService: Sendable {
    private let service: Mutex<ShareService>
    /// Whether a connection's address tells one client from another.
    let knowsAddresses: Bool

    init(_ service: sending ShareService, knowsAddresses: Bool) {
        self.service = Mutex(service)
        self.knowsAddresses = knowsAddresses
    }

    func arrive(_ request: ShareRequest) -> Arrival {
        let now = Self.now
        return (try? service.withLock { try $0.arrive(request, at: now) })
            ?? Arrival(request, limit: 0, at: now, refusal: 500)
    }

    func take(_ piece: [UInt8], of arrival: inout Arrival) -> Bool {
        service.withLock { $0.take(piece, of: &arrival, at: Self.now) }
    }

    func answer(_ arrival: inout Arrival) -> ShareAnswer {
        (try? service.withLock { try $0.answer(&arrival, at: Self.now) }) ?? ShareAnswer(status: 500)
    }

    func leave(_ arrival: Arrival) { service.withLock { $0.leave(arrival) } }

    /// Deletes what is due. How often it is called is how late a share may go.
    func sweep() throws { try service.withLock { try $0.sweep(at: Self.now) } }

    static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
