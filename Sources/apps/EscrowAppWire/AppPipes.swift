package import EscrowDiagnostics
import Glibc
import Synchronization

/// The host's two pipes to an app: what the app sends, and whole lines to it, with an end to both when the app does not read.
///
/// Without that end an app that stops reading would hold the thread of each of its requests, and all that they hold.
package final class AppPipes: Sendable {
    private let input: Int32
    private let output: Int32
    private let stallMilliseconds: Int32
    private let isBroken = Atomic(false)
    private let writing = Mutex(())
    /// A byte stands in it once a line could not be written: whoever waits for the app's next line then wakes up.
    private let broken: (reading: Int32, writing: Int32)

    /// POSIX lets this many bytes be written to a pipe that polls as writable without waiting. PIPE_BUF
    private static let piece = 4096

    /// `stallSeconds` is how long the app may read nothing while a line waits for it. E0001 where the system has no descriptors left.
    package init(input: Int32, output: Int32, stallSeconds: Double = 60) throws(Diagnostic) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw Diagnostic(.ownFault, "no pipe could be made: \(String(cString: strerror(errno)))")
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        broken = (reading: ends[0], writing: ends[1])
        (self.input, self.output) = (input, output)
        stallMilliseconds = Int32(clamping: Int((stallSeconds * 1_000).rounded(.up)))
    }

    deinit {
        close(broken.reading)
        close(broken.writing)
    }

    /// Waits for the app; no bytes at its end. E1029 where it does not read what was written.
    package func read(into chunk: inout [UInt8]) throws(Diagnostic) -> ArraySlice<UInt8> {
        while true {
            var waiting = [input, broken.reading].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            if poll(&waiting, 2, -1) < 0, errno == EINTR { continue }
            if waiting[1].revents != 0 {
                throw Diagnostic(
                    .appDoesNotRead, "the app does not read its answers, so its connection was ended",
                    notes: ["its runs were cancelled; nothing more was handed over"],
                    help: "apps: read what the host writes; docs/spec/app-protocol.md, section 5")
            }
            let count = chunk.withUnsafeMutableBytes { Glibc.read(input, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            return chunk.prefix(max(0, count))
        }
    }

    /// Writes one line, whole; nothing any more after a line that could not be written.
    package func write(_ line: [UInt8]) {
        writing.withLock { _ in
            guard !isBroken.load(ordering: .acquiring), !writeAll(line) else { return }
            isBroken.store(true, ordering: .releasing)
            var byte: UInt8 = 1
            _ = Glibc.write(broken.writing, &byte, 1)
        }
    }

    private func writeAll(_ line: [UInt8]) -> Bool {
        line.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                var ready = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
                let count = poll(&ready, 1, stallMilliseconds)
                if count < 0, errno == EINTR { continue }
                // POLLERR: the app has closed its end.
                guard count > 0, ready.revents == Int16(POLLOUT) else { return false }
                // The descriptor is somebody else's as well, perhaps, so it stays in its mode: no more is written than
                // can be without waiting. A socket waits at most for the room that it said it had.
                let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(Self.piece))
                let written = Glibc.write(output, piece.baseAddress, piece.count)
                if written < 0, errno == EINTR || errno == EAGAIN { continue }
                guard written > 0 else { return false }
                rest = rest.dropFirst(written)
            }
            return true
        }
    }
}
