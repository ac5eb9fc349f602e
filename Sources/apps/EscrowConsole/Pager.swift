package import ArgumentParser
import Glibc
import Synchronization

/// A command whose output is long at times.
package protocol Paged: ParsableCommand {
    var paging: PagingOptions { get }
}

/// Whether long output is shown a screen at a time.
package struct PagingOptions: ParsableArguments {
    @Flag(
        name: .customLong("no-pager"),
        help: "Print all at once what is longer than the screen, without $PAGER (default: less).")
    package var noPager = false

    package init() {}
}

/// Shows a command's output on a terminal. The output is held until it is longer than the screen; from then on it goes to the
/// program that `PAGER` names. Shorter output is printed without a pager.
package final class Pager: Sendable {
    private enum Mode {
        /// Not longer than the screen so far.
        case holding
        /// The pager reads the other end of the pipe.
        case paging(pipe: Int32, child: pid_t)
        /// The pager has ended: the reader has seen enough.
        case left
        /// The pager could not be started: output goes to the terminal.
        case through
    }

    private struct State {
        var mode = Mode.holding
        var held: [Piece] = []
        var heldBytes = 0
        var lines = 0
        /// What Ctrl-C did before: the reader takes it while it reads.
        var interrupt: __sighandler_t?
    }

    /// Words and data in the order in which they were printed.
    package struct Piece {
        package let descriptor: Int32
        package let bytes: [UInt8]
    }

    private let state = Mutex(State())
    private let command: String
    private let rows: Int
    private let columns: Int

    private static let current = Mutex<Pager?>(nil)
    /// More than a pipe holds: whoever took so much is there.
    private static let most = 1 << 17

    private init(command: String, rows: Int, columns: Int) {
        self.command = command
        self.rows = rows
        self.columns = columns
    }

    /// From now on what is printed is held, if stdout is a terminal and a program is there to show it.
    package static func begin(_ options: PagingOptions = PagingOptions()) {
        var size = winsize()
        guard !options.noPager, let command, isatty(1) == 1, ioctl(1, UInt(TIOCGWINSZ), &size) == 0,
            size.ws_row > 1, size.ws_col > 0
        else { return }
        current.withLock {
            $0 = Pager(command: command, rows: Int(size.ws_row), columns: Int(size.ws_col))
        }
    }

    /// The program, as a shell reads it; nil where the individual wants none.
    private static var command: String? {
        guard let value = getenv("PAGER") else { return "less" }
        let words = String(cString: value)
        return words.allSatisfy(\.isWhitespace) || words == "cat" ? nil : words
    }

    /// Whether the reader has seen enough, so that nothing more need be printed.
    package static var isLeft: Bool {
        current.withLock { $0 }?.state.withLock { if case .left = $0.mode { true } else { false } } ?? false
    }

    /// Whether a program shows what is printed: nothing else draws on the terminal then.
    package static var isShown: Bool {
        current.withLock { $0 }?.state.withLock { if case .paging = $0.mode { true } else { false } } ?? false
    }

    /// Takes what is printed; what it gives back is to be written now. Words go with the data where they would be seen among it.
    package static func take(_ bytes: [UInt8], for descriptor: Int32) -> [Piece] {
        let piece = Piece(descriptor: descriptor, bytes: bytes)
        guard let pager = current.withLock({ $0 }), descriptor == 1 || isatty(descriptor) == 1 else {
            return [piece]
        }
        return pager.take(piece)
    }

    /// Waits until the reader is done, if there is one; gives back what is to be written now.
    package static func end() -> [Piece] {
        let pager = current.withLock { current in
            defer { current = nil }
            return current
        }
        return pager?.state.withLock { state in
            if case .holding = state.mode { return state.held }
            return pager?.finish(&state) ?? []
        } ?? []
    }

    private func take(_ piece: Piece) -> [Piece] {
        state.withLock { state in
            switch state.mode {
            case .left: return []
            case .through: return [piece]
            case .holding:
                state.held.append(piece)
                state.lines += piece.bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
                    .dropLast().reduce(0) { $0 + max(1, ($1.count + columns - 1) / columns) }
                guard state.lines >= rows else { return [] }
                guard start(&state) else {
                    state.mode = .through
                    return state.held
                }
                for piece in state.held {
                    let rest = give(piece, &state)
                    guard rest.isEmpty else { return rest }
                }
                return []
            case .paging:
                if state.heldBytes < Self.most { state.held.append(piece) }
                return give(piece, &state)
            }
        }
    }

    /// Starts the program, with all that is on the terminal but its stdin.
    private func start(_ state: inout State) -> Bool {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return false }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        // One screen is not held back, nothing is cleared, and what is no letter is shown as a code.
        setenv("LESS", "FX", 0)
        var files = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&files)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&files)
            posix_spawnattr_destroy(&attributes)
        }
        posix_spawn_file_actions_adddup2(&files, ends[0], 0)
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGPIPE, SIGINT] { sigaddset(&signals, number) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
        let words = ["/bin/sh", "-c", command]
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        var child = pid_t()
        let isStarted = posix_spawn(&child, "/bin/sh", &files, &attributes, &arguments, environ) == 0
        close(ends[0])
        guard isStarted else {
            close(ends[1])
            return false
        }
        state.mode = .paging(pipe: ends[1], child: child)
        state.interrupt = signal(SIGINT, SIG_IGN)
        return true
    }

    /// Gives it a piece. Where the program was never there, all that was printed so far comes back.
    private func give(_ piece: Piece, _ state: inout State) -> [Piece] {
        guard case .paging(let pipe, _) = state.mode else { return [] }
        state.heldBytes += piece.bytes.count
        if state.heldBytes >= Self.most { state.held = [] }
        var rest = piece.bytes[...]
        while !rest.isEmpty {
            let wrote = rest.withUnsafeBytes { write(pipe, $0.baseAddress, $0.count) }
            if wrote < 0, errno == EINTR { continue }
            guard wrote >= 0 else { return finish(&state) }
            rest = rest.dropFirst(wrote)
        }
        return []
    }

    /// Lets the program come to its end.
    private func finish(_ state: inout State) -> [Piece] {
        guard case .paging(let pipe, let child) = state.mode else { return [] }
        close(pipe)
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        signal(SIGINT, state.interrupt ?? SIG_DFL)
        // A shell says so of a command that it does not find, or may not start.
        let ended = status & 0x7F == 0 ? (status >> 8) & 0xFF : 0
        guard ended == 127 || ended == 126 else {
            state.mode = .left
            return []
        }
        state.mode = .through
        defer { state.held = [] }
        return state.held
    }
}
