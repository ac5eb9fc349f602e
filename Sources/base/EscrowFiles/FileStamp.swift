import Glibc

/// Which file this is and when it last changed: equal stamps mean, as a rule, that nothing was written in between. Never a
/// proof.
public struct FileStamp: Sendable, Hashable {
    private let device: UInt64
    private let file: UInt64
    /// Its length in bytes.
    public let size: Int64
    /// Whether it is a file, and no folder, device or pipe.
    public let isRegular: Bool
    private let written: [Int]
    private let changed: [Int]

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
        written = [status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
        // The owner may set the time of writing to anything, but not this one.
        changed = [status.st_ctim.tv_sec, status.st_ctim.tv_nsec]
    }
}
