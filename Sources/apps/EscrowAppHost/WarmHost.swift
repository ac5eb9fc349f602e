package import EscrowDiagnostics
import EscrowFiles
import EscrowHome
package import EscrowHost
import Synchronization

/// The host of a process that stays: it keeps plugins ready between the runs of an app.
///
/// What decides about a run is what stands on the disk when it begins: the plugin is verified anew, by today's trust store,
/// revocations, ratchet and clock, and a process that was parked before is used only if the manifest is the same to the byte.
/// Besides, whenever one of the files that decide has changed since the run before, everything parked is ended.
package final class WarmHost: Sendable {
    private struct Current {
        var host: Host
        var policy: Policy
    }
    private let current: Mutex<Current>

    /// Takes over a host; nothing is started before its first run.
    package init(_ host: Host) throws(Diagnostic) {
        // Looked at before the configuration is read again: a change in between shows next time.
        let policy = Policy(host.home)
        current = Mutex(Current(host: try host.keptWarm(), policy: policy))
    }

    /// The host for one run: one configuration from its beginning to its end.
    package func forRun() throws(Diagnostic) -> Host {
        try current.withLock { (current: inout Current) throws(Diagnostic) -> Host in
            let policy = Policy(current.host.home)
            if policy != current.policy {
                // Runs that are under way end as they began.
                current.host.endParked()
                current.host = try current.host.keptWarm()
                current.policy = policy
            }
            return current.host
        }
    }

    /// Ends what is parked.
    package func close() { current.withLock { $0.host.endParked() } }
}

/// The state of the files that decide which plugins may run, and behind which walls. The individual's grants are not
/// among them: they are looked up for each run and shape no process.
private struct Policy: Equatable {
    private let stamps: [FileStamp?]

    init(_ home: Home) {
        stamps = [
            home.trustPath, home.revocationsPath, home.configurationPath, home.hostKeyPath,
            home.pluginsPath + "/installed.json", home.pluginsPath + "/ratchet.json",
            // Where the individual's own servers are is a part of the configuration.
            home.path + "/servers.json",
        ].map { FileStamp(path: $0) }
    }
}
