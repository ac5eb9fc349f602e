import Glibc
import Synchronization

/// One connection: who it is, and what is to end when the client goes.
final class Link: Sendable {
    let descriptor: Int32
    let peer: Peer
    /// What it came by; another's once that is closed.
    let door: Int32
    private let state = Mutex(State())

    private struct State {
        var isGone = false
        var isBusy = false
        var isClosing = false
        var onEnd: (@Sendable () -> Void)?
    }

    init(_ descriptor: Int32, _ peer: Peer, door: Int32) {
        self.descriptor = descriptor
        self.peer = peer
        self.door = door
    }

    /// Whether no request of it is being answered, and it may go for another.
    var isIdle: Bool { state.withLock { !$0.isBusy && !$0.isClosing } }
    /// Whether it was ended from this side.
    var isClosing: Bool { state.withLock { $0.isClosing } }

    /// Something is under way for it, and ends with the client.
    func begin(_ onEnd: @escaping @Sendable () -> Void) {
        let isGone = state.withLock { state in
            state.isBusy = true
            state.onEnd = onEnd
            return state.isGone
        }
        if isGone { onEnd() }
    }

    /// It is answered.
    func finish() {
        state.withLock { state in
            state.isBusy = false
            state.onEnd = nil
        }
    }

    /// The client is gone.
    func end() {
        let onEnd = state.withLock { state in
            state.isGone = true
            return state.onEnd.take()
        }
        onEnd?()
    }

    /// Ends it from this side: the server sees an end of file. Only while the descriptor is known to be open.
    func close() {
        state.withLock { $0.isClosing = true }
        shutdown(descriptor, Int32(SHUT_RDWR))
    }
}
