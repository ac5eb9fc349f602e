package import Glibc

/// What stat(2) says of a regular file, as far as it changes with the content.
@usableFromInline package struct FileStatus: Equatable, Sendable {
    package let size: Int64
    /// Time of last change, in microseconds since the epoch. Programs set it as they like.
    package let modified: Int64
    /// When anything of the file changed, its time of change included, in microseconds: no program can set it back.
    package let touched: Int64
    package let inode: UInt64
    /// Whether the file has other names, by which it may change without a sign in this folder.
    let hasOtherNames: Bool

    @usableFromInline package init(size: Int64, modified: Int64, inode: UInt64, touched: Int64? = nil) {
        self.size = size
        self.modified = modified
        self.touched = touched ?? modified
        self.inode = inode
        hasOtherNames = false
    }

    package init(_ status: stat) {
        size = Int64(status.st_size)
        modified = Self.microseconds(status.st_mtim)
        touched = Self.microseconds(status.st_ctim)
        inode = UInt64(status.st_ino)
        hasOtherNames = status.st_nlink > 1
    }

    /// All that changes with the content, as numbers.
    package var words: [UInt64] {
        [UInt64(bitPattern: size), UInt64(bitPattern: modified), UInt64(bitPattern: touched), inode]
    }

    /// The later of both times: content that changes afterwards, in another step of the file system's clock, shows in one of them.
    package var latest: Int64 { max(modified, touched) }

    private static func microseconds(_ time: timespec) -> Int64 {
        let seconds = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000)
        return seconds.overflow ? 0 : seconds.partialValue &+ Int64(time.tv_nsec) / 1_000
    }
}
