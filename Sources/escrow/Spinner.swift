import EscrowFiles
import Glibc
import Synchronization

/// What moves on the terminal while a run computes, and how far the plugin says it is. What ends within half a second draws
/// nothing.
final class Spinner: Sendable {
    private struct State {
        var fraction: Double?
        var ticks = 0
        /// Closing it ends the thread that draws.
        var end: Int32?
    }
    private let state = Mutex(State())

    /// Nil if stderr is no terminal: a file or a program gets none.
    init?() {
        guard isatty(2) == 1 else { return nil }
    }

    /// Draws from half a second on, until it is stopped. Where the system has no pipe or thread left nothing is drawn.
    func start() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let (waits, end) = (ends[0], ends[1])
        state.withLock { $0.end = end }
        let begun = SystemThread.start(name: "escrow-spinner") {
            var waiting = pollfd(fd: waits, events: Int16(POLLIN), revents: 0)
            var pause: Int32 = 500
            while poll(&waiting, 1, pause) == 0 {
                self.draw()
                pause = 200
            }
            close(waits)
        }
        if !begun {
            close(waits)
            stop()
        }
    }

    /// How far the plugin says it is.
    func show(_ fraction: Double) { state.withLock { $0.fraction = min(1, max(0, fraction)) } }

    /// Ends the drawing and clears its line.
    func stop() {
        state.withLock { state in
            guard let end = state.end else { return }
            state.end = nil
            close(end)
            if state.ticks > 0 { Self.put("\r\u{1B}[K") }
            state.ticks = 0
        }
    }

    private func draw() {
        state.withLock { state in
            guard state.end != nil, !ProgressBar.isDrawn.load(ordering: .relaxed) else { return }
            Self.put("\r\u{1B}[K" + Self.line(state.ticks, state.fraction))
            state.ticks += 1
        }
    }

    /// `computing |`, or `computing 40 % |`.
    private static func line(_ ticks: Int, _ fraction: Double?) -> String {
        let sign = ["|", "/", "-", "\\"][ticks % 4]
        return fraction.map { "computing \(Int($0 * 100)) % \(sign)" } ?? "computing \(sign)"
    }

    private static func put(_ text: String) {
        let bytes = Array(text.utf8)
        _ = bytes.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
    }
}
