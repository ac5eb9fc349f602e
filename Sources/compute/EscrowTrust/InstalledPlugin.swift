internal import EscrowDiagnostics
internal import EscrowFiles
internal import EscrowJSON
public import EscrowManifest

/// What the store remembers about a plugin that was installed: a row of `escrow plugin list`.
public struct InstalledPlugin: Sendable, Hashable {
    public let id: String
    public let version: String
    public let sequence: Int64
    /// SHA-256 of the exact bytes of its manifest, hexadecimal.
    public let manifestDigest: String
    public let keyIDs: [String]
    public let installed: Moment

    public var shortName: String { PluginID.shortName(id) }
}

/// The file `installed.json`: one record a plugin, written by install and remove only. A plugin that lies in the folder
/// but not in this list was put there by somebody else, however well it is signed.
struct InstalledList: Sendable {
    var plugins: [InstalledPlugin]

    static func load(_ path: String) throws(Diagnostic) -> InstalledList {
        guard let bytes = try file(path).read() else { return InstalledList(plugins: []) }
        return try parse(bytes, path)
    }

    /// Reads what the file holds.
    static func parse(_ bytes: [UInt8], _ path: String) throws(Diagnostic) -> InstalledList {
        do { return try InstalledList(parsing: bytes) } catch {
            throw Diagnostic(
                .pluginStoreDamaged, "\(path) is damaged: \(error.impersonalMessage)",
                at: .init(file: path, line: error.position.line, column: error.position.column),
                help: "put it back from a backup, or move it away and install the plugins again")
        }
    }

    func save(_ path: String) throws(Diagnostic) {
        try Self.file(path).replace(with: bytes) { (bytes) throws(Diagnostic) in
            _ = try Self.parse(bytes, path)
        }
    }

    /// Whether it could be saved: asked before anything else is changed.
    func check(_ path: String) throws(Diagnostic) {
        try Self.file(path).check(bytes) { (bytes) throws(Diagnostic) in _ = try Self.parse(bytes, path) }
    }

    /// The file as it is read and written.
    static func file(_ path: String) -> StoreFile {
        StoreFile(path, limit: 1 << 20, help: "remove some: escrow plugin list, escrow plugin remove")
    }

    private var bytes: [UInt8] {
        let rows = plugins.sorted { $0.id < $1.id }.map { plugin in
            [
                "id": .string(plugin.id), "version": .string(plugin.version),
                "sequence": .integer(plugin.sequence),
                "manifest": .string(plugin.manifestDigest),
                "keys": .array(plugin.keyIDs.map(JSONValue.string)),
                "installed": .string(plugin.installed.description),
            ] as JSONValue
        }
        return JSONWriter.document(["schema": .string(Self.schema), "plugins": .array(rows)])
    }

    private static let schema = "escrow.installed/1"

    init(plugins: [InstalledPlugin]) { self.plugins = plugins }

    private init(parsing bytes: [UInt8]) throws(JSONError) {
        var object = try JSONObjectReader(JSONParser.parse(bytes, limits: .init(depth: 5)))
        try object.requireSchema(Self.schema)
        var plugins: [InstalledPlugin] = []
        for item in try object.required("plugins").requireArray() {
            var row = try JSONObjectReader(item)
            let id = try row.required("id").requireString()
            let version = try row.required("version").requireString()
            let sequence = try row.required("sequence").requireInteger()
            let manifest = try row.required("manifest").requireString()
            let keys = try row.required("keys").requireStrings()
            let installed = Moment(try row.required("installed").requireString())
            try row.finish()
            // Two records of one id could each name another manifest.
            guard PluginID.isValid(id), !plugins.contains(where: { $0.id == id }), let installed else {
                throw JSONError(.wrongType(expected: "a record of a plugin"), at: item.position)
            }
            plugins.append(
                InstalledPlugin(
                    id: id, version: version, sequence: sequence, manifestDigest: manifest, keyIDs: keys,
                    installed: installed))
        }
        try object.finish()
        self.plugins = plugins
    }
}
