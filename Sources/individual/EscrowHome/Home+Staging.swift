package import EscrowDiagnostics
import EscrowFiles
import Glibc

/// The folder in which a home is built beside its place, `HOME.PID.new`, until it is renamed into it.
///
/// Its own lock is held as long as somebody is at it. The kernel lets go of that however the process ends, so whoever finds
/// such a folder without a holder may remove it: a number of a process alone would come back.
package struct StagingFolder: ~Copyable {
    package let path: String
    private let lock: FileLock

    private init(_ path: String, _ lock: consuming FileLock) {
        self.path = path
        self.lock = lock
    }

    /// Makes it, empty, for its owner alone.
    package static func make(beside home: String) throws(Diagnostic) -> StagingFolder {
        try SecureFile.makeFolder(SecureFile.parent(of: home))
        let path = "\(home).\(getpid()).new"
        guard mkdir(path, 0o700) == 0 else { throw .file(path, "cannot be made", errno) }
        // Somebody who tidies may have had it first, in the moment before the lock.
        guard let lock = try FileLock.tryToAcquire(folder: path), access(path, F_OK) == 0 else {
            throw Diagnostic(
                .ownFault, "\(path) was removed while it was made", help: "run the command again")
        }
        return StagingFolder(path, lock)
    }

    /// Puts it in its place, where nothing is or an empty folder.
    package consuming func rename(to home: String) throws(Diagnostic) {
        guard Glibc.rename(path, home) == 0 else { throw .file(home, "cannot be made", errno) }
        try SecureFile.synchronizeFolder(SecureFile.parent(of: home))
    }

    /// Removes it with all that is in it.
    package consuming func remove() { Home.remove(path) }
}

extension Home {
    /// Removes what a command left beside a home when it was killed while it made one: a restore leaves a part of what was in
    /// the backup, decrypted. What a process is at stays. Returns how many there were.
    @discardableResult
    public static func removeLeftovers(of path: String) -> Int {
        let parent = SecureFile.parent(of: path)
        guard let slash = path.lastIndex(of: "/") else { return 0 }
        let start = path[path.index(after: slash)...] + "."
        var count = 0
        for name in (try? Folder.names(parent)) ?? [] where name.hasPrefix(start) && name.hasSuffix(".new") {
            let number = name.dropFirst(start.count).dropLast(4)
            let leftover = "\(parent)/\(name)"
            var status = stat()
            guard !number.isEmpty, number.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                lstat(leftover, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
                status.st_uid == geteuid(),
                let lock = try? FileLock.tryToAcquire(folder: leftover)
            else { continue }
            remove(leftover)
            withExtendedLifetime(lock) {}
            count += 1
        }
        return count
    }

    /// Removes a folder that a home was being made in, with all in it; what links point to stays.
    package static func remove(_ path: String) {
        for name in (try? Folder.names(path)) ?? [] {
            var status = stat()
            let inner = "\(path)/\(name)"
            if lstat(inner, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
                remove(inner)
            } else {
                unlink(inner)
            }
        }
        rmdir(path)
    }
}
