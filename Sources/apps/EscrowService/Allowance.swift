import EscrowHost
import Synchronization

/// Who pays for what is open: an app that is proved, or a process that proves nothing.
struct Payer: Sendable {
    /// What shares one allowance.
    let share: String
    let isProved: Bool
    /// Whether the process is gone. An app may have many: of one that is proved nobody asks.
    let hasEnded: @Sendable () -> Bool

    init(share: String, isProved: Bool, hasEnded: @escaping @Sendable () -> Bool = { false }) {
        self.share = share
        self.isProved = isProved
        self.hasEnded = hasEnded
    }
}

/// The seat that one run or stream takes.
final class Seat: Sendable {
    let payer: Payer
    /// Of what sits there.
    let cancellation = Runner.Cancellation()
    private let leaving = Atomic(false)

    init(_ payer: Payer) { self.payer = payer }

    /// Whether it was made to leave: it is about to be free.
    var isLeaving: Bool { leaving.load(ordering: .acquiring) }

    /// Makes it leave where nobody pays for it any more. False where somebody does.
    func leaveIfLost() -> Bool {
        guard !payer.isProved, !isLeaving, payer.hasEnded() else { return false }
        leaving.store(true, ordering: .releasing)
        cancellation.cancel()
        return true
    }
}

/// How much may be open at once.
struct Allowance {
    /// Of one app, or of one process that proves nothing.
    let ofShare: Int
    /// Of all together. Each has a thread.
    let inAll: Int

    /// Of all processes together that prove nothing, since one more costs nothing: the other half is for apps alone.
    var ofUnproved: Int { inAll / 2 }

    /// Whether there is room for one more beside these.
    func hasRoom(for payer: Payer, beside seats: [Seat]) -> Bool {
        let taken = seats.filter { !$0.isLeaving }
        guard taken.count < inAll, taken.count(where: { $0.payer.share == payer.share }) < ofShare else {
            return false
        }
        guard !payer.isProved else { return true }
        let unproved = taken.count { !$0.payer.isProved }
        // Those that leave have their threads for a moment more: who comes faster than they go waits.
        return unproved < ofUnproved && unproved + seats.count - taken.count < inAll
    }

    /// Has those leave that nobody pays for any more, of those that may, where that is room for one more. False where none does.
    func makeRoom(for payer: Payer, among seats: [Seat], of those: [Seat]) -> Bool {
        // Who has all that one may have is not helped by what others leave.
        let isOwn = seats.count { !$0.isLeaving && $0.payer.share == payer.share } >= ofShare
        return !those.filter { (!isOwn || $0.payer.share == payer.share) && $0.leaveIfLost() }.isEmpty
    }
}
