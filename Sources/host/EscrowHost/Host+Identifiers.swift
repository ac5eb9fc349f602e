public import EscrowDiagnostics
public import EscrowIdentity
import EscrowJSON
import EscrowLedger
import EscrowManifest
import EscrowTrust

extension Host {
    /// The values of all parameters of a plugin, the identifiers among them. Called once the dataflow is allowed: nobody
    /// is given an identifier before.
    func identify(
        _ arguments: [(name: String, value: JSONValue)], for manifest: Manifest, app: String,
        publisher: String
    ) throws(Diagnostic) -> [(name: String, value: JSONValue)] {
        guard !manifest.parameters.identifiers.isEmpty else { return arguments }
        return try manifest.parameters.identified(arguments) { scope throws(Diagnostic) in
            let kind: Identifier.Kind =
                switch scope {
                case .application: .application
                case .vendor: .vendor
                case .advertising: .advertising
                }
            return try identifiers.identifier(kind, app: app, vendor: publisher).value
        }
    }

    /// Forgets identifiers and records it; whoever asks next is given new ones. Returns how many were forgotten.
    /// - Parameter owner: the app or the publisher's key; nil for all of the kind.
    public func resetIdentifiers(_ kind: Identifier.Kind, owner: String?) throws(Diagnostic) -> Int {
        let count = try identifiers.reset(kind, owner: owner)
        try ledger.append(
            .identifiersReset,
            fields: [
                "kind": .string(kind.rawValue), "owner": owner.map(JSONValue.string) ?? .null,
                "count": .integer(Int64(count)), "reason": "command",
            ])
        return count
    }

    /// With the last plugin of a publisher goes the identifier that it knew the individual by.
    func forgetVendors(of plugin: InstalledPlugin) throws(Diagnostic) {
        let remaining = Set(try plugins().list().flatMap(\.keyIDs))
        let known = Set(try identifiers.list().filter { $0.kind == .vendor }.compactMap(\.owner))
        for key in plugin.keyIDs where !remaining.contains(key) && known.contains(key) {
            _ = try identifiers.reset(.vendor, owner: key)
            try ledger.append(
                .identifiersReset,
                fields: [
                    "kind": "vendor", "owner": .string(key), "count": 1, "reason": "last plugin removed",
                ])
        }
    }
}
