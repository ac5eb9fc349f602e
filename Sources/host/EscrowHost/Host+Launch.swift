import EscrowComputation
package import EscrowDiagnostics
import EscrowHome
import EscrowManifest
import EscrowRelational
import EscrowRemote
import EscrowSandbox
import EscrowTrust
import Synchronization

/// What a host that serves many runs keeps between them: what is known of its plugins, parked processes, and connections to servers.
final class LaunchCache: Sendable {
    /// Signatures, sealed copies and readings. A new configuration keeps them: each holds only for what it came from.
    let plugins: PluginMemory
    let connections = RemoteConnections()
    private let pool = Mutex<WarmPool?>(nil)

    init(plugins: PluginMemory) { self.plugins = plugins }

    /// The pool of one sandbox.
    func pool(for sandbox: Sandbox) -> WarmPool {
        pool.withLock { pool in
            let found = pool ?? WarmPool(sandbox: sandbox)
            pool = found
            return found
        }
    }

    /// The pool, if something was launched from it.
    var filled: WarmPool? { pool.withLock { $0 } }
}

extension Host {
    /// The same home with the configuration as it is now, and processes kept ready from now on.
    package func keptWarm() throws(Diagnostic) -> Host {
        let plugins = launchCache?.plugins ?? PluginMemory(directory: home.pluginsPath)
        return try Host(self, launchCache: LaunchCache(plugins: plugins))
    }

    /// Opens a database connection for the next query, if the last query took the one that was ready.
    package func refill() { spare?.refill() }

    /// Connections to servers that are kept between runs.
    var connections: RemoteConnections? { launchCache?.connections }

    /// Ends the parked processes, and waits until they are gone, and the connections that nothing uses. Runs under way go on.
    package func endParked() {
        launchCache?.filled?.close()
        launchCache?.connections.close()
    }

    /// A process for one run of a plugin that was just verified.
    func launch(
        _ plugin: borrowing VerifiedPlugin, limits: SandboxLimits
    ) throws(Diagnostic) -> SandboxedProcess {
        let sandbox = try sandbox()
        let name = plugin.manifest.id
        guard let launchCache else {
            return try sandbox.launch(plugin.sandboxProgram, name: name, limits: limits)
        }
        // The manifest's digest stands for all that it lists: its program and files by digest, its interpreter, its limits.
        return try launchCache.pool(for: sandbox).launch(
            plugin.sandboxProgram, identity: "\(plugin.manifestDigest)/\(plugin.artifact.path)", name: name,
            limits: limits)
    }

    /// Ends the parked processes of a plugin that no longer passes its checks. The plugin is named by its id or its short name.
    func discard(_ plugin: String) {
        launchCache?.filled?.discard { $0 == plugin || $0.hasSuffix("." + plugin) }
    }
}
