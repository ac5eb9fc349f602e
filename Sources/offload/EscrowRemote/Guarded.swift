import EscrowFiles

/// A value that threads share and wait for.
///
/// `@unchecked`: the value is touched under the lock alone.
final class Guarded<Value>: @unchecked Sendable {
    private var value: Value
    private let condition = Condition()

    init(_ value: sending Value) { self.value = value }

    func change<Result>(_ body: (inout Value) -> Result) -> Result {
        condition.lock()
        defer {
            condition.broadcast()
            condition.unlock()
        }
        return body(&value)
    }

    /// Waits until the body gives something, at most until a time of the monotonic clock; nil then.
    func wait<Result>(until deadline: UInt64, _ body: (inout Value) -> Result?) -> Result? {
        condition.lock()
        defer { condition.unlock() }
        while true {
            if let result = body(&value) {
                condition.broadcast()
                return result
            }
            if deadline == .max {
                condition.wait()
            } else if !condition.wait(until: deadline) {
                return body(&value)
            }
        }
    }
}
