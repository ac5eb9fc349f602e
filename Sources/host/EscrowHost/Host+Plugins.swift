public import EscrowConsent
public import EscrowDiagnostics
import EscrowFiles
import EscrowHome
import EscrowJSON
import EscrowLedger
import EscrowManifest
import EscrowRelational
import EscrowSchema
public import EscrowTrust

extension Host {
    /// The installed plugins, judged by today's trust store and revocations.
    public func plugins() throws(Diagnostic) -> PluginStore { try plugins(at: try now()) }

    /// The same, at a time that was looked up a moment ago.
    func plugins(at now: Moment) throws(Diagnostic) -> PluginStore {
        PluginStore(
            directory: home.pluginsPath, trust: try trustFile.load(),
            revocations: try revocations.load(now: now),
            installation: installation, memory: launchCache?.plugins)
    }

    /// Installs the package that was shown, and records it.
    public func install(
        _ path: String, shown: ManifestVerifier.Verified, allowRollback: Bool
    ) throws(Diagnostic) -> InstalledPlugin {
        let plugin = try plugins().install(path, now: try now(), shown: shown, allowRollback: allowRollback)
        try ledger.append(
            .pluginInstalled,
            fields: [
                "plugin": .string(plugin.id), "version": .string(plugin.version),
                "manifest": .string("sha256:" + plugin.manifestDigest),
                "signers": .array(plugin.keyIDs.map(JSONValue.string)), "rollback": .bool(allowRollback),
            ])
        return plugin
    }

    /// Removes a plugin and records it.
    public func removePlugin(_ name: String) throws(Diagnostic) -> InstalledPlugin {
        let plugin = try plugins().remove(name)
        try ledger.append(
            .pluginRemoved, fields: ["plugin": .string(plugin.id), "version": .string(plugin.version)])
        try forgetVendors(of: plugin)
        return plugin
    }

    // MARK: Revocations

    /// Adds to the list of what is refused, signed with the host's key; returns how many entries it has.
    public func revoke(
        key: String?, manifest: String?, plugin: String?, below: String?
    ) throws(Diagnostic) -> Int {
        let lock = try FileLock.acquire(home.path + "/revocations.lock")
        defer { withExtendedLifetime(lock) {} }
        try Self.check(key: key, manifest: manifest)
        // Judged by no clock: a list that has expired is renewed by this very command.
        let old = try Revocations.load(
            home.revocationsPath, owner: try home.hostKey().publicKey, now: Moment(seconds: 0))
        var versions = old.versions
        if let plugin, let below {
            guard let version = SemanticVersion(below) else {
                throw Diagnostic(
                    .versionSyntax, "a version is MAJOR.MINOR.PATCH", help: "for example: --below 1.2.0")
            }
            versions.append(.init(id: plugin, below: version))
        }
        let new = Revocations(
            sequence: old.sequence + 1, expires: try now().adding(days: 3_650),
            keys: old.keys + (key.map { [$0] } ?? []),
            manifests: old.manifests + (manifest.map { [$0] } ?? []), versions: versions, except: old.except)
        try new.save(home.revocationsPath, owner: try home.hostKey())
        try ledger.append(
            .keyRemoved,
            fields: [
                "action": "revoked", "key": key.map(JSONValue.string) ?? .null,
                "manifest": manifest.map(JSONValue.string) ?? .null,
                "plugin": plugin.map(JSONValue.string) ?? .null,
                "below": below.map(JSONValue.string) ?? .null,
            ])
        return new.keys.count + new.manifests.count + new.versions.count
    }

    private static func check(key: String?, manifest: String?) throws(Diagnostic) {
        if let key, !key.hasPrefix("SHA256:") || key.utf8.count != 50 {
            throw Diagnostic(
                .versionSyntax, "a fingerprint is SHA256: and 43 characters",
                help: "escrow trust list prints them")
        }
        if let manifest, manifest.utf8.count != 64 || !manifest.allSatisfy(\.isHexDigit) {
            throw Diagnostic(
                .versionSyntax, "a manifest is named by 64 hexadecimal digits",
                help: "escrow plugin show prints them")
        }
    }

    // MARK: Dataflows

    /// The dataflow that a decision by command is about: the columns that were named, else those of the query, else those
    /// of the plugin's own query.
    public func dataflow(
        app: String, plugin name: String, sql: String?, reads: [String], uses: [String], server: String? = nil
    ) throws(Diagnostic) -> DataflowDescription {
        try judged(app: app, plugin: name, sql: sql, reads: reads, uses: uses, server: server).description
    }

    /// The same with what rules say about it.
    func judged(
        app: String, plugin name: String, sql: String?, reads: [String], uses: [String], server: String? = nil
    ) throws(Diagnostic) -> (description: DataflowDescription, rules: Decision) {
        guard Dataflow.isAppID(app) else {
            throw Diagnostic(
                .appID, "an app id is labels of a-z, 0-9 and '-' with dots between them",
                help: "for example: org.example.notes")
        }
        let now = try now()
        let plugin = try plugins(at: now).open(name, now: now)
        let facts = PluginFacts(plugin)
        // Kept by a host that did not look yet: no decision is asked for what no run would do.
        try facts.manifest.checkCopies()
        let columns: [TableUse]
        if reads.isEmpty, uses.isEmpty {
            guard let sql = sql ?? facts.manifest.defaultAccess else { throw .noQuery(facts.manifest) }
            columns = try prepare(sql, bindings: nil, for: facts.manifest, assets: AssetTable()).analysis
                .tableUses
        } else {
            columns = try Self.tableUses(reads: reads, uses: uses, within: facts.manifest)
        }
        var description = DataflowDescription(
            app: app, plugin: facts, reads: columns,
            parameters: facts.manifest.parameters.parameters.map { ($0.name, .null) },
            configuration: configuration)
        if let server = try site(server, for: facts.manifest) { description.move(to: server) }
        let rules = try judge(&description, facts.manifest)
        return (description, rules)
    }

    private static func tableUses(
        reads: [String], uses: [String], within manifest: Manifest
    ) throws(Diagnostic) -> [TableUse] {
        var tables: [TableUse] = []
        for (text, isReturned) in reads.map({ ($0, true) }) + uses.map({ ($0, false) }) {
            let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            let declared = manifest.accepts.reads.first { $0.table == parts[0] }
            guard parts.count <= 2, let declared, parts.count == 1 || declared.columns.contains(parts[1])
            else {
                throw Diagnostic(
                    .columnNotDeclared, "\(manifest.shortName) does not declare that it reads \(text)",
                    notes: manifest.accepts.reads.map {
                        "it may read \($0.table): \($0.columns.joined(separator: ", "))"
                    },
                    help: "name TABLE.COLUMN as its manifest does")
            }
            let column = parts.count == 2 ? [parts[1]] : []
            tables.append(
                TableUse(table: parts[0], returned: isReturned ? column : [], used: isReturned ? [] : column))
        }
        return tables
    }
}

extension PluginFacts {
    init(_ plugin: borrowing VerifiedPlugin) {
        manifest = plugin.manifest
        digest = plugin.manifestDigest
        signerKeyID = plugin.keyIDs.first?.description ?? ""
    }
}

extension Diagnostic {
    static func noQuery(_ manifest: Manifest) -> Diagnostic {
        Diagnostic(
            .noQuery, "\(manifest.shortName) has no query of its own", help: "give one: --sql \"SELECT …\"")
    }
}
