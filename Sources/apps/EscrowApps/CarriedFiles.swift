import EscrowDiagnostics
import EscrowFiles
import Glibc

/// Pipes for a confined program in place of the files among its first three descriptors, and of pipes that it writes to.
///
/// It could open those anew through `/proc`: read the whole of a log that it is to append to, change what it is to read, or read what
/// others write into the same pipe.
final class CarriedFiles: Sendable {
    private struct Pipe {
        /// The descriptors of this process that it stands for.
        let numbers: [Int32]
        let theirs: Int32
        let ours: Int32
        var isInput: Bool { numbers == [0] }
    }

    private let pipes: [Pipe]
    private let change = Condition()
    /// How many are not carried to their end yet, and the first failure to write; under the lock of `change`.
    private nonisolated(unsafe) var open: Int
    private nonisolated(unsafe) var failure: Int32 = 0

    /// For a program that is about to be started, of these descriptors. E1258 where one is a folder: it leads to the folders around.
    init(of numbers: [Int32]) throws(Diagnostic) {
        var pipes: [Pipe] = []
        for number in numbers {
            var status = stat()
            guard fstat(number, &status) == 0 else { continue }
            guard status.st_mode & S_IFMT != S_IFDIR else {
                throw Diagnostic(
                    .confinementMissing,
                    "descriptor \(number) is a folder, by which the program would leave its walls",
                    help: "run it without: escrow app run ID -- PROGRAM </dev/null")
            }
            let isFile = status.st_mode & S_IFMT == S_IFREG
            guard isFile || (status.st_mode & S_IFMT == S_IFIFO && number != 0),
                !pipes.contains(where: { $0.numbers.contains(number) })
            else { continue }
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0 else { throw .file("a pipe", "cannot be made", errno) }
            for raw in ends { _ = fcntl(raw, F_SETFD, FD_CLOEXEC) }
            // One for `>log 2>&1`, so that lines stay in their order.
            let isBoth = number == 1 && numbers.contains(2) && Self.isSame(1, 2)
            let (theirs, ours) = number == 0 ? (ends[0], ends[1]) : (ends[1], ends[0])
            pipes.append(Pipe(numbers: isBoth ? [1, 2] : [number], theirs: theirs, ours: ours))
        }
        self.pipes = pipes
        open = pipes.count
    }

    private static func isSame(_ one: Int32, _ other: Int32) -> Bool {
        var (first, second) = (stat(), stat())
        return fstat(one, &first) == 0 && fstat(other, &second) == 0
            && first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }

    /// What the program has as a descriptor; nil where it has this process's own.
    func side(for number: Int32) -> Int32? { pipes.first { $0.numbers.contains(number) }?.theirs }

    /// Begins, once the program has its ends; until the descriptor can be read, as it can once the program ended.
    func carry(until end: Int32) {
        for pipe in pipes {
            let carry: @Sendable () -> Void = { [self] in
                ended(pipe.isInput ? Self.give(pipe, until: end) : Self.take(pipe, until: end))
            }
            if !SystemThread.start(name: "carry", carry) { ended(EAGAIN) }
        }
    }

    /// Waits until all is written that the program wrote. Only after it ended. Throws where something could not be written.
    func finish() throws(Diagnostic) {
        change.lock()
        while open > 0 { change.wait() }
        change.unlock()
        guard failure == 0 else {
            throw .file("what the program wrote", "cannot be written where it was sent", failure)
        }
    }

    private func ended(_ failure: Int32) {
        change.lock()
        open -= 1
        if self.failure == 0 { self.failure = failure }
        change.broadcast()
        change.unlock()
    }

    /// Writes out what the program writes. Once it ended, what is there is the last, though another may hold its end of the pipe.
    /// Returns why it could not be written; zero where it was, or where whoever read it went away.
    private static func take(_ pipe: Pipe, until end: Int32) -> Int32 {
        close(pipe.theirs)
        // The program learns that nobody reads it any more.
        defer { close(pipe.ours) }
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        var left = Int32.max
        while left > 0 {
            var waits = [pollfd(fd: pipe.ours, events: Int16(POLLIN), revents: 0), ready(end)]
            guard retrying({ poll(&waits, 2, -1) }) > 0 else { return errno }
            if left == .max, waits[1].revents != 0 { _ = ioctl(pipe.ours, UInt(FIONREAD), &left) }
            guard left > 0, waits[0].revents != 0 else { continue }
            let most = min(buffer.count, Int(left))
            let count = retrying { read(pipe.ours, &buffer, most) }
            guard count > 0 else { return 0 }
            if left < .max { left -= Int32(count) }
            let failure = write(buffer[..<count], to: pipe.numbers[0])
            guard failure == 0 else { return failure == EPIPE ? 0 : failure }
        }
        return 0
    }

    private static func ready(_ descriptor: Int32) -> pollfd {
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    }

    /// Zero, or why not. Little by little: a pipe that nobody reads must not hold up a command that is to end.
    private static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Int32 {
        var rest = bytes
        while !rest.isEmpty {
            var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            guard poll(&wait, 1, 250) > 0 else {
                if Bubblewrap.isToEnd { return 0 }
                continue
            }
            let written = retrying {
                rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, min($0.count, Int(PIPE_BUF))) }
            }
            guard written > 0 || errno == EAGAIN else { return errno }
            rest = rest.dropFirst(max(0, written))
        }
        return 0
    }

    /// Hands the program what it reads. What it has not read when it ended is left for whoever reads the file next, as in
    /// `while read -r line; do escrow app run …; done <lines`.
    private static func give(_ pipe: Pipe, until end: Int32) -> Int32 {
        _ = fcntl(pipe.ours, F_SETFL, O_NONBLOCK)
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        var rest = buffer[..<0]
        var isWhole = false
        while true {
            if rest.isEmpty, !isWhole {
                let count = retrying { read(0, &buffer, buffer.count) }
                isWhole = count <= 0
                rest = buffer[..<max(0, count)]
                if isWhole { close(pipe.ours) }
            }
            var waits = [
                pollfd(fd: isWhole ? -1 : pipe.ours, events: Int16(POLLOUT), revents: 0), ready(end),
            ]
            guard retrying({ poll(&waits, 2, -1) }) > 0, waits[1].revents == 0 else { break }
            let written = rest.withUnsafeBytes { Glibc.write(pipe.ours, $0.baseAddress, $0.count) }
            rest = rest.dropFirst(max(0, written))
        }
        if !isWhole { close(pipe.ours) }
        var unread: Int32 = 0
        _ = ioctl(pipe.theirs, UInt(FIONREAD), &unread)
        lseek(0, -off_t(rest.count + Int(unread)), SEEK_CUR)
        close(pipe.theirs)
        return 0
    }
}
