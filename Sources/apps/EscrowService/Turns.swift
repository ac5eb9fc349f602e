import EscrowConsent
import Synchronization

/// Whose notification may be shown now: one of each at a time, and not more than one in half a minute.
final class Turns: Sendable {
    /// All who only say which app they are take turns as one: a program can say that it is any number of apps.
    private enum Place: Hashable {
        case claims
        case app(String)

        init(_ asker: Asker) { self = asker.isProved ? .app(asker.app) : .claims }
    }

    private let next = Mutex<[Place: UInt64]>([:])
    static let pause: UInt64 = 30 * 1_000_000_000

    /// Takes the turn, where it is free; it is had until it ends or is given back.
    func take(_ asker: Asker, at now: UInt64) -> Bool {
        next.withLock { next in
            if next.count > 1024 { next = next.filter { $0.value > now } }
            guard next[Place(asker), default: 0] <= now else { return false }
            next[Place(asker)] = .max
            return true
        }
    }

    /// Something was shown until now.
    func end(_ asker: Asker, at now: UInt64) { next.withLock { $0[Place(asker)] = now + Self.pause } }

    /// Nothing was shown.
    func giveBack(_ asker: Asker) { next.withLock { $0[Place(asker)] = nil } }
}
