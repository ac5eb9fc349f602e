@usableFromInline package struct FileKey: Equatable, Sendable {
    /// A hash of the path: no path and no name is kept.
    package let path: UInt64
    package let inode: UInt64
    package let size: Int64
    /// Time of last change, in microseconds since the epoch.
    package let modified: Int64
    /// ``FileStatus/touched``: programs that change a picture's header may leave its length and set its time back.
    package let touched: Int64

    @usableFromInline package init(path: UInt64, inode: UInt64, size: Int64, modified: Int64, touched: Int64)
    {
        self.path = path
        self.inode = inode
        self.size = size
        self.modified = modified
        self.touched = touched
    }
}
