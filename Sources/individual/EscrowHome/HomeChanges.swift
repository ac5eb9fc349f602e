package import EscrowDiagnostics
import Glibc

/// Waits for a change of the files in a folder: of a home's decisions, rules, trust, or of its open runs.
package final class HomeChanges {
    private let files: Int32
    /// Written to when the wait is over for good.
    private let end: (reading: Int32, writing: Int32)

    /// What is waited for.
    package enum Kind {
        case any
        /// Files that took the place of others: what is written where it lies wakes nobody.
        case replacements
    }

    /// Begins to watch; a cancellation ends every wait. Throws E0001 where the system has no descriptors left.
    package init(
        _ path: String, _ cancellation: any Cancelling, for kind: Kind = .any
    ) throws(Diagnostic) {
        let events = kind == .any ? IN_MOVED_TO | IN_CLOSE_WRITE | IN_DELETE : IN_MOVED_TO
        files = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        var ends: [Int32] = [-1, -1]
        guard files >= 0, pipe(&ends) == 0,
            inotify_add_watch(files, path, UInt32(events)) >= 0
        else {
            let reason = String(cString: strerror(errno))
            for descriptor in [files] + ends where descriptor >= 0 { close(descriptor) }
            throw Diagnostic(.ownFault, "changes of decisions cannot be watched: \(reason)")
        }
        for descriptor in ends { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        end = (ends[0], ends[1])
        // A number of its own, so that a late cancellation never writes to a descriptor of somebody else's.
        let writing = Wake(fcntl(ends[1], F_DUPFD_CLOEXEC, 0))
        cancellation.whenCancelled { writing.wake() }
    }

    deinit { for descriptor in [files, end.reading, end.writing] { close(descriptor) } }

    /// Waits until something changed, the time is over, or the cancellation came. Without a time, for as long as it takes.
    package func wait(seconds: Int32?) {
        var waiting = [files, end.reading].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        _ = poll(&waiting, 2, seconds.map { $0 * 1000 } ?? -1)
        // What happened is looked up in the files themselves: the events are only a sign.
        var buffer = [UInt8](repeating: 0, count: 4096)
        while read(files, &buffer, buffer.count) > 0 {}
    }

    /// The end of a pipe that ends a wait.
    private final class Wake: Sendable {
        private let descriptor: Int32
        init(_ descriptor: Int32) { self.descriptor = descriptor }
        deinit { close(descriptor) }
        func wake() {
            var byte: UInt8 = 1
            _ = write(descriptor, &byte, 1)
        }
    }
}

/// What may be cancelled, by any thread.
public protocol Cancelling: Sendable {
    /// Whether somebody cancelled.
    var isCancelled: Bool { get }
    /// Has something called when that comes, or now where it came.
    func whenCancelled(_ wake: @escaping @Sendable () -> Void)
}
