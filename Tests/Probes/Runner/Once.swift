import Synchronization

/// Something that several threads need and the first of them makes.
final class Once<Value: Sendable>: Sendable {
    private let made = Mutex<Result<Value, ProbeFailure>?>(nil)

    /// What was made; where nothing was, it is made now, and others wait. A failure stays one.
    func get(_ make: () throws(ProbeFailure) -> Value) throws(ProbeFailure) -> Value {
        try made.withLock { (made: inout Result<Value, ProbeFailure>?) throws(ProbeFailure) in
            if let made { return try made.get() }
            let fresh: Result<Value, ProbeFailure>
            do throws(ProbeFailure) { fresh = .success(try make()) } catch { fresh = .failure(error) }
            made = fresh
            return try fresh.get()
        }
    }
}
