public import EscrowAttestation
import EscrowAuthority
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
    /// Processes that wait for their one run, of the plugins in recent use; nil where none is to.
    private let pool: WarmPool?
    /// What did not change between two runs: signatures that hold, sealed copies of programs.
    private let plugins: PluginMemory
    private let places: Mutex<Places>
    /// Held while a package from the registry is installed: two runs that install at once would write the same file.
    private let installing = Mutex(())
    public let version: String
    /// Counters of runs and refusals.
    public let metrics = ServerMetrics()

    private let isMemoryLocked: Bool
    private let attester: (any Attesting)?
    /// Whose plugins run here, where this server proves that: as it was measured. Nil: as the file says at each run.
    private let measured: TrustStore?

    /// - Parameter ready: how many processes of a plugin in use wait for their run.
    public init(
        _ home: ServerHome, _ registry: any Registry, version: String, isMemoryLocked: Bool,
        attester: (any Attesting)? = nil, ready: Int = 0
    ) throws(Diagnostic) {
        self.attester = attester
        measured = try attester.map { (attester) throws(Diagnostic) in
            try TrustStore(parsing: attester.policy, file: home.trustPath)
        }
        self.isMemoryLocked = isMemoryLocked
        self.home = home
        self.registry = registry
        places = Mutex(Places(most: home.settings.runs))
        plugins = PluginMemory(directory: home.pluginsPath)
        self.version = version
        let sandbox = try Sandbox(configuration: .default)
        self.sandbox = sandbox
        pool =
            ready == 0
            ? nil : WarmPool(sandbox: sandbox, settings: .init(least: ready, most: max(ready, 4)))
    }

    /// Whether a device may ask at all. What cannot be looked up is a no.
    public func knows(_ fingerprint: String?) -> Bool {
        fingerprint.flatMap { mayAsk($0) } == true
    }

    /// Whether a device may ask; nil where it cannot be looked up.
    public func mayAsk(_ fingerprint: String) -> Bool? {
        do throws(Diagnostic) { return try registry.device(fingerprint).map { !$0.isRevoked } ?? false } catch
        {
            return nil
        }
    }

    /// The counters in Prometheus' format.
    public var metricsText: String {
        metrics.text(places: home.settings.runs, version: version, now: monotonicNanoseconds())
    }

    public func description() -> ServerDescription {
        var description = ServerMachine.description(home.settings, version: version)
        description.isMemoryLocked = isMemoryLocked
        let plugins = ((try? registry.plugins()) ?? []).filter { !$0.isRevoked }
        description.plugins = plugins.map { .init(id: $0.id, version: $0.version, manifest: $0.manifest) }
        return description
    }

    /// One of the places for runs that this server has; given back once, at the latest when the value goes.
    public final class Place: Sendable {
        private let service: RunService
        private let device: String
        private let isHeld = Mutex(true)
        fileprivate init(_ service: RunService, _ device: String) {
            self.service = service
            self.device = device
        }
        deinit { leave() }

        /// Gives it back.
        public func leave() {
            let isFirst = isHeld.withLock { isHeld in
                defer { isHeld = false }
                return isHeld
            }
            if isFirst { service.places.withLock { $0.leave(device) } }
        }
    }

    /// Ends the processes that wait for a run, and waits until they are gone.
    public func close() { pool?.close() }

    private func launch(
        _ plugin: borrowing VerifiedPlugin, _ limits: SandboxLimits
    ) throws(Diagnostic) -> SandboxedProcess {
        let (program, name) = (plugin.remoteProgram, plugin.manifest.id)
        guard let pool else { return try sandbox.launch(program, name: name, limits: limits) }
        // Verified a moment ago, at this run as at each: the manifest's digest stands for all that it lists.
        return try pool.launch(
            program, identity: "\(plugin.manifestDigest)/\(plugin.artifact.path)", name: name, limits: limits)
    }

    /// Starts a plugin for one run, or says why not.
    ///
    /// - Parameter device: SHA-256 of the certificate that the device showed, hexadecimal.
    public func begin(_ begin: Begin, device: String) throws(RemoteRefusal) -> (
        process: SandboxedProcess, begun: FromServer.Begun, place: Place
    ) {
        do throws(RemoteRefusal) {
            let started = try start(begin, device)
            metrics.began(launchSeconds: Double(started.begun.launchMicroseconds) / 1e6)
            return started
        } catch {
            metrics.refused(error)
            throw error
        }
    }

    private func start(_ begin: Begin, _ device: String) throws(RemoteRefusal) -> (
        process: SandboxedProcess, begun: FromServer.Begun, place: Place
    ) {
        guard places.withLock({ $0.take(device) }) else { throw .busy }
        let place = Place(self, device)
        let start = monotonicNanoseconds()
        try check(begin)
        let plugin: VerifiedPlugin
        do throws(Diagnostic) { plugin = try open(begin) } catch {
            Log.say(begin, "refused: \(error.code.rawValue)")
            throw error.code == .pluginRolledBack ? .rolledBack : .untrustedPlugin
        }
        let process: SandboxedProcess
        do throws(Diagnostic) {
            process = try launch(plugin, limits(begin.limits, plugin.manifest))
        } catch {
            Log.say(begin, "cannot be started: \(error.code.rawValue)")
            throw .walls
        }
        let begun = FromServer.Begun(
            server: home.settings.name, manifest: plugin.manifestDigest, version: version,
            launchMicroseconds: Int((monotonicNanoseconds() - start) / 1000),
            evidence: evidence(begin, device))
        return (process, begun, place)
    }

    /// What this server shows of itself, where it is asked to and can. A TPM that fails shows nothing: the device then refuses.
    private func evidence(_ begin: Begin, _ device: String) -> [UInt8] {
        guard let attester, begin.nonce.count == Challenge.nonceBytes, let pair = try? home.pair(),
            let pin = try? pair.pin
        else { return [] }
        do throws(Diagnostic) {
            return try attester.evidence(
                Challenge(nonce: begin.nonce, server: pin, device: device, manifest: begin.manifest))
        } catch {
            Log.say("\(error)")
            return []
        }
    }

    /// Asks the registry: the plugin is there in this version, is not revoked, and no newer one is.
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

    /// Verifies the plugin by this server's own trust store, and opens its program as a sealed copy.
    private func open(_ begin: Begin) throws(Diagnostic) -> VerifiedPlugin {
        let now = Moment(seconds: Int64(time(nil)))
        let trust = if let measured { measured } else { try home.trust() }
        let store = PluginStore(
            directory: home.pluginsPath, trust: trust, revocations: .none, installation: nil, memory: plugins)
        let isThere = try store.list().contains {
            $0.id == begin.plugin && $0.manifestDigest == begin.manifest
        }
        if !isThere { try install(begin, store, now) }
        let plugin = try store.open(begin.plugin, now: now)
        guard plugin.hasCode else {
            throw Diagnostic(.packageFileMissing, "\(begin.plugin) is here without its code")
        }
        return plugin
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

extension VerifiedPlugin {
    /// The sealed copies as the sandbox runs them; the descriptors are this value's.
    fileprivate var remoteProgram: SandboxProgram {
        guard let interpreter = artifact.interpreter else { return .executable(fd: program.descriptor) }
        let main = artifact.path.split(separator: "/").last.map(String.init) ?? artifact.path
        return .script(
            interpreter: interpreter.rawValue, main: main,
            files: [(main, program.descriptor)] + companions.entries.map { ($0.name, $0.descriptor) },
            mapsCode: manifest.profile == .native)
    }
}
