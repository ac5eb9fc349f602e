public import EscrowConsent
public import EscrowDiagnostics
import EscrowFiles
import EscrowHome
import EscrowJSON
import EscrowLedger
import EscrowManifest
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

/// Changes of decisions, in the ledger.
struct LedgerJournal: GrantJournal {
    let ledger: Ledger
    let reader: LedgerReader

    func record(_ change: GrantChange) throws(Diagnostic) {
        var fields: [(name: String, value: JSONValue)] = [
            ("change", .string(change.id)), ("action", .string(change.action.rawValue)),
        ]
        if change.grants.count == 1, let grant = change.grants.first {
            fields += [
                ("id", .string(grant.id)), ("app", .string(grant.app)), ("plugin", .string(grant.plugin.id)),
                ("version", .string(grant.plugin.version)),
                ("manifest", .string(grant.plugin.manifestDigest)),
                ("state", .string(grant.state.rawValue)), ("scope", .string(grant.scope.word)),
                ("reason", .string(grant.reason.rawValue)),
            ]
            // How much less, but neither ids nor conditions: these are the individual's data.
            if let limit = grant.limit {
                fields.append(("limit", .array(limit.phrases.map(JSONValue.string))))
            }
            if grant.looksEmpty { fields.append(("looksEmpty", true)) }
        } else {
            fields.append(("ids", .array(change.grants.prefix(1000).map { .string($0.id) })))
            fields.append(("count", .integer(Int64(change.grants.count))))
        }
        if !change.words.isEmpty {
            let digest = Digest(of: Array(change.words.map { $0 + "\n" }.joined().utf8))
            fields.append(("words", .string("sha256:\(digest)")))
        }
        if !change.replaced.isEmpty {
            fields.append(
                (
                    change.action == .undone ? "back" : "replaced",
                    .array(change.replaced.map(JSONValue.string))
                ))
        }
        try ledger.append(.grantChanged, fields: .object(fields))
    }

    /// Looks through the whole ledger: only a crash makes this necessary.
    func hasRecord(of id: String) throws(Diagnostic) -> Bool {
        var isThere = false
        try reader.forEach { (entry) throws(Diagnostic) in
            guard entry.kind == .grantChanged, entry.fields["change"]?.string == id,
                entry.fields["action"]?.string != Self.repaired
            else { return true }
            isThere = true
            return false
        }
        return isThere
    }

    func recordRepair(of id: String, wasCompleted: Bool) throws(Diagnostic) {
        try ledger.append(
            .grantChanged,
            fields: [
                "change": .string(id), "action": .string(Self.repaired), "completed": .bool(wasCompleted),
            ])
    }

    private static let repaired = "repaired after a crash"
}
