internal import EscrowDiagnostics
internal import EscrowFiles
internal import Glibc

/// Opening files below a folder without ever following a link.
enum Walk {
    /// Opens a file for reading. Corresponds to openat(2) with `O_NOFOLLOW` for each component: a link put anywhere in
    /// the path ends the walk, and so does `..`, which no path that comes here may hold.
    static func open(_ path: String, below folder: borrowing Descriptor) throws(Diagnostic) -> Descriptor {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard let last = parts.last, !parts.contains(where: { $0.isEmpty || $0 == "." || $0 == ".." }) else {
            throw irregular(path)
        }
        var current = try step(".", path, below: folder.raw, Linux.openPathOnly | O_DIRECTORY)
        for part in parts.dropLast() {
            current = try step(part, path, below: current.raw, Linux.openPathOnly | O_DIRECTORY)
        }
        // Non-blocking, so that a FIFO in the place of a file cannot hold the host up.
        return try step(last, path, below: current.raw, O_RDONLY | O_NONBLOCK)
    }

    /// Opens a folder to read from, never by way of a link.
    static func open(folder name: String, below parent: borrowing Descriptor) throws(Diagnostic) -> Descriptor
    {
        try step(name, name, below: parent.raw, O_RDONLY | O_DIRECTORY)
    }

    private static func step(
        _ name: String, _ path: String, below folder: Int32, _ flags: Int32
    ) throws(Diagnostic) -> Descriptor {
        let raw = retrying { openat(folder, name, flags | O_NOFOLLOW | O_CLOEXEC) }
        let error = raw < 0 ? errno : 0
        // ENXIO is a socket, or a device without a driver; EACCES may be a device where the mount allows none.
        if [ELOOP, ENOTDIR, ENXIO].contains(error) || (error == EACCES && isDevice(name, below: folder)) {
            throw irregular(path)
        }
        if error == ENOENT {
            throw Diagnostic(
                .packageFileMissing, "a file of the plugin is missing", notes: [path],
                help: "install it again: `escrow plugin install FILE.escrow`")
        }
        guard raw >= 0 else { throw .file(path, "cannot be opened", error) }
        return Descriptor(owning: raw)
    }

    private static func isDevice(_ name: String, below folder: Int32) -> Bool {
        var status = stat()
        guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return false }
        return [S_IFCHR, S_IFBLK].contains(status.st_mode & S_IFMT)
    }

    /// The size of an open file that must be regular, without setuid or setgid bit, and at most `limit` bytes long.
    static func checkRegular(
        _ file: borrowing Descriptor, _ path: String, limit: Int
    ) throws(Diagnostic) -> Int {
        var status = stat()
        guard fstat(file.raw, &status) == 0 else { throw .file(path, "cannot be examined", errno) }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_mode & (S_ISUID | S_ISGID) == 0 else {
            throw irregular(path)
        }
        guard status.st_size <= limit else {
            throw Diagnostic(
                .packageTooLarge, "\(path) has \(status.st_size) bytes; at most \(limit) are allowed")
        }
        return Int(status.st_size)
    }

    static func irregular(_ path: String) -> Diagnostic {
        Diagnostic(
            .notAPlainFile, "\(path) is not a plain file",
            notes: ["a plugin is made of regular files only: no links, devices or setuid bits"],
            help: "replace it by the file itself")
    }
}
