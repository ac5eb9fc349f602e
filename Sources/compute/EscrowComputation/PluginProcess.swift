package import EscrowDiagnostics
package import EscrowSandbox

/// A plugin's process, as a run speaks with it. `SandboxedProcess` says what each call means.
package protocol PluginProcess: AnyObject, Sendable {
    /// How many bytes of `Computation.opening` it was given as it was launched; the rest is to be written.
    var sentAtLaunch: Int { get }
    func write(_ bytes: [UInt8]) throws(SandboxIOError)
    func read(max: Int) throws(SandboxIOError) -> [UInt8]
    /// Bytes that were written and not read by the plugin yet.
    var unreadInput: Int { get }
    func closeInput()
    func kill(reason: KillReason)
    func end(at limit: Outcome.Limit)
    func finish() -> Outcome
    /// Why it failed, where its outcome does not say: a server, or the way to it.
    var failure: Diagnostic? { get }
}

extension PluginProcess {
    package var sentAtLaunch: Int { 0 }
}

extension SandboxedProcess: PluginProcess {
    package var failure: Diagnostic? { nil }
    package func finish() -> Outcome { finish(graceSeconds: 1) }
}
