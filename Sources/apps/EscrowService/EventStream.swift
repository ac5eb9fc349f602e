import EscrowJSON
import Synchronization

/// Server-sent events on their way to one client. WHATWG HTML, section 9.2
final class EventStream: Sendable {
    private let state = Mutex(State())
    /// The most bytes that wait for a client that does not read: then it is cut off.
    private let most: Int

    init(most: Int = 64 << 10) { self.most = most }

    private struct State {
        var bytes: [UInt8] = []
        var isOver = false
        /// Called once, when there is something to read again.
        var wake: (@Sendable () -> Void)?
        var onEnd: (@Sendable () -> Void)?
    }

    /// The outcome of one read.
    enum Piece {
        case bytes([UInt8])
        case later
        case end
    }

    /// What is called when nobody reads any more.
    func whenEnded(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.onEnd = body } }

    /// Sends one event.
    func send(_ name: String, _ data: JSONValue) {
        let text = "event: \(name)\ndata: \(String(decoding: JSONWriter.line(data), as: UTF8.self))\n\n"
        let wake = state.withLock { state in
            guard !state.isOver else { return state.wake.take() }
            state.bytes += Array(text.utf8)
            if state.bytes.count > most { (state.bytes, state.isOver) = ([], true) }
            return state.wake.take()
        }
        wake?()
    }

    /// No event follows.
    func finish() {
        let wake = state.withLock { state in
            state.isOver = true
            return state.wake.take()
        }
        wake?()
    }

    /// At most so many bytes. Where there are none `wait` is called, under the lock, and is given what wakes the reader.
    func next(_ most: Int, wake: @escaping @Sendable () -> Void, wait: () -> Void) -> Piece {
        state.withLock { state in
            if !state.bytes.isEmpty {
                let piece = Array(state.bytes.prefix(most))
                state.bytes.removeFirst(piece.count)
                return .bytes(piece)
            }
            if state.isOver { return .end }
            wait()
            state.wake = wake
            return .later
        }
    }

    /// The client is gone.
    func abandon() {
        let onEnd = state.withLock { state in
            state.isOver = true
            state.wake = nil
            return state.onEnd.take()
        }
        onEnd?()
    }
}
