import Synchronization

/// What a function gave for the last few different inputs: a host that stays asks for the same again and again.
///
/// Only for functions of their input alone, whose output is no decision.
package final class Recent<Input: Equatable & Sendable, Output: Sendable>: Sendable {
    private let most: Int
    private let kept = Mutex<[(input: Input, output: Output)]>([])

    /// Keeps so many.
    package init(most: Int = 16) { self.most = most }

    /// The output for an input; `make` is called where it is not known.
    package func output(for input: Input, _ make: () -> Output) -> Output {
        // Compared outside the lock: inputs are large.
        let known = kept.withLock { $0 }
        if let found = known.last(where: { $0.input == input }) { return found.output }
        let output = make()
        kept.withLock { kept in
            if kept.count >= most { kept.removeFirst(kept.count - most + 1) }
            kept.append((input, output))
        }
        return output
    }
}
