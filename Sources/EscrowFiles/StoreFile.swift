public import EscrowDiagnostics
public import Glibc

/// A file that Escrow writes, and reads back whole: one rule for both, so that what its writer lets through its reader accepts.
///
/// Without it whoever makes a file grow, or gets a character into it that its reader refuses, leaves a file that no command of
/// Escrow's can read or mend. What breaks the rule is refused while the file is still as it was.
public struct StoreFile: Sendable {
    /// Where it is.
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

    /// What it holds; nil where there is no such file. E0002 to E0004.
    public func read() throws(Diagnostic) -> [UInt8]? {
        try SecureFile.readIfPresent(path, limit: limit)
    }

    /// Replaces it in one step; E0005 where its reader would refuse what is to be written.
    public func replace(
        with bytes: [UInt8], mode: mode_t = 0o600,
        reading: ([UInt8]) throws(Diagnostic) -> Void
    ) throws(Diagnostic) {
        try check(bytes, reading: reading)
        try SecureFile.replace(path, with: bytes, mode: mode)
    }

    /// Writes it where it lies: for what may be lost, and is written so often that a new file each time would hold up the disk.
    /// A reader may find it half written, so both hold a lock; after a crash it may read as nothing that was ever written.
    public func overwrite(with bytes: [UInt8], reading: ([UInt8]) throws(Diagnostic) -> Void)
        throws(Diagnostic)
    {
        try check(bytes, reading: reading)
        try SecureFile.overwrite(path, with: bytes)
    }

    /// Whether its reader would accept it: E0005 where not.
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
