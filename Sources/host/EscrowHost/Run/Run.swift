import EscrowConsent
import EscrowTrust

/// What passes between the steps of one run.
///
/// A class, as it holds a manifest and two descriptions: of a value that cannot be copied, the compiler follows each of
/// thousands of members at each use, which took it 85 s in place of 7.
final class Run {
    /// What the app asked for.
    let request: RunRequest
    /// What runs.
    let plugin: VerifiedPlugin
    /// What was decided about: all that is asked for.
    let asked: DataflowDescription
    /// What is served: that, or less.
    var resolved: Runner.Resolved
    /// What lets it run.
    var decision: Decision
    /// How much of the day's allowance it may use.
    var today = DayUse(cpuSeconds: 0, bytes: 0)
    /// What it took: time, rows, bytes.
    var figures: RunFigures

    init(
        _ request: RunRequest, _ plugin: consuming VerifiedPlugin, _ resolved: Runner.Resolved,
        _ figures: RunFigures
    ) {
        self.request = request
        self.plugin = plugin
        self.resolved = resolved
        self.figures = figures
        asked = resolved.description
        decision = resolved.rules
    }

    /// Its id in the ledger.
    var id: String { resolved.run }
    /// The dataflow as it is served.
    var description: DataflowDescription { resolved.description }
}
