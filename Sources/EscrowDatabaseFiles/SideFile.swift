internal import EscrowDiagnostics
internal import Glibc

/// A file beside a database, or the database itself, while it is copied.
final class SideFile {
    let raw: Int32

    /// Owns a descriptor.
    init(owning raw: Int32) { self.raw = raw }

    deinit { close(raw) }

    /// Size, times and inode: two equal stamps around a copy say that nothing changed in between.
    var stamp: FileStamp? { FileStamp(raw) }

    /// Up to `count` bytes from an offset; fewer at the end of the file.
    func read(_ count: Int, at offset: Int64) throws(Diagnostic) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let got = bytes.withUnsafeMutableBytes {
                pread(raw, $0.baseAddress! + done, count - done, off_t(offset) + off_t(done))
            }
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw .unreadableDatabase(errno: errno) }
            if got == 0 { break }
            done += got
        }
        bytes.removeLast(count - done)
        return bytes
    }
}

/// What `fstat(2)` says of a file that was not changed.
struct FileStamp: Equatable {
    let device: UInt64
    let inode: UInt64
    let size: Int64
    let modified: [Int]

    init?(_ raw: Int32) {
        var status = stat()
        guard fstat(raw, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        size = Int64(status.st_size)
        modified = [
            status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec,
        ]
    }
}

/// Numbers as SQLite's files hold them.
extension ArraySlice<UInt8> {
    /// Four bytes, the most significant first; the caller has checked that they are there.
    func bigEndian32(at offset: Int) -> UInt32 {
        let start = startIndex + offset
        return UInt32(self[start]) << 24 | UInt32(self[start + 1]) << 16 | UInt32(self[start + 2]) << 8
            | UInt32(self[start + 3])
    }
}
