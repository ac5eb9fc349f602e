import EscrowDiagnostics
import EscrowFiles
import Glibc
import Synchronization

/// The lock by which every process sees that another one, which has runs under way, still lives.
///
/// It is a file of the ledger's folder that the process keeps locked (flock(2)) from its first run on. The kernel drops the
/// lock with the process, however it ends, in whatever container it was. A process's number says nothing there: in another
/// PID namespace it can be seen neither living nor dead.
///
/// Files are made, tried and removed by whoever holds the ledger's own lock, so that nobody takes a file for left behind
/// that is about to be locked.
enum Holder {
    /// A lock that is held to the end of the process.
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

    /// Whether the process that held a file is gone. A name that is none of a holder's is nobody's.
    static func isGone(_ name: String, in folder: String) throws(Diagnostic) -> Bool {
        guard isName(name), access("\(folder)/\(name)", F_OK) == 0 else { return true }
        return try FileLock.tryToAcquire("\(folder)/\(name)") != nil
    }

    /// Removes the files of processes that are gone.
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
