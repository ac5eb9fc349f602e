import EscrowComputation
package import EscrowDiagnostics
import EscrowManifest
import EscrowRelational
import EscrowSandbox
import EscrowTrust
import Synchronization

/// What a host that stays keeps between runs.
final class Warmth: Sendable {
    /// Sealed copies of programs; they outlive a change of the configuration, since they are compared at each use.
    let cache: SealedCache
    private let pool = Mutex<WarmPool?>(nil)

    init(cache: SealedCache) { self.cache = cache }

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
        try Host(self, warmth: Warmth(cache: warmth?.cache ?? SealedCache()))
    }

    /// Opens a connection for whoever asks next, where one was taken.
    package func refill() { spare?.refill() }

    /// Ends all that is parked, and waits until it is gone. Runs that are under way go on.
    package func endWarmth() { warmth?.filled?.close() }

    /// A process for one run of a plugin that was just verified.
    func launch(
        _ plugin: borrowing VerifiedPlugin, limits: SandboxLimits
    ) throws(Diagnostic) -> SandboxedProcess {
        let sandbox = try sandbox()
        let name = plugin.manifest.id
        guard let warmth else { return try sandbox.launch(plugin.sandboxProgram, name: name, limits: limits) }
        // The manifest's digest stands for all that it lists: its program and files by digest, its interpreter, its limits.
        return try warmth.pool(for: sandbox).launch(
            plugin.sandboxProgram, identity: "\(plugin.manifestDigest)/\(plugin.artifact.path)", name: name,
            limits: limits)
    }

    /// Ends what is parked for a plugin that did not pass today: under its id, or its short name.
    func discard(_ plugin: String) {
        warmth?.filled?.discard { $0 == plugin || $0.hasSuffix("." + plugin) }
    }
}
