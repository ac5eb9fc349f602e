public import EscrowAuthority
public import EscrowDiagnostics
import EscrowFiles
import EscrowManifest
import EscrowOffloadWire
public import EscrowServerRegistry
import EscrowServers
import EscrowTrust
import Glibc

extension ServerHome {
    /// The registry that the settings name.
    public func registry() throws(Diagnostic) -> any Registry {
        if let words = settings.registry { return try PostgresRegistry(words) }
        return try SQLiteRegistry(path + "/registry.db")
    }

    /// Checks a package by this server's trust and puts it into the registry.
    public func register(_ package: String, in registry: any Registry) throws(Diagnostic) -> RegisteredPlugin
    {
        let now = Moment(seconds: Int64(time(nil)))
        let store = PluginStore(
            directory: pluginsPath, trust: try trust(), revocations: .none, installation: nil)
        // Read once: what is checked is what is kept.
        let bytes = try SecureFile.read(package, limit: 1 << 30)
        let copy = "\(path)/.new.\(getpid())"
        defer { unlink(copy) }
        try SecureFile.replace(copy, with: bytes)
        let verified = try store.inspect(copy, now: now)
        guard verified.hasCode else {
            throw Diagnostic(
                .packageFileMissing,
                "this is a device's part of \(verified.manifest.id): it has none of the code that would run here",
                help: "ask its publisher for the whole package")
        }
        let plugin = RegisteredPlugin(
            id: verified.manifest.id, version: verified.manifest.version.description,
            manifest: verified.digest.hexadecimal, sequence: Int64(verified.manifest.sequence))
        if try registry.plugins(plugin.id).contains(where: { $0.manifest == plugin.manifest && $0.isRevoked })
        {
            throw Diagnostic(.pluginRevokedThere, "this version was revoked here, for ever")
        }
        try registry.register(plugin, package: bytes)
        return plugin
    }

    /// Makes a device's keys and lets it ask; the file for `escrow server add`.
    public func enrol(
        _ device: String, in registry: any Registry, by authority: Authority
    ) throws(Diagnostic) -> [UInt8] {
        let pair = try authority.issue(.device, name: device, days: Authority.deviceDays)
        try registry.enrol(RegisteredDevice(name: device, fingerprint: try pair.fingerprint))
        let server = EscrowServer(
            id: settings.name,
            target: RemoteTarget(
                host: settings.host, port: settings.port, authority: try authorityCertificate(),
                pin: try self.pair().pin, certificate: pair.certificate, key: pair.key), plugins: ["*"])
        return server.document
    }
}
