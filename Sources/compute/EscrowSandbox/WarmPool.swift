public import EscrowDiagnostics
import Glibc

/// Processes that are ready before they are asked for: inside every wall, exec'd, waiting for their first byte.
///
/// Each serves one run and is gone with it, so that nothing of one run reaches another; what is saved is the wait for the
/// sandbox and for the program's start. A thread of the pool parks new ones for the programs in recent use.
///
/// The pool judges no program: the caller of `launch` has verified it, and names by `identity` what was verified. A parked
/// process is handed out only for the identity, arguments and limits that it was started with.
public final class WarmPool: Sendable {
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
        /// While runs are under way, so many MiB of each program's copies wait for the next.
        public var copiesMiB: Int
        /// A program that nobody ran for so long is no longer kept ready.
        public var idleSeconds: Double
        /// How long after a run's end the pool leaves the processors to what is still to be done for it, while a process is parked.
        public var restSeconds: Double

        public init(
            programs: Int = 4, least: Int = 2, most: Int = 4, memoryMiB: Int = 2048, copiesMiB: Int = 128,
            idleSeconds: Double = 300, restSeconds: Double = 0.004
        ) {
            self.programs = programs
            self.least = least
            self.most = most
            self.memoryMiB = memoryMiB
            self.copiesMiB = copiesMiB
            self.idleSeconds = idleSeconds
            self.restSeconds = restSeconds
        }
    }

    public struct Counts: Sendable, Equatable {
        public var parked = 0
        public var warm = 0
        public var cold = 0
        /// Parked processes that had ended before a run took them.
        public var dead = 0
    }

    let worker: PoolWorker
    private let sandbox: Sandbox

    /// A pool for one sandbox. Nothing is started before the first launch.
    public init(sandbox: Sandbox, settings: Settings = Settings()) {
        self.sandbox = sandbox
        worker = PoolWorker(sandbox: sandbox, settings: settings)
    }

    deinit { worker.close() }

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
        let found = worker.take(key)
        if let process = found.process { return process }
        do throws(Canary.Failure) { try sandbox.proveWalls() } catch { throw error.diagnostic }
        let prepared =
            if let known = found.program { known } else {
                try sandbox.prepare(
                    program, arguments: arguments, limits: limits,
                    copies: RunCopies(mostBytes: worker.mostCopied))
            }
        let process = try sandbox.start(prepared)
        worker.remember(key, prepared, process)
        return process
    }

    /// Ends what is parked under the names for which this is true: those plugins are no longer trusted, or gone.
    public func discard(where isStale: (String) -> Bool) { worker.discard { isStale($0.name) } }

    /// Ends all that is parked: what was verified before may no longer hold.
    public func empty() { worker.discard { _ in true } }

    /// Ends all that is parked, waits until it is gone, and parks nothing more. Launches after it start cold.
    public func close() { worker.close() }

    /// How many of a program are to be parked now. Parking copies a whole program, so while runs are under way only one is
    /// parked for each of them.
    static func wanted(depth: Int, running: Int) -> Int { running == 0 ? depth : min(depth, running) }

    public var counts: Counts { worker.counts }
}

/// All that shaped a parked process. The configuration is the sandbox's, and a pool has one sandbox for life.
struct WarmKey: Sendable, Equatable {
    let name: String
    let identity: String
    let profile: SandboxProfile
    let arguments: [String]
    let limits: SandboxLimits
}
