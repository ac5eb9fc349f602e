public import EscrowDiagnostics
public import Glibc

/// Whole small files: read with a cap, replaced atomically.
public enum SecureFile {
    /// Reads a regular file of at most `limit` bytes. A symlink as the last component, a device or a FIFO is refused:
    /// whoever could put one there could make the host read or hang on something else.
    public static func read(_ path: String, limit: Int) throws(Diagnostic) -> [UInt8] {
        try read(try Descriptor(opening: path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK), path, limit: limit)
    }

    /// Reads what is left of an open file, under the same rules.
    static func read(
        _ file: borrowing Descriptor, _ path: String, limit: Int
    ) throws(Diagnostic) -> [UInt8] {
        var status = stat()
        guard fstat(file.raw, &status) == 0 else { throw .file(path, "cannot be examined", errno) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw Diagnostic(.notRegularFile, "\(path) is not a regular file", help: "name a regular file")
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(min(limit, Int(status.st_size)) + 1)
        while true {
            let piece = try file.read(65_536)
            if piece.isEmpty { return bytes }
            bytes += piece
            guard bytes.count <= limit else {
                throw Diagnostic(
                    .fileTooLarge, "\(path) is larger than the \(limit) bytes that are allowed for it")
            }
        }
    }

    /// The file's bytes, or nil where there is no such file.
    public static func readIfPresent(_ path: String, limit: Int) throws(Diagnostic) -> [UInt8]? {
        var status = stat()
        if lstat(path, &status) != 0, errno == ENOENT { return nil }
        return try read(path, limit: limit)
    }

    /// Replaces a file in one step: after a crash at any point there is the old content or the new, whole.
    /// Writes beside it, fsync, rename(2), fsync of the folder.
    public static func replace(
        _ path: String, with bytes: [UInt8], mode: mode_t = 0o600
    ) throws(Diagnostic) {
        let folder = parent(of: path)
        let temporary = "\(path).\(getpid()).new"
        unlink(temporary)
        do {
            let file = try Descriptor(
                opening: temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode)
            try file.write(bytes)
            try file.synchronize()
        } catch {
            unlink(temporary)
            throw error
        }
        guard rename(temporary, path) == 0 else {
            let reason = errno
            unlink(temporary)
            throw .file(path, "cannot be replaced", reason)
        }
        try synchronizeFolder(folder)
    }

    /// Writes a file where it lies, and waits for no disk.
    static func overwrite(_ path: String, with bytes: [UInt8]) throws(Diagnostic) {
        let file = try Descriptor(opening: path, O_WRONLY | O_CREAT | O_NOFOLLOW, mode: 0o600)
        try file.write(bytes)
        guard ftruncate(file.raw, off_t(bytes.count)) == 0 else {
            throw .file(path, "cannot be written", errno)
        }
    }

    /// Makes a folder with all its parents; folders that exist are left as they are.
    public static func makeFolder(_ path: String, mode: mode_t = 0o700) throws(Diagnostic) {
        var status = stat()
        if stat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFDIR else { throw .file(path, "is not a folder", ENOTDIR) }
            return
        }
        let above = parent(of: path)
        if above != path { try makeFolder(above, mode: mode) }
        guard mkdir(path, mode) == 0 || errno == EEXIST else { throw .file(path, "cannot be made", errno) }
    }

    public static func synchronizeFolder(_ path: String) throws(Diagnostic) {
        let folder = try Descriptor(opening: path, O_RDONLY | O_DIRECTORY)
        try folder.synchronize()
    }

    /// The folder that a path lies in.
    public static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
