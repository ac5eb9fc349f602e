import EscrowConsent
import EscrowDiagnostics
import EscrowHome
import EscrowIdentity
import EscrowJSON
import EscrowManifest
import EscrowMinimisation
import EscrowRelational
import EscrowSchema
import EscrowServers
import EscrowTabular
import EscrowTrust

/// Step 3 of a run: the query, prepared within what the plugin declares. No data is touched.
extension Runner {
    /// An access that is prepared and lies within what the plugin declares.
    struct Resolved {
        /// The run's id.
        let run: String
        let sql: String
        let access: Access
        let assets: AssetTable
        var arguments: [(name: String, value: JSONValue)]
        var description: DataflowDescription
        /// What pseudonyms and samples are made with, keyed once the dataflow is allowed.
        let hash: DeferredHash
        /// What rules say about it.
        var rules: Decision
        /// What notes which records are read; nil where that is not recorded.
        let records: ReadRecorder?
        /// Where it computes; nil for this device.
        let server: EscrowServer?
    }

    func resolve(_ request: RunRequest, _ plugin: borrowing VerifiedPlugin) throws(Diagnostic)
        -> Resolved
    {
        let manifest = plugin.manifest
        guard let sql = request.sql ?? manifest.defaultAccess else { throw .noQuery(manifest) }
        try request.place?.check(manifest)
        let declared = Set(manifest.parameters.parameters.map(\.name))
        let bound = Access.parameterNames(in: sql)
        // A name that only the query binds is no argument of the plugin's.
        let given = request.arguments.filter { declared.contains($0.key) || !bound.contains($0.key) }
        let arguments = try manifest.parameters.resolve(given: given)
        var bindings: [String: Cell] = [:]
        // The plugin's own query gets the plugin's parameters, also where the app writes the same query itself. With bindings of
        // the app's it would run over values that the manifest does not allow, or of which plugin and grant are not told.
        let isOwn = request.sql == nil || request.sql == manifest.defaultAccess
        for name in bound {
            if isOwn, let value = arguments.first(where: { $0.name == name })?.value {
                bindings[name] = value.cell
            } else if let value = request.bindings[name] {
                bindings[name] = value
            }
        }
        let assets = AssetTable()
        let hash = DeferredHash()
        let records = host.configuration.recordsReads ? ReadRecorder() : nil
        let access = try host.prepare(
            sql, bindings: bindings, for: manifest, assets: assets, imposed: request.imposed,
            rows: request.rows, hash: hash, records: records, engine: request.engine)
        try host.checkRoles(of: access, sql: sql, for: manifest)
        guard Dataflow.isAppID(request.app) else {
            throw Diagnostic(
                .appID, "an app id is labels of a-z, 0-9 and '-' with dots between them",
                help: "for example: org.example.notes")
        }
        try manifest.checkCopies()
        var description = DataflowDescription.of(
            app: request.app, plugin: PluginFacts(plugin), reads: access.analysis.tableUses,
            parameters: arguments, configuration: host.configuration, imposed: request.imposed)
        description.proof = request.proof
        description.appWords = request.appWords
        let server = try host.site(request.server, for: manifest)
        if let server { description.move(to: server) }
        let rules = try host.judge(&description, manifest, of: nil)
        return Resolved(
            run: Self.newRunID(), sql: sql, access: access, assets: assets, arguments: arguments,
            description: description,
            hash: hash, rules: rules, records: records, server: server)
    }

    private static func newRunID() -> String {
        var generator = SystemRandomNumberGenerator()
        // The highest bit is set, so that every id has twelve digits.
        return "r-" + String(generator.next() & 0xFFFF_FFFF_FFFF | 1 << 47, radix: 16)
    }

    /// Keys pseudonyms and samples, and fills in identifiers. Only for a dataflow that is allowed: nobody is given one before.
    func identify(_ run: Run) throws(Diagnostic) {
        let app = run.request.app
        let publisher = run.description.plugin.signerKeyID
        if !run.description.minimisation.isEmpty || run.resolved.access.isKeyed {
            run.resolved.hash.set(try host.keyedHash(app: app, publisher: publisher))
        }
        run.resolved.arguments = try host.identify(
            run.resolved.arguments, for: run.plugin.manifest, app: app, publisher: publisher)
    }
}
