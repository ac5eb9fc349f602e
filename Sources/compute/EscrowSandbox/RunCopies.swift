/// The copies of a program that no run has: each was cleaned after the run that had it, and the next takes it. To make a new one
/// costs twenty times what cleaning does.
final class RunCopies: Sendable {
    private let resting = Monitor<[RunCopy]>([])
    private let most: Int
    private let cleaning: @Sendable (RunCopy) -> Bool

    /// At most so many rest; with 0 each run has a new one. `cleaning` says whether it could; tests show what happens without.
    init(most: Int, cleaning: @escaping @Sendable (RunCopy) -> Bool = { $0.clean() }) {
        self.most = most
        self.cleaning = cleaning
    }

    func take() -> RunCopy? { resting.withLock { $0.popLast() } }

    /// Takes the copy of a run whose process was reaped. It is let go where it cannot be cleaned, or enough rest.
    func giveBack(_ copy: RunCopy) {
        guard resting.withLock({ $0.count < most }), cleaning(copy) else { return }
        resting.withLock { resting in
            if resting.count < most { resting.append(copy) }
        }
    }

    /// Lets those go that rest, outside the lock.
    func empty() {
        _ = resting.withLock { resting in
            defer { resting = [] }
            return resting
        }
    }

    var count: Int { resting.withLock { $0.count } }
}
