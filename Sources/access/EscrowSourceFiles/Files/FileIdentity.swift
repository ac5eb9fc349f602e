package import Glibc

/// Which file something is, whatever its name.
package struct FileIdentity: Equatable {
    private let device: UInt64
    private let inode: UInt64

    package init(_ status: stat) {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
    }

    /// What is at a path, a link itself and not what it points to; nil where there is nothing.
    package init?(path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    package init?(descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }
}
