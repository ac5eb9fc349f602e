import EscrowDiagnostics
import EscrowFiles
import EscrowJSON
import Glibc
import Synchronization

/// The lock that shows other processes that this one, which has runs under way, is alive.
///
/// It is a file in the ledger's folder that the process keeps locked (flock(2)) from its first run on. The kernel drops the
/// lock when the process ends, in any container; a process number means nothing in another PID namespace.
///
/// Files are made, tried and removed under the ledger's own lock, so that nobody removes a file that is about to be locked.
enum Holder {
    /// A lock that the process never gives back.
    private final class Held: Sendable {
        let name: String
        private let lock: FileLock
        init(_ name: String, _ lock: consuming FileLock) {
            self.name = name
            self.lock = lock
        }
    }
    private static let held = Mutex<[String: Held]>([:])

    /// The name of this process's file in a ledger's folder; made and locked where it is not there yet.
    static func name(in folder: String) throws(Diagnostic) -> String {
        try held.withLock { (held: inout [String: Held]) throws(Diagnostic) in
            // A folder that was replaced by another, as a restore does, has no file of this process.
            if let own = held[folder], access("\(folder)/\(own.name)", F_OK) == 0 { return own.name }
            let name = prefix + Hex.string(Hashing.salt().prefix(16))
            guard let lock = try FileLock.tryToAcquire("\(folder)/\(name)") else {
                throw .file("\(folder)/\(name)", "is locked by somebody else", EWOULDBLOCK)
            }
            held[folder] = Held(name, lock)
            return name
        }
    }

    /// Whether the process that held a file is gone, or the name is no holder's.
    static func isGone(_ name: String, in folder: String) throws(Diagnostic) -> Bool {
        guard isName(name), access("\(folder)/\(name)", F_OK) == 0 else { return true }
        return try FileLock.tryToAcquire("\(folder)/\(name)") != nil
    }

    static func sweep(_ folder: String) throws(Diagnostic) {
        for name in try Folder.names(folder) where isName(name) {
            if try isGone(name, in: folder) { unlink("\(folder)/\(name)") }
        }
    }

    private static let prefix = "holder."

    /// Names come from the log: one that is a path must not lead anywhere.
    private static func isName(_ name: String) -> Bool {
        name.hasPrefix(prefix) && Hex.read(name.dropFirst(prefix.count).utf8)?.count == 16
    }
}
