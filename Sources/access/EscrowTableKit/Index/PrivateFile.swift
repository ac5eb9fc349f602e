package import EscrowDiagnostics
internal import EscrowFiles
package import EscrowSourceFiles
internal import Glibc

/// A file of the escrow home that only this user can have written, so that what it says can be used.
package enum PrivateFile {
    /// Reads a file of at most `limit` bytes; nil where there is none.
    ///
    /// - Throws: E0852 if others may write or read it, or if it is not this user's; E0002 if it cannot be read, E0003 if it is
    ///   no regular file, E0004 if it is larger.
    package static func read(
        _ path: String, limit: Int
    ) throws(Diagnostic) -> (bytes: [UInt8], file: FileIdentity)? {
        var status = stat()
        if lstat(path, &status) != 0, errno == ENOENT { return nil }
        let file = try Descriptor(opening: path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        guard fstat(file.raw, &status) == 0 else { throw .file(path, "cannot be examined", errno) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw Diagnostic(.notRegularFile, "\(path) is not a regular file", help: "name a regular file")
        }
        // A second name is a second way to write it.
        guard status.st_uid == geteuid(), status.st_mode & 0o077 == 0, status.st_nlink == 1 else {
            throw Diagnostic(
                .indexOfAnotherUser,
                "\(path) may be another user's work, so it is not used and made anew",
                notes: ["answers do not depend on it; files that it knew are read once more"],
                help: "see who else may write in the escrow home: ls -la \(SecureFile.parent(of: path))",
                severity: .warning)
        }
        guard status.st_size <= limit else {
            throw Diagnostic(
                .fileTooLarge, "\(path) is larger than the \(limit) bytes that are allowed for it")
        }
        guard let bytes = file.bytes(at: 0, count: Int(status.st_size)) else {
            throw .file(path, "cannot be read", errno)
        }
        return (bytes, FileIdentity(status))
    }
}
