import EscrowConsent
import EscrowDiagnostics

/// Watches a run on the individual's side.
public protocol RunObserver {
    /// What the run waits for.
    func explain(_ lines: [String])
    /// How wide these lines may be.
    var columns: Int { get }
    /// The run is decided about, and begins; what allows it, in one sentence, where that is more than this run.
    func begins(_ allowed: String?)
    /// How far the plugin says it is, from 0 to 1.
    func progress(_ fraction: Double)
    /// What the plugin wrote on stderr. It may hold data of the individual's: for this terminal only.
    func log(_ bytes: [UInt8])
}

extension RunObserver {
    /// As records have them.
    public var columns: Int { 96 }
    public func begins(_ allowed: String?) {}
}

extension Runner {
    /// Tells that the run begins. Where nobody was asked just now, what the question would have warned of is told too.
    func begin(_ run: borrowing Run) {
        let allowed = run.decision.sentence
        for warning in allowed == nil ? [] : run.asked.warnings {
            let text = PlainText.neutral(warning, longest: 1000)
            observer.explain(TerminalText.hanging("warning  \(text)", width: observer.columns))
        }
        observer.begins(allowed)
    }
}
