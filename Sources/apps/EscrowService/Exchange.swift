import CMicrohttpd
import EscrowAppWire
import Synchronization

/// A request on its way in, and its answer on its way out.
final class Exchange: Sendable {
    let method: String
    let path: String
    let link: Link
    /// By their names in small letters; the first of a name.
    let headers: [String: String]
    private let state: Mutex<State>

    private struct State {
        var body: [UInt8] = []
        var isTooLong = false
        var hasBegun = false
        var reply: Reply?
        var wake: (@Sendable () -> Void)?
    }

    /// What goes back.
    enum Reply: Sendable {
        case answer(Answer)
        /// Events, until the client goes or the last one was sent.
        case events(EventStream)
    }

    init(method: String, path: String, link: Link, headers: [String: String]) {
        self.method = method
        self.path = path
        self.link = link
        self.headers = headers
        state = Mutex(State())
    }

    var body: [UInt8] { state.withLock { $0.body } }
    var isTooLong: Bool { state.withLock { $0.isTooLong } }

    /// Takes a piece of the body; more than a line of the app protocol is dropped.
    func take(_ bytes: UnsafeRawBufferPointer) {
        state.withLock { state in
            guard !state.isTooLong, state.body.count + bytes.count <= AppWire.requestCap else {
                state.isTooLong = true
                state.body = []
                return
            }
            state.body += bytes
        }
    }

    /// True for the first caller: who has it answered.
    func begins() -> Bool {
        state.withLock { state in
            defer { state.hasBegun = true }
            return !state.hasBegun
        }
    }

    var reply: Reply? { state.withLock { $0.reply } }

    /// What is called once, when there is a reply.
    func whenReplied(_ wake: @escaping @Sendable () -> Void) { state.withLock { $0.wake = wake } }

    /// Replies; the first reply counts.
    func reply(_ reply: Reply) {
        let wake = state.withLock { state -> (@Sendable () -> Void)? in
            guard state.reply == nil else { return nil }
            state.reply = reply
            return state.wake.take()
        }
        wake?()
    }
}
