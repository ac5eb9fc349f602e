package import EscrowConsent
package import EscrowDiagnostics
import EscrowJSON
package import EscrowLedger
import EscrowManifest
import EscrowTrust

/// Changes of decisions, in the ledger.
package struct LedgerJournal: GrantJournal {
    private let ledger: Ledger
    private let reader: LedgerReader

    package init(ledger: Ledger, reader: LedgerReader) {
        self.ledger = ledger
        self.reader = reader
    }

    package func record(_ change: GrantChange) throws(Diagnostic) {
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
    package func hasRecord(of id: String) throws(Diagnostic) -> Bool {
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

    package func recordRepair(of id: String, wasCompleted: Bool) throws(Diagnostic) {
        try ledger.append(
            .grantChanged,
            fields: [
                "change": .string(id), "action": .string(Self.repaired), "completed": .bool(wasCompleted),
            ])
    }

    private static let repaired = "repaired after a crash"
}
