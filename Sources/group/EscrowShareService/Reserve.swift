internal import Glibc

/// A file that holds room on the disk for deleting when there is none left: SQLite writes before it deletes, as much as it deletes.
final class Reserve {
    private let path: String
    private var wanted: Int
    private var held = 0
    private let isUsed: Bool
    /// Beside the longest share: what else is written while it is deleted.
    private static let beside = 1 << 20

    /// - Parameter bytes: how long it is at least; 0 for none at all.
    init(_ path: String, _ bytes: Int) {
        self.path = path
        wanted = bytes
        isUsed = bytes > 0
    }

    /// Makes it long enough for a share that comes, too; false where the disk has no room for that.
    func hold(for share: Int) -> Bool {
        guard isUsed else { return true }
        wanted = max(wanted, share + Self.beside)
        return hold()
    }

    /// Makes it again where it was freed.
    @discardableResult
    func hold() -> Bool {
        guard isUsed, held < wanted else { return true }
        let file = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { return false }
        defer { close(file) }
        guard posix_fallocate(file, 0, off_t(wanted)) == 0 else {
            // A part that came about takes nobody's room.
            ftruncate(file, off_t(held))
            return false
        }
        held = wanted
        return true
    }

    func free() {
        unlink(path)
        held = 0
    }
}

/// What a disk has left, and how long a file is.
enum Disk {
    static func room(at path: String) -> Int64 {
        var disk = statvfs()
        guard statvfs(path, &disk) == 0 else { return .max }
        return Int64(clamping: UInt64(disk.f_bavail).multipliedReportingOverflow(by: UInt64(disk.f_frsize)).0)
    }

    static func length(of path: String) -> Int64 {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : 0
    }
}
