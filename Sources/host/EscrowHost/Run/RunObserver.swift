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

/// Watches for nobody: a plan, a run that no one looks at, or one for an app or an agent, which nothing but the result reaches. How
/// far a plugin says it is, is a number of the plugin's own making, and could spell out what it sees.
public struct Silence: RunObserver {
    /// Makes it.
    public init() {}
    public func explain(_ lines: [String]) {}
    public func progress(_ fraction: Double) {}
    public func log(_ bytes: [UInt8]) {}
}
