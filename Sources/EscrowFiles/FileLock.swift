public import EscrowDiagnostics
import Glibc

/// An exclusive lock between processes (flock(2)), held until the value goes out of scope or the process ends, however
/// it ends.
public struct FileLock: ~Copyable {
    private let file: Descriptor

    /// Waits for the lock on a lock file, which is made if need be.
    public init(path: String) throws(Diagnostic) {
        file = try Descriptor(opening: path, O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600)
        guard retrying({ flock(file.raw, LOCK_EX) }) == 0 else {
            throw .file(path, "cannot be locked", errno)
        }
    }
}
