public import EscrowDiagnostics
import Glibc

/// Processes that are ready before they are asked for: inside every wall, exec'd, waiting for their first byte.
///
/// Each serves exactly one run and is gone with it, so that nothing of one run can be seen in another; what is saved
/// is the wait for the sandbox and for the program's own start. A thread of the pool's own parks new ones behind the
/// caller's back, for the programs in recent use.
///
/// The pool judges no program. Whoever calls `launch` has just verified it, and names by `identity` exactly what was
/// verified; a parked process is handed out only for the same identity, arguments and limits as it was started with.
public final class WarmPool: Sendable {
    /// How much is kept ready.
    public struct Settings: Sendable {
        /// How many programs are kept ready, those used last.
        public var programs: Int
        /// How many processes of a program are parked at first.
        public var least: Int
        /// How many are parked of a program whose runs often found none.
        public var most: Int
        /// The sum of the memory limits of all that is parked, and of its own copies of programs and libraries, in MiB.
        /// What they really use is far less.
        public var memoryMiB: Int
        /// A program that nobody ran for so long is no longer kept ready.
        public var idleSeconds: Double

        /// Settings; what is not given has its standard value.
        public init(
            programs: Int = 4, least: Int = 2, most: Int = 4, memoryMiB: Int = 2048,
            idleSeconds: Double = 300
        ) {
            self.programs = programs
            self.least = least
            self.most = most
            self.memoryMiB = memoryMiB
            self.idleSeconds = idleSeconds
        }
    }

    /// What the pool did so far.
    public struct Counts: Sendable, Equatable {
        /// Processes that are parked now.
        public var parked = 0
        /// Runs that got a parked process.
        public var warm = 0
        /// Runs whose process had to be started.
        public var cold = 0
        /// Parked processes that had ended before a run took them.
        public var dead = 0
    }

    let keeper: WarmKeeper
    private let sandbox: Sandbox

    /// A pool for one sandbox. Nothing is started before the first launch.
    public init(sandbox: Sandbox, settings: Settings = Settings()) {
        self.sandbox = sandbox
        keeper = WarmKeeper(sandbox: sandbox, settings: settings)
    }

    deinit { keeper.close() }

    /// A process for one run: a parked one where there is one, else a new one. From then on some are kept parked.
    ///
    /// `identity` must name what was verified, byte for byte: for example the digest of a manifest that lists the
    /// digests of its files. `name` is the plugin's: processes parked under that name for anything else are ended.
    ///
    /// Throws as `Sandbox.launch` does.
    public func launch(
        _ program: SandboxProgram, identity: String, name: String, arguments: [String] = [],
        limits: SandboxLimits = .standard
    ) throws(Diagnostic) -> SandboxedProcess {
        let key = WarmKey(
            name: name, identity: identity, profile: program.profile, arguments: arguments, limits: limits
        )
        let found = keeper.take(key)
        if let process = found.process { return process }
        do throws(Canary.Failure) { try sandbox.proveWalls() } catch { throw error.diagnostic }
        let prepared =
            if let known = found.program { known } else {
                try sandbox.prepare(program, arguments: arguments, limits: limits)
            }
        let process = try sandbox.start(prepared)
        keeper.remember(key, prepared, process)
        return process
    }

    /// Ends what is parked under the names for which this is true: those plugins are no longer trusted, or gone.
    public func discard(where isStale: (String) -> Bool) { keeper.discard { isStale($0.name) } }

    /// Ends all that is parked: what was verified before may no longer hold.
    public func empty() { keeper.discard { _ in true } }

    /// Ends all that is parked, waits until it is gone, and parks nothing more. Launches after it start cold.
    public func close() { keeper.close() }

    /// How many of a program are to be parked now. To make one is to copy a whole program: that waits until the runs are over, as
    /// long as there is one for each of them, and does not take the processors from who waits for a result.
    static func wanted(depth: Int, running: Int) -> Int { running == 0 ? depth : min(depth, running) }

    /// What the pool did so far.
    public var counts: Counts { keeper.counts }
}

/// All that shaped a parked process. The configuration is the sandbox's, and a pool has one sandbox for life.
struct WarmKey: Sendable, Equatable {
    let name: String
    let identity: String
    let profile: SandboxProfile
    let arguments: [String]
    let limits: SandboxLimits
}
