public import EscrowConsent
public import EscrowDiagnostics
import EscrowFiles
import EscrowHome
import EscrowJSON
import EscrowLedger
import EscrowTrust

/// The decisions about dataflows: each entry point asks here, and nowhere else.
extension Host {
    /// Where a dataflow stands, by what the rules say about it. `claimed` is the decision that a run began with.
    func decide(
        _ description: DataflowDescription, _ rules: Decision, claimed: Grant? = nil
    ) throws(Diagnostic) -> Decision {
        try grants.decide(for: description.dataflow, rules: rules, claimed: claimed)
    }

    /// Where the dataflow stands that a command is about.
    public func standing(
        app: String, plugin: String, sql: String?, reads: [String], uses: [String], server: String? = nil
    ) throws(Diagnostic) -> Decision {
        let (description, rules) = try judged(
            app: app, plugin: plugin, sql: sql, reads: reads, uses: uses, server: server)
        return try decide(description, rules)
    }

    /// Whether a limit can be served: its tables are read by the dataflow, its columns exist, its conditions are SQL.
    public func check(_ limit: GrantLimit, for description: DataflowDescription) throws(Diagnostic) {
        try requireServable(limit, for: description)
    }

    /// Allows a dataflow, or less of it, by command; recorded before it holds.
    public func allow(_ description: DataflowDescription, _ terms: GrantTerms) throws(Diagnostic) -> Grant {
        try grants.allow(description, terms)
    }

    /// Denies a dataflow by command; recorded before it holds.
    public func deny(_ description: DataflowDescription, _ terms: GrantTerms) throws(Diagnostic) -> Grant {
        try grants.deny(description, terms)
    }

    /// Takes a decision back; recorded before it holds.
    public func revokeGrant(_ id: String) throws(Diagnostic) -> Grant { try grants.revoke(id) }

    /// Holds an app's one open question; throws E0713 where another is open.
    func asking<Result>(
        _ description: DataflowDescription, _ body: () throws(Diagnostic) -> Result
    ) throws(Diagnostic) -> Result {
        try SecureFile.makeFolder(home.path + "/questions")
        // The kernel lets go of it however this process ends.
        let path = home.path + "/questions/\(description.app).lock"
        guard let lock = try FileLock.tryToAcquire(path) else { throw .questionOpen(description) }
        let result: Result
        do throws(Diagnostic) { result = try body() } catch {
            withExtendedLifetime(lock) {}
            throw error
        }
        withExtendedLifetime(lock) {}
        return result
    }
}
