import EscrowDiagnostics
import EscrowFiles
import EscrowTerminal
import Glibc
import Synchronization

/// What moves on the terminal while a run computes: a line, turned by a thread.
package final class Spinner: Sendable {
    private let line: SpinningLine
    /// Closing it ends the thread.
    private let end = Mutex<Int32?>(nil)

    /// Nil if stderr is no terminal, or one that is heard.
    package init?() {
        guard !TerminalText.isSpoken,
            let line = SpinningLine(on: 2, isHidden: { ProgressBar.isDrawn.load(ordering: .relaxed) })
        else { return nil }
        self.line = line
    }

    /// Draws until it is stopped. Where the system has no pipe or thread left nothing is drawn.
    package func start() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let (waits, other) = (ends[0], ends[1])
        end.withLock { $0 = other }
        let line = line
        let begun = SystemThread.start(name: "escrow-spinner") {
            var waiting = pollfd(fd: waits, events: Int16(POLLIN), revents: 0)
            line.turn { poll(&waiting, 1, $0) == 0 }
            close(waits)
        }
        if !begun {
            close(waits)
            stop()
        }
    }

    /// How far the plugin says it is.
    package func show(_ fraction: Double) { line.show(fraction) }

    /// Ends the drawing and clears its line.
    package func stop() {
        end.withLock { end in
            if let end { close(end) }
            end = nil
        }
        line.end()
    }
}
