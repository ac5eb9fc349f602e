internal import CSQLite
internal import Glibc

/// Ends SQLite's work on one row when it takes too long: the pages of a damaged tree may lead round and round.
final class Deadline {
    /// SQLite asks after so many of its steps.
    private static let steps: Int32 = 4_096
    private var end: Int64 = .max
    /// Whether it was the deadline that ended the work.
    private(set) var hasPassed = false

    func watch(_ db: OpaquePointer) {
        sqlite3_progress_handler(
            db, Self.steps,
            { context in
                Unmanaged<Deadline>.fromOpaque(context!).takeUnretainedValue().isOver() ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Begins the work on a row. The clock is looked at only when SQLite has worked for some steps: most rows take fewer.
    func begin() { end = .max }

    private func isOver() -> Bool {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        let milliseconds = Int64(now.tv_sec) * 1_000 + Int64(now.tv_nsec) / 1_000_000
        if end == .max { end = milliseconds + Int64(DatabaseFile.secondsPerRow) * 1_000 }
        if milliseconds > end { hasPassed = true }
        return hasPassed
    }
}
