import EscrowHost
import Synchronization

/// The streams of statuses and of live location that are open: each has a thread.
final class Watchers: Sendable {
    private let seats = Mutex<[Seat]>([])
    static let allowance = Allowance(ofShare: 8, inAll: 64)

    /// A seat for one more; nil where there are too many.
    func begin(_ payer: Payer) -> Seat? {
        if let seat = take(payer) { return seat }
        // A stream goes with its connection, which another process may hold for one that ended. Each is looked for outside the lock.
        let seats = seats.withLock { $0 }
        return Self.allowance.makeRoom(for: payer, among: seats, of: seats) ? take(payer) : nil
    }

    private func take(_ payer: Payer) -> Seat? {
        seats.withLock { seats in
            guard Self.allowance.hasRoom(for: payer, beside: seats) else { return nil }
            let seat = Seat(payer)
            seats.append(seat)
            return seat
        }
    }

    func end(_ seat: Seat) { seats.withLock { $0.removeAll { $0 === seat } } }
}
