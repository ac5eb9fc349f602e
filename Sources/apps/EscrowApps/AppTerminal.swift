import EscrowDiagnostics
import EscrowFiles
import Glibc

/// A terminal of its own for a confined program, in place of the person's.
///
/// The program has a session of its own, so the kernel would not hold it back from reading the person's terminal when they are
/// back at their shell, after Ctrl-Z or `&`: it would read what they type there. What is typed is handed to it only while the
/// command stands in the foreground.
final class AppTerminal {
    /// Which of the first three descriptors are the person's terminal, and are replaced.
    private let replaced: [Int32]
    private let main: Descriptor
    /// Kept open until the program has it: without anybody on that side the other one ends.
    private var side: Descriptor?
    private let sideNumber: Int32

    /// Keys go to the program only where it shows what it does on the same terminal: in a pipeline another may ask for a passphrase.
    private var typed: Bool { replaced.starts(with: [0, 1]) }
    /// What was typed and the program has not taken yet.
    private var keys: ArraySlice<UInt8> = []
    /// What the person's terminal was like before.
    private var before: termios

    /// One for a program that is about to be started; nil where none of its descriptors is a terminal. E1258.
    static func instead(of given: [Int32]) throws(Diagnostic) -> AppTerminal? {
        let replaced = given.filter { isatty($0) == 1 }
        guard let first = replaced.first else { return nil }
        var size = winsize()
        _ = ioctl(first, UInt(TIOCGWINSZ), &size)
        var before = termios()
        var main: Int32 = -1
        var side: Int32 = -1
        guard tcgetattr(first, &before) == 0, openpty(&main, &side, nil, nil, &size) == 0 else {
            throw Diagnostic(
                .confinementMissing,
                "no terminal can be made for the program: \(String(cString: strerror(errno)))",
                help: "run it without one: escrow app run ID -- PROGRAM </dev/null 2>&1 | cat")
        }
        for raw in [main, side] { _ = fcntl(raw, F_SETFD, FD_CLOEXEC) }
        // In the background the person's is as their shell has it while it reads a line: the program's is then as terminals begin.
        if tcgetpgrp(first) == getpgrp() { tcsetattr(side, TCSANOW, &before) }
        return AppTerminal(replaced, before, Descriptor(owning: main), Descriptor(owning: side))
    }

    private init(
        _ replaced: [Int32], _ before: termios, _ main: consuming Descriptor, _ side: consuming Descriptor
    ) {
        self.replaced = replaced
        self.before = before
        self.main = main
        sideNumber = side.raw
        self.side = consume side
    }

    /// What the program has as a descriptor, while it is started; nil where that one is not replaced.
    func side(for number: Int32) -> Int32? { replaced.contains(number) ? sideNumber : nil }

    /// Carries what is typed and what is shown, until the program is gone: then the descriptor can be read.
    func relay(until end: Int32) {
        side = nil
        // A program that does not read must not hold up what it shows, or this command's end.
        _ = fcntl(main.raw, F_SETFL, O_NONBLOCK)
        // Both end a wait, and nothing else: the size changed, or the command is in the foreground again.
        for number in [SIGWINCH, SIGCONT] { signal(number) { _ in } }
        var reads = typed
        while true {
            let isInFront = typed && tcgetpgrp(0) == getpgrp()
            if isInFront { passKeys() }
            passSize()
            let events = POLLIN | (keys.isEmpty ? 0 : POLLOUT)
            var waits = [
                pollfd(fd: main.raw, events: Int16(events), revents: 0),
                pollfd(fd: end, events: Int16(POLLIN), revents: 0),
            ]
            if reads, isInFront, keys.isEmpty {
                waits.append(pollfd(fd: 0, events: Int16(POLLIN), revents: 0))
            }
            // A shell that takes a running command to the foreground tells it nothing.
            let ready = poll(&waits, nfds_t(waits.count), reads && !isInFront ? 250 : -1)
            guard ready >= 0 || errno == EINTR else { break }
            guard ready > 0 else { continue }
            if waits[0].revents & Int16(POLLOUT) != 0, !handOn() { break }
            if waits[0].revents & ~Int16(POLLOUT) != 0, !show() { break }
            if waits[1].revents != 0 {
                showTheRest()
                break
            }
            if waits.count > 2, waits[2].revents != 0 { reads = type() }
        }
        if typed, tcgetpgrp(0) == getpgrp() { tcsetattr(0, TCSANOW, &before) }
    }

    /// Has each key come as it is: the program's terminal makes of it what the person's would, and of what is shown. Where a part of
    /// that goes elsewhere, the person's terminal may have other writers, whose lines are to end as they did.
    private func passKeys() {
        var now = termios()
        guard tcgetattr(0, &now) == 0, now.c_lflag & tcflag_t(ICANON) != 0 else { return }
        before = now
        cfmakeraw(&now)
        if replaced.count < 3 { now.c_oflag |= tcflag_t(OPOST) }
        tcsetattr(0, TCSANOW, &now)
    }

    private func passSize() {
        var outer = winsize()
        var inner = winsize()
        guard let first = replaced.first, ioctl(first, UInt(TIOCGWINSZ), &outer) == 0,
            ioctl(main.raw, UInt(TIOCGWINSZ), &inner) == 0,
            outer.ws_row != inner.ws_row || outer.ws_col != inner.ws_col
        else { return }
        _ = ioctl(main.raw, UInt(TIOCSWINSZ), &outer)
    }

    /// Shows what the program wrote; false where nobody is left to write.
    private func show() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        let count = read(main.raw, &buffer, buffer.count)
        guard count > 0 else { return count < 0 && (errno == EINTR || errno == EAGAIN) }
        let shown = replaced.contains(1) ? 1 : replaced.contains(2) ? 2 : Int32(0)
        return Self.write(buffer.prefix(count), to: shown)
    }

    /// Shows what the program wrote last, once it ended. The terminal tells its end, unless the program handed it to somebody else.
    private func showTheRest() {
        for _ in 0..<64 {
            var wait = pollfd(fd: main.raw, events: Int16(POLLIN), revents: 0)
            guard retrying({ poll(&wait, 1, 200) }) > 0, show() else { return }
        }
    }

    /// Hands on what was typed; false where nothing more will be.
    private func type() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let count = read(0, &buffer, buffer.count)
        guard count > 0 else { return count < 0 && errno == EINTR }
        keys = buffer.prefix(count)
        var inner = termios()
        guard tcgetattr(main.raw, &inner) == 0 else { return false }
        // Ctrl-Z stops this command and the shell goes on; the program's own terminal would stop the program, and nobody could
        // continue it.
        if inner.c_lflag & tcflag_t(ISIG) != 0, let stop = keys.firstIndex(of: Self.suspendKey(inner)) {
            // What was typed behind it is dropped, as the kernel does.
            keys = keys[..<stop]
            tcsetattr(0, TCSANOW, &before)
            kill(0, SIGTSTP)
        }
        return handOn()
    }

    /// Hands on as many keys as the program takes at once; false where it is gone.
    private func handOn() -> Bool {
        guard !keys.isEmpty else { return true }
        let count = keys.withUnsafeBytes { Glibc.write(main.raw, $0.baseAddress, $0.count) }
        guard count >= 0 else { return errno == EINTR || errno == EAGAIN }
        keys = keys.dropFirst(count)
        return true
    }

    private static func suspendKey(_ terminal: termios) -> UInt8 {
        withUnsafeBytes(of: terminal.c_cc) { $0[Int(VSUSP)] }
    }

    private static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count >= 0 || errno == EINTR else { return false }
            rest = rest.dropFirst(max(0, count))
        }
        return true
    }
}
