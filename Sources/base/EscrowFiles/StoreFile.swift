public import EscrowDiagnostics
public import Glibc

/// A file that Escrow writes and reads back whole: what its writer accepts, its reader accepts.
///
/// Otherwise a file that grew too large, or has a character that its reader refuses, could not be read or mended by any
/// command. A write that breaks the rule is refused before the file changes.
public struct StoreFile: Sendable {
    public let path: String
    /// The most bytes that it may have, for writer and reader alike.
    public let limit: Int
    /// What to do where it would have more.
    private let help: String

    /// Names a file, how large it may be, and what makes room in it.
    public init(_ path: String, limit: Int, help: String) {
        self.path = path
        self.limit = limit
        self.help = help
    }

    /// What it holds; nil where there is no such file.
    public func read() throws(Diagnostic) -> [UInt8]? {
        try SecureFile.readIfPresent(path, limit: limit)
    }

    /// Replaces it in one step; throws where its reader would refuse what is to be written.
    public func replace(
        with bytes: [UInt8], mode: mode_t = 0o600,
        reading: ([UInt8]) throws(Diagnostic) -> Void
    ) throws(Diagnostic) {
        try check(bytes, reading: reading)
        try SecureFile.replace(path, with: bytes, mode: mode)
    }

    /// Writes in place, for a file that may be lost and is written too often to be replaced. A reader may find it half
    /// written, so both hold a lock; a crash may leave it unreadable.
    public func overwrite(with bytes: [UInt8], reading: ([UInt8]) throws(Diagnostic) -> Void)
        throws(Diagnostic)
    {
        try check(bytes, reading: reading)
        try SecureFile.overwrite(path, with: bytes)
    }

    /// Throws where its reader would not accept the bytes.
    public func check(_ bytes: [UInt8], reading: ([UInt8]) throws(Diagnostic) -> Void) throws(Diagnostic) {
        guard bytes.count <= limit else {
            throw Diagnostic(
                .fileWouldNotBeReadable,
                "\(path) would have \(bytes.count) bytes, and \(limit) are allowed for it",
                notes: ["nothing was changed"], help: help)
        }
        do { try reading(bytes) } catch {
            throw Diagnostic(
                .fileWouldNotBeReadable, "\(path) could not be read again: \(error.message)",
                notes: ["nothing was changed"],
                help: help)
        }
    }
}
