import EscrowDiagnostics
import EscrowFiles
import Synchronization

/// A use of a decision on its way to the disk, on a thread of its own: the run records its intent meanwhile, and waits for both.
final class UseFlush: Sendable {
    private let condition = EscrowFiles.Condition()
    private let outcome = Mutex<Result<Void, Diagnostic>?>(nil)

    /// Takes over the file that the use was written to.
    func begin(_ file: consuming Descriptor) {
        let raw = file.release()
        let body: @Sendable () -> Void = { [self] in
            let file = Descriptor(owning: raw)
            do throws(Diagnostic) {
                try file.synchronize()
                end(.success(()))
            } catch { end(.failure(error)) }
        }
        if !SystemThread.start(name: "use", body) { body() }
    }

    private func end(_ result: Result<Void, Diagnostic>) {
        condition.lock()
        outcome.withLock { $0 = result }
        condition.broadcast()
        condition.unlock()
    }

    /// Waits until it is there.
    func wait() throws(Diagnostic) {
        condition.lock()
        defer { condition.unlock() }
        while true {
            if let result = outcome.withLock({ $0 }) { return try result.get() }
            condition.wait()
        }
    }
}
