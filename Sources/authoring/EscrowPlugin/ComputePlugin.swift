import Glibc

/// A plugin: one function from rows to a result. Mark the type `@main`; the rest is the kit's.
///
///     import EscrowPlugin
///
///     @main struct AverageAge: ComputePlugin {
///         func compute(_ run: borrowing Run) throws -> Result {
///             var sum = 0
///             var count = 0
///             for row in run.rows {
///                 sum += try row.integer("age")
///                 count += 1
///             }
///             guard count > 0 else { throw Refusal(.notEnoughData, "no rows matched") }
///             return ["mean_age": .real(Double(sum) / Double(count)), "n": .integer(count)]
///         }
///     }
///
/// A plugin runs in a sandbox without files, network, threads or command-line arguments: no Foundation, no Dispatch, no
/// concurrency. One process serves one run.
public protocol ComputePlugin {
    /// Makes the plugin.
    init()
    /// Maps rows to a result. Throw a ``Refusal`` to say no; any other error ends the run as a failure of the
    /// plugin, and its text goes to the log, which never leaves the person's machine.
    func compute(_ run: borrowing Run) throws -> Result
}

extension ComputePlugin {
    /// Runs the plugin for the host on the other end of stdin and stdout, and ends the process.
    public static func main() {
        guard getenv("ESCROW_PLUGIN") != nil else {
            StandardStreams.complain("This is an escrow plugin. Try: escrow plugin test")
            exit(64)
        }
        keepFreedMemory()
        exit(serve(Self(), over: StandardStreams()).rawValue)
    }

    /// Every batch takes and gives back some hundred kilobytes. The C library would hand them to the kernel and have them
    /// zeroed anew each time, most of what reading rows cost. How much it keeps it learns from the largest block
    /// that was ever freed (mallopt(3), M_MMAP_THRESHOLD); this one is never touched, so it takes no memory.
    private static func keepFreedMemory() {
        var block: UnsafeMutableRawPointer?
        if posix_memalign(&block, 4_096, 16 << 20) == 0 { free(block) }
    }

    /// Runs a plugin over a channel, from the host's first line to the result.
    package static func serve(_ plugin: Self, over channel: some HostChannel) -> PluginExit {
        do {
            let connection = try HostConnection(channel)
            let outcome: PluginOutcome
            do {
                let result = try plugin.compute(Run(connection))
                // Rows that broke off end a loop without a word: what came out of it is worth nothing.
                if let failure = connection.failure { throw failure }
                outcome = .result(result)
            } catch let refusal as Refusal {
                outcome = .refusal(refusal)
            }
            try connection.send(outcome)
            return .done
        } catch let error as PluginError {
            if error.code == .cancelled { return .cancelled }
            StandardStreams.complain("\(error)")
        } catch {
            StandardStreams.complain("\(error)")
        }
        return .failed
    }
}

/// How a plugin's process ends.
package enum PluginExit: Int32, Sendable {
    /// The result or the refusal is out.
    case done = 0
    /// An error that is no refusal (sysexits: EX_SOFTWARE).
    case failed = 70
    /// The host cancelled (sysexits: EX_TEMPFAIL).
    case cancelled = 75
}
