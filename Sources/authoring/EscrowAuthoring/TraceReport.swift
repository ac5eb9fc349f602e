import EscrowConsole
import EscrowDiagnostics
import EscrowManifest
import EscrowSandbox

/// `escrow plugin test --trace`: the system calls that a plugin made in its cases, and what its profile does with them.
struct TraceReport {
    private let trace: Trace
    private let manifest: Manifest

    init(_ trace: Trace, of manifest: Manifest) {
        self.trace = trace
        self.manifest = manifest
    }

    /// Prints the calls, those first that end a run. Throws E0511 where there is one, and E1019 on a machine that
    /// cannot trace.
    func show() throws(Diagnostic) {
        guard !trace.wasBlind else {
            throw Diagnostic(
                .callsNotTraceable,
                "the system calls cannot be traced here: this host is itself watched by a seccomp listener",
                help:
                    "run `escrow plugin test --trace` outside the container; without --trace the cases run here"
            )
        }
        let entries = trace.entries
        Console.data("")
        Console.table(
            ["system call", "times", "in a run"],
            entries.map { [$0.call, "\($0.count)", $0.decision.description] })
        let refused = entries.count { $0.decision == .refused }
        guard refused > 0 else { return }
        let kinds = refused == 1 ? "1 kind of system call" : "\(refused) kinds of system calls"
        throw Diagnostic(
            .namedSystemCallNotAllowed,
            "\(manifest.id) makes \(kinds) that the profile \(profile) refuses; a run ends at the first",
            notes: [
                "in this test each was answered with EPERM instead; what came after may be different in a run"
            ],
            help: "remove them; `escrow doctor --filter \(profile)` lists what is allowed, and why")
    }

    private var profile: String { manifest.profile.rawValue }
}
