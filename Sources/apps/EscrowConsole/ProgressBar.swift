import EscrowDiagnostics
package import EscrowTableKit
import Glibc
import Synchronization

/// A line on the terminal that tells how far the reading of many files is, drawn over and over. What ends within half a second
/// draws none.
package final class ProgressBar: Sendable {
    /// Whether the line is on the terminal now.
    static let isDrawn = Atomic<Bool>(false)
    private let drawing = Mutex(())

    /// Nil if stderr is no terminal, or one that is heard: a file or a program gets no bar.
    package init?() {
        guard isatty(2) == 1, !TerminalText.isSpoken else { return nil }
    }

    /// Draws a state of the reading.
    package func show(_ progress: ReadingProgress) {
        drawing.withLock { _ in
            if progress.isOver {
                guard Self.isDrawn.exchange(false, ordering: .relaxed) else { return }
                put("\r\u{1B}[K" + progress.summary + "\n")
            } else if progress.seconds >= 0.5, !Pager.isShown {
                Self.isDrawn.store(true, ordering: .relaxed)
                put("\r\u{1B}[K" + progress.line(width: Self.width))
            }
        }
    }

    private static var width: Int {
        var size = winsize()
        guard ioctl(2, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    private func put(_ text: String) {
        let bytes = Array(text.utf8)
        _ = bytes.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
    }
}
