/// The copies of a program that no run has: each was cleaned after the run that had it, and the next takes it. To make a new one
/// costs five times what cleaning does.
final class RunCopies: Sendable {
    private let resting = Monitor<[RunCopy]>([])
    private let mostBytes: Int
    private let cleaning: @Sendable (RunCopy) -> Bool

    /// At most so many bytes of them rest; with 0 each run has a new one. `cleaning` says whether it could; tests show what happens
    /// without.
    init(mostBytes: Int, cleaning: @escaping @Sendable (RunCopy) -> Bool = { $0.clean() }) {
        self.mostBytes = mostBytes
        self.cleaning = cleaning
    }

    func take() -> RunCopy? { resting.withLock { $0.popLast() } }

    /// Takes the copy of a run whose process was reaped. It is let go where it cannot be cleaned, or enough rest.
    func giveBack(_ copy: RunCopy) {
        guard resting.withLock({ hasRoom($0, copy) }), cleaning(copy) else { return }
        resting.withLock { resting in
            if hasRoom(resting, copy) { resting.append(copy) }
        }
    }

    /// All copies of a program are of one size.
    private func hasRoom(_ resting: [RunCopy], _ copy: RunCopy) -> Bool {
        (resting.count + 1) * copy.size <= mostBytes
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
