public import EscrowDiagnostics
import EscrowFiles
import EscrowManifest
public import EscrowOffloadWire
public import EscrowSandbox
public import EscrowServerRegistry
import EscrowTrust
import Glibc
import Synchronization

/// A server without its network: which plugin may run for whom, verified anew for each run, in a sandbox of its own.
public final class RunService: Sendable {
    private let home: ServerHome
    private let registry: any Registry
    private let sandbox: Sandbox
    private let running = Mutex(0)
    /// What is installed from the registry changes under this.
    private let installing = Mutex(())
    public let version: String

    private let isMemoryLocked: Bool

    public init(
        _ home: ServerHome, _ registry: any Registry, version: String, isMemoryLocked: Bool
    ) throws(Diagnostic) {
        self.isMemoryLocked = isMemoryLocked
        self.home = home
        self.registry = registry
        self.version = version
        sandbox = try Sandbox(configuration: .default)
    }

    /// Whether a device may ask at all. What cannot be looked up is a no.
    public func knows(_ fingerprint: String?) -> Bool {
        guard let fingerprint, let device = try? registry.device(fingerprint) else { return false }
        return !device.isRevoked
    }

    public func description() -> ServerDescription {
        var description = ServerMachine.description(home.settings, version: version)
        description.isMemoryLocked = isMemoryLocked
        let plugins = ((try? registry.plugins()) ?? []).filter { !$0.isRevoked }
        description.plugins = plugins.map { .init(id: $0.id, version: $0.version, manifest: $0.manifest) }
        return description
    }

    /// A place among the runs of this server; given back when the value goes.
    public final class Place: Sendable {
        private let service: RunService
        fileprivate init(_ service: RunService) { self.service = service }
        deinit { service.running.withLock { $0 -= 1 } }
    }

    /// Runs under way.
    public var runs: Int { running.withLock { $0 } }

    /// Starts a plugin for one run, or says why not.
    public func begin(_ begin: Begin) throws(RemoteRefusal) -> (
        process: SandboxedProcess, begun: FromServer.Begun, place: Place
    ) {
        let isRoom = running.withLock { count in
            guard count < home.settings.runs else { return false }
            count += 1
            return true
        }
        guard isRoom else { throw .busy }
        let place = Place(self)
        let start = monotonicNanoseconds()
        try check(begin)
        let plugin: VerifiedPlugin
        do throws(Diagnostic) { plugin = try open(begin) } catch {
            Log.say("run \(begin.run): \(begin.plugin) is refused: \(error.code.rawValue)")
            throw error.code == .pluginRolledBack ? .rolledBack : .untrustedPlugin
        }
        let process: SandboxedProcess
        do throws(Diagnostic) {
            process = try sandbox.launch(
                plugin.remoteProgram, name: plugin.manifest.id, limits: limits(begin.limits, plugin.manifest))
        } catch {
            Log.say("run \(begin.run): \(begin.plugin) cannot be started: \(error.code.rawValue)")
            throw .walls
        }
        let begun = FromServer.Begun(
            server: home.settings.name, manifest: plugin.manifestDigest, version: version,
            launchMicroseconds: Int((monotonicNanoseconds() - start) / 1000))
        return (process, begun, place)
    }

    /// The registry's word.
    private func check(_ begin: Begin) throws(RemoteRefusal) {
        guard begin.manifest.utf8.count == 64, let versions = try? registry.plugins(begin.plugin) else {
            throw .unknownPlugin
        }
        guard !versions.isEmpty else { throw .unknownPlugin }
        guard let wanted = versions.first(where: { $0.manifest == begin.manifest }) else {
            throw .anotherVersion
        }
        guard !wanted.isRevoked else { throw .revokedPlugin }
        guard versions.allSatisfy({ $0.isRevoked || $0.sequence <= wanted.sequence }) else {
            throw .rolledBack
        }
    }

    /// The verifier's word, by this server's own trust store, with the program sealed.
    private func open(_ begin: Begin) throws(Diagnostic) -> VerifiedPlugin {
        let now = Moment(seconds: Int64(time(nil)))
        let store = PluginStore(
            directory: home.pluginsPath, trust: try home.trust(), revocations: .none, installation: nil)
        let isThere = try store.list().contains {
            $0.id == begin.plugin && $0.manifestDigest == begin.manifest
        }
        if !isThere { try install(begin, store, now) }
        return try store.open(begin.plugin, now: now)
    }

    /// Takes a package out of the registry, where another server may have put it.
    private func install(_ begin: Begin, _ store: PluginStore, _ now: Moment) throws(Diagnostic) {
        let result = installing.withLock { _ in
            Result { () throws(Diagnostic) in
                guard let package = try registry.package(begin.manifest) else {
                    throw Diagnostic(.notRegisteredHere, "the package was removed")
                }
                let path = "\(home.path)/.package.\(getpid())"
                defer { unlink(path) }
                try SecureFile.replace(path, with: package)
                _ = try store.install(path, now: now)
            }
        }
        try result.get()
    }

    /// The smallest of what the device asks for, what the manifest asks for and what this server allows.
    private func limits(_ asked: RemoteLimits, _ manifest: Manifest) -> SandboxLimits {
        let most = SandboxLimits.maximum
        var limits = SandboxLimits.standard
        limits.wallSeconds = min(max(Double(asked.wallMilliseconds) / 1000, 0.001), most.wallSeconds)
        limits.cpuSeconds = min(max(asked.cpuSeconds, 1), most.cpuSeconds)
        limits.memoryMiB = min(max(asked.memoryMiB, 1), home.settings.memoryMiB)
        limits.outputBytes = min(max(asked.outputBytes, 1), most.outputBytes)
        limits.logBytes = min(max(asked.logBytes, 1), most.logBytes)
        limits.processes = min(max(asked.processes, 1), most.processes)
        return limits
    }
}

/// What a server's owner may read on stderr: plugins, codes and counts, nothing of a run's data.
public enum Log {
    public static func say(_ words: String) {
        let line = Array("escrow-server: \(words)\n".utf8)
        _ = line.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
    }
}

extension VerifiedPlugin {
    /// The sealed copies as the sandbox runs them; the descriptors are this value's.
    fileprivate var remoteProgram: SandboxProgram {
        guard let interpreter = artifact.interpreter else { return .executable(fd: program.descriptor) }
        let main = artifact.path.split(separator: "/").last.map(String.init) ?? artifact.path
        return .script(
            interpreter: interpreter.rawValue, main: main,
            files: [(main, program.descriptor)] + companions.entries.map { ($0.name, $0.descriptor) })
    }
}
