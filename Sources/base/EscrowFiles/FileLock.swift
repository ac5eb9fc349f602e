public import EscrowDiagnostics
import Glibc

/// An exclusive lock between processes (flock(2)), held until the value goes out of scope or the process ends, however
/// it ends.
public struct FileLock: ~Copyable, Sendable {
    private let file: Descriptor

    private init(_ file: consuming Descriptor) { self.file = file }

    /// Waits for the lock on a lock file, which is made if need be.
    public static func acquire(_ path: String) throws(Diagnostic) -> FileLock {
        let file = try Descriptor(opening: path, O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600)
        guard retrying({ flock(file.raw, LOCK_EX) }) == 0 else {
            throw .file(path, "cannot be locked", errno)
        }
        return FileLock(file)
    }

    /// Waits until nobody holds the lock, and keeps everybody from it who does not share it as well.
    public static func share(_ path: String) throws(Diagnostic) -> FileLock {
        let file = try Descriptor(opening: path, O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600)
        guard retrying({ flock(file.raw, LOCK_SH) }) == 0 else {
            throw .file(path, "cannot be locked", errno)
        }
        return FileLock(file)
    }

    /// Takes the lock of a folder itself, unless somebody else has it: then nil, at once.
    public static func tryToAcquire(folder path: String) throws(Diagnostic) -> FileLock? {
        let folder = try Descriptor(opening: path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
        guard retrying({ flock(folder.raw, LOCK_EX | LOCK_NB) }) == 0 else {
            if errno == EWOULDBLOCK { return nil }
            throw .file(path, "cannot be locked", errno)
        }
        return FileLock(folder)
    }

    /// Takes the lock, unless somebody else has it: then nil, at once.
    public static func tryToAcquire(_ path: String) throws(Diagnostic) -> FileLock? {
        let file = try Descriptor(opening: path, O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600)
        guard retrying({ flock(file.raw, LOCK_EX | LOCK_NB) }) == 0 else {
            if errno == EWOULDBLOCK { return nil }
            throw .file(path, "cannot be locked", errno)
        }
        return FileLock(file)
    }
}
