public import EscrowDiagnostics
import EscrowFiles
import Glibc

extension GrantStore {
    /// Does something while no decision is changed, by this process or another; others may do the same meanwhile.
    ///
    /// Between the last look at the decisions and the record that a result leaves, no command that takes one back returns:
    /// otherwise the ledger would have the change first and the result after it.
    public func unchanged<Result>(_ body: () throws(Diagnostic) -> Result) throws(Diagnostic) -> Result {
        while true {
            // What a crash left is settled first: that takes the lock for itself.
            _ = try standing()
            let lock = try FileLock.share(lockPath)
            var status = stat()
            guard lstat(draftPath, &status) != 0 else { continue }
            defer { withExtendedLifetime(lock) {} }
            return try body()
        }
    }
}
