public import EscrowAuthority
public import EscrowDiagnostics
import EscrowFiles
import EscrowJSON
public import EscrowTrust
import Glibc

/// A server's folder: its keys and what its owner set. Nothing of anybody's data is ever in it.
///
///     server.json      name, address, where the registry is
///     authority.pem, authority.key   who vouches for this household's servers and devices; the key is on one server alone
///     server.pem, server.key
///     trust.signers    whose plugins may run here
///     registry.db      plugins and devices, where no other registry is named
///     plugins/         packages as they were taken from the registry
public struct ServerHome: Sendable {
    public let path: String
    public let settings: ServerSettings

    public var trustPath: String { path + "/trust.signers" }
    var pluginsPath: String { path + "/plugins" }
    private static let mostBytes = 1 << 16

    /// Makes a new one: with an authority of its own, or with that of another server.
    public static func create(
        at path: String, settings: ServerSettings, authority: Authority?
    ) throws(Diagnostic) -> ServerHome {
        var status = stat()
        guard lstat(path + "/server.json", &status) != 0 else {
            throw Diagnostic(.serverHomeUnfit, "there is an escrow server at \(path) already")
        }
        try SecureFile.makeFolder(path)
        let isOwn = authority == nil
        let authority = if let authority { authority } else { try Authority.make(name: settings.name) }
        let pair = try authority.issue(
            .server(host: settings.host), name: settings.name, days: Authority.serverDays)
        let home = ServerHome(path: path, settings: settings)
        try home.write("authority.pem", authority.pair.certificate)
        if isOwn { try home.write("authority.key", authority.pair.key) }
        try home.write("server.pem", pair.certificate)
        try home.write("server.key", pair.key)
        try home.write("trust.signers", "")
        try SecureFile.makeFolder(home.pluginsPath)
        try home.write("server.json", String(decoding: JSONWriter.document(settings.json), as: UTF8.self))
        return home
    }

    /// Makes another folder for the same server: the same key and name, so that devices cannot tell which of the replicas behind a
    /// balancer they speak with. They share a registry, so it must be one that is not in the folder.
    public func replicate(at place: String, address: String?) throws(Diagnostic) -> ServerHome {
        guard settings.registry != nil else {
            throw Diagnostic(
                .registryUnusable, "replicas must share a registry, and this server has one of its own",
                help: "make the first with: escrow-server init --registry WORDS")
        }
        var status = stat()
        guard lstat(place + "/server.json", &status) != 0 else {
            throw Diagnostic(.serverHomeUnfit, "there is an escrow server at \(place) already")
        }
        var settings = settings
        if let address { settings.address = address }
        try SecureFile.makeFolder(place)
        let replica = ServerHome(path: place, settings: settings)
        // The authority's key stays where it is: one folder is enough to lose.
        for name in ["authority.pem", "server.pem", "server.key", "trust.signers"] {
            try replica.write(name, try read(name))
        }
        try SecureFile.makeFolder(replica.pluginsPath)
        try replica.write("server.json", String(decoding: JSONWriter.document(settings.json), as: UTF8.self))
        return replica
    }

    public static func open(at path: String) throws(Diagnostic) -> ServerHome {
        let file = path + "/server.json"
        guard let bytes = try SecureFile.readIfPresent(file, limit: mostBytes) else {
            throw Diagnostic(
                .serverHomeUnfit, "there is no escrow server at \(path)",
                help: "escrow-server init --folder \(path)")
        }
        return ServerHome(path: path, settings: try ServerSettings(parsing: bytes, file: file))
    }

    /// The server's own certificate and key.
    public func pair() throws(Diagnostic) -> KeyPair {
        KeyPair(certificate: try read("server.pem"), key: try read("server.key"))
    }

    public func authorityCertificate() throws(Diagnostic) -> String { try read("authority.pem") }

    /// The authority with its key; on the server that began the household alone.
    public func authority() throws(Diagnostic) -> Authority {
        guard let key = try SecureFile.readIfPresent(path + "/authority.key", limit: Self.mostBytes) else {
            throw Diagnostic(
                .serverHomeUnfit, "the authority's key is not on this server",
                help: "run this on the server that was made first, or with --authority FOLDER")
        }
        return Authority(
            KeyPair(certificate: try read("authority.pem"), key: String(decoding: key, as: UTF8.self)))
    }

    /// A new certificate for the same key: devices know the server by its key, and go on.
    public func renew(_ authority: Authority, days: Int = Authority.serverDays) throws(Diagnostic) {
        let old = try pair()
        let new = try authority.issue(
            .server(host: settings.host), name: settings.name, days: days, key: old.key)
        try write("server.pem", new.certificate)
    }

    public func trust() throws(Diagnostic) -> TrustStore { try TrustStore.load(trustPath) }

    private func read(_ name: String) throws(Diagnostic) -> String {
        String(decoding: try SecureFile.read(path + "/" + name, limit: Self.mostBytes), as: UTF8.self)
    }

    private func write(_ name: String, _ text: String) throws(Diagnostic) {
        try StoreFile(path + "/" + name, limit: Self.mostBytes, help: "choose shorter names")
            .replace(with: Array(text.utf8)) { _ in }
    }
}
