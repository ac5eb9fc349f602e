import Dispatch
import EscrowSandbox
import Synchronization

/// What went into a plugin, and the threads for those of a run's calls that wait: none of them may hold a loop up.
final class Meter: Sendable {
    private let inputs = DispatchQueue(label: "run input")
    private let state = Mutex(State())
    private let begun = DispatchSemaphore(value: 0)

    private struct State {
        var written = 0
        var consumed = 0
        var isWriting = false
        var isFirst = true
        var isOutputOver = false
        var hasEnded = false
        var isLeft = false
    }

    /// Whether the device is told, or about to be, how the run ended.
    var hasEnded: Bool { state.withLock { $0.hasEnded } }
    func end() { state.withLock { $0.hasEnded = true } }

    /// Whether the device left before it was told.
    var isLeft: Bool { state.withLock { $0.isLeft } }
    func leave() { state.withLock { $0.isLeft = true } }

    /// How many bytes the device sent to it.
    var taken: Int { state.withLock { $0.written } }

    /// The plugin writes no more: whoever reads it waits for its end.
    func endOutput() { state.withLock { $0.isOutputOver = true } }

    /// Writes to the plugin's stdin: at once what the pipe has room for, and the rest on a thread, while the plugin does not read.
    func write(_ bytes: [UInt8], to process: SandboxedProcess) async {
        state.withLock { $0.isWriting = true }
        // A plugin that is gone says so by its end.
        let count = (try? process.writeAtOnce(bytes)) ?? bytes.count
        if count < bytes.count {
            await withCheckedContinuation { continuation in
                inputs.async {
                    bytes.withUnsafeBytes { all in
                        try? process.write(UnsafeRawBufferPointer(rebasing: all[count...]))
                    }
                    continuation.resume()
                }
            }
        }
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

    /// Ends a plugin that goes on for a second after the device waits for its end: it would hold its place. Whoever has read its output
    /// to the end sees to that already.
    func finish(_ process: SandboxedProcess) {
        guard !state.withLock({ $0.isOutputOver }) else { return }
        DispatchQueue(label: "run end").async { _ = process.finish(graceSeconds: 1) }
    }
}
