import Dispatch
import EscrowSandbox
import Synchronization

/// What a run's three waiting calls need: a thread each, so that none of the runtime's is held up, and a count of what went in.
final class Meter: Sendable {
    let inputs = Waiting("input")
    let outputs = Waiting("output")
    let outcomes = Waiting("outcome")
    private let state = Mutex(State())
    private let begun = DispatchSemaphore(value: 0)

    private struct State {
        var written = 0
        var consumed = 0
        var isWriting = false
        var isFirst = true
        var hasEnded = false
    }

    /// Whether the device is told, or about to be, how the run ended.
    var hasEnded: Bool { state.withLock { $0.hasEnded } }
    func end() { state.withLock { $0.hasEnded = true } }

    /// Writes to the plugin's stdin, waiting while it does not read.
    func write(_ bytes: [UInt8], to process: SandboxedProcess) {
        state.withLock { $0.isWriting = true }
        // A plugin that is gone says so by its end.
        try? process.write(bytes)
        let isFirst = state.withLock { state in
            state.isWriting = false
            state.written += bytes.count
            defer { state.isFirst = false }
            return state.isFirst
        }
        if isFirst { begun.signal() }
    }

    /// How many bytes of its stdin the plugin has read, or fewer: it is not asked while a write waits for it, since both would.
    func consumed(by process: SandboxedProcess) -> Int {
        if state.withLock({ $0.isFirst }) {
            // The greeting fits into the pipe: this is over at once.
            _ = begun.wait(timeout: .now() + .milliseconds(50))
        }
        return state.withLock { state in
            if !state.isWriting { state.consumed = max(state.consumed, state.written - process.unreadInput) }
            return state.consumed
        }
    }

    /// Ends a plugin that goes on for a second after the device waits for its end: it would hold its place.
    func finish(_ process: SandboxedProcess) {
        outcomes.start { _ = process.finish(graceSeconds: 1) }
    }
}

/// Calls that wait, one after the other, on a thread of their own.
final class Waiting: Sendable {
    private let queue: DispatchQueue

    init(_ name: String) { queue = DispatchQueue(label: "run \(name)") }

    func run<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in queue.async { continuation.resume(returning: body()) }
        }
    }

    func start(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }
}
