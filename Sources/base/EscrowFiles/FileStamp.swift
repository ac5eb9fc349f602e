public import Glibc

/// Which file this is and when it last changed: equal stamps mean, as a rule, that nothing was written in between. Never a
/// proof by itself: see ``hasRested(at:)``.
public struct FileStamp: Sendable, Hashable {
    private let device: UInt64
    private let file: UInt64
    /// Its length in bytes.
    public let size: Int64
    /// Whether it is a file, and no folder, device or pipe.
    public let isRegular: Bool
    private let writtenSeconds: Int
    private let writtenNanoseconds: Int
    private let changedSeconds: Int
    private let changedNanoseconds: Int

    /// The stamp of what is at a path, a link itself and not what it points to; nil where there is nothing. lstat(2)
    public init?(path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// The stamp of an open file. fstat(2)
    public init?(_ descriptor: borrowing Descriptor) {
        var status = stat()
        guard fstat(descriptor.raw, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        device = UInt64(status.st_dev)
        file = UInt64(status.st_ino)
        size = Int64(status.st_size)
        isRegular = status.st_mode & S_IFMT == S_IFREG
        writtenSeconds = status.st_mtim.tv_sec
        writtenNanoseconds = status.st_mtim.tv_nsec
        // The owner may set the time of writing to anything, but not this one.
        changedSeconds = status.st_ctim.tv_sec
        changedNanoseconds = status.st_ctim.tv_nsec
    }

    /// Whether the file had not changed for a while at `now`, so that a change from then on has another stamp: the kernel's clock
    /// for files moves in steps of up to 10 ms. `now` is a ``tick()`` from before the stamp was taken.
    public func hasRested(at now: timespec) -> Bool {
        let age = (now.tv_sec - changedSeconds) * 1_000_000_000 + now.tv_nsec - changedNanoseconds
        return age > 100_000_000
    }

    /// The clock that files are stamped by.
    public static func tick() -> timespec {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME_COARSE, &time)
        return time
    }
}
