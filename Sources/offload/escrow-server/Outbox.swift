import Dispatch
import NIOCore
import Synchronization

/// What a run's thread has for the device, on its way to the loop that writes it. The thread waits while several messages wait.
final class Outbox: Sendable {
    /// A message has a quarter of a mebibyte at most.
    private static let mostWaiting = 4

    private struct State {
        var messages: [[UInt8]] = []
        var isOver = false
        var taker: CheckedContinuation<[[UInt8]]?, Never>?
    }

    private let state = Mutex(State())
    private let room = DispatchSemaphore(value: 0)
    private let loop: any EventLoop

    init(on loop: any EventLoop) {
        self.loop = loop
        // A semaphore must not end below the value that it was made with.
        for _ in 0..<Self.mostWaiting { room.signal() }
    }

    /// Hands a message on; false where nobody takes any more.
    func put(_ message: [UInt8]) -> Bool {
        room.wait()
        let (isTaken, taker) = state.withLock { state in
            guard !state.isOver else { return (false, nil as CheckedContinuation<[[UInt8]]?, Never>?) }
            defer { state.taker = nil }
            if state.taker == nil { state.messages.append(message) }
            return (true, state.taker)
        }
        // On the loop, so that the task goes on there and wakes nobody else.
        if let taker { loop.execute { taker.resume(returning: [message]) } }
        // The next one to put finds the same.
        if !isTaken { room.signal() }
        return isTaken
    }

    /// No message comes any more, or none is taken any more: what waits is then still given out, and a waiting thread goes on.
    func close() {
        let taker = state.withLock { state in
            state.isOver = true
            defer { state.taker = nil }
            return state.taker
        }
        room.signal()
        if let taker { loop.execute { taker.resume(returning: nil) } }
    }

    /// All that waits, in order; nil once nothing comes. The room is given back when it was written.
    func next() async -> [[UInt8]]? {
        await withCheckedContinuation { continuation in
            let (isReady, messages) = state.withLock { state -> (Bool, [[UInt8]]?) in
                guard state.messages.isEmpty else {
                    defer { state.messages = [] }
                    return (true, state.messages)
                }
                if !state.isOver { state.taker = continuation }
                return (state.isOver, nil)
            }
            if isReady { continuation.resume(returning: messages) }
        }
    }

    /// So many messages were written.
    func wrote(_ count: Int) { for _ in 0..<count { room.signal() } }
}
