import Glibc
import Synchronization

/// A line on a terminal that moves while something computes, and tells how far that says it is. What ends within half a second
/// draws nothing.
///
/// It knows no clock: whoever turns it says how long it was waited for.
public final class SpinningLine: Sendable {
    private struct State {
        var fraction: Double?
        var ticks = 0
        var isOver = false
    }
    private let state = Mutex(State())
    private let descriptor: Int32
    private let isHidden: @Sendable () -> Bool

    /// How long nothing is drawn, and how long each drawing stands, in milliseconds.
    public static let (patience, tick): (Int32, Int32) = (500, 200)

    /// Nil if the descriptor is no terminal: a file or a program gets none. While `isHidden`, something else is drawn there.
    public init?(on descriptor: Int32, isHidden: @escaping @Sendable () -> Bool = { false }) {
        guard isatty(descriptor) == 1 else { return nil }
        self.descriptor = descriptor
        self.isHidden = isHidden
    }

    /// Draws from half a second on. `waits` waits so many milliseconds and says whether it goes on after them.
    public func turn(_ waits: (Int32) -> Bool) {
        var pause = Self.patience
        while waits(pause) {
            draw()
            pause = Self.tick
        }
    }

    /// How far it is, from 0 to 1.
    public func show(_ fraction: Double) { state.withLock { $0.fraction = min(1, max(0, fraction)) } }

    /// Ends the drawing and clears its line.
    public func end() {
        state.withLock { state in
            guard !state.isOver else { return }
            state.isOver = true
            if state.ticks > 0 { put("\r\u{1B}[K") }
        }
    }

    private func draw() {
        state.withLock { state in
            guard !state.isOver, !isHidden() else { return }
            put("\r\u{1B}[K" + Self.line(state.ticks, state.fraction))
            state.ticks += 1
        }
    }

    /// `computing |`, or `computing 40 % |`.
    private static func line(_ ticks: Int, _ fraction: Double?) -> String {
        let sign = ["|", "/", "-", "\\"][ticks % 4]
        return fraction.map { "computing \(Int($0 * 100)) % \(sign)" } ?? "computing \(sign)"
    }

    private func put(_ text: String) {
        let bytes = Array(text.utf8)
        _ = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    }
}
