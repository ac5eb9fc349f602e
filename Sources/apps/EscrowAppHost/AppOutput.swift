import Glibc
import Synchronization

/// The host's way to an app: whole lines, one after the other, and an end to it when the app does not read.
///
/// Without that end an app that stops reading would hold the thread of each of its requests, and all that they hold.
final class AppOutput: Sendable {
    private let descriptor: Int32
    private let stallMilliseconds: Int32
    private let isBroken = Atomic(false)
    private let writing = Mutex(())
    /// Called once, when a line could not be written.
    private let onBreak: @Sendable () -> Void

    /// POSIX lets this many bytes be written to a pipe that polls as writable without waiting. PIPE_BUF
    private static let piece = 4096

    /// `stallSeconds` is how long the app may read nothing while a line waits for it.
    init(descriptor: Int32, stallSeconds: Double, onBreak: @escaping @Sendable () -> Void) {
        self.descriptor = descriptor
        stallMilliseconds = Int32(clamping: Int((stallSeconds * 1_000).rounded(.up)))
        self.onBreak = onBreak
    }

    /// Writes one line, whole; nothing any more after a line that could not be written.
    func write(_ line: [UInt8]) {
        let isNewlyBroken = writing.withLock { _ in
            guard !isBroken.load(ordering: .acquiring), !writeAll(line) else { return false }
            isBroken.store(true, ordering: .releasing)
            return true
        }
        if isNewlyBroken { onBreak() }
    }

    private func writeAll(_ line: [UInt8]) -> Bool {
        line.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                let count = poll(&ready, 1, stallMilliseconds)
                if count < 0, errno == EINTR { continue }
                // POLLERR: the app has closed its end.
                guard count > 0, ready.revents == Int16(POLLOUT) else { return false }
                // The descriptor is somebody else's as well, perhaps, so it stays in its mode: no more is written than
                // can be without waiting. A socket waits at most for the room that it said it had.
                let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(Self.piece))
                let written = Glibc.write(descriptor, piece.baseAddress, piece.count)
                if written < 0, errno == EINTR || errno == EAGAIN { continue }
                guard written > 0 else { return false }
                rest = rest.dropFirst(written)
            }
            return true
        }
    }
}
