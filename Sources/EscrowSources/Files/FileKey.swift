/// Which state of which file.
struct FileKey: Equatable {
    /// A hash of the path: no path and no name is kept.
    let path: UInt64
    let inode: UInt64
    let size: Int64
    /// Time of last change, in microseconds since the epoch.
    let modified: Int64
    /// ``FileStatus/touched``: programs that change a picture's header may leave its length and set its time back.
    let touched: Int64
}
