public import EscrowDiagnostics
import EscrowHome
import EscrowManifest

extension Host {
    /// Keeps why a run of an app failed, for the individual: the app is told one fixed sentence. What is undecided waits elsewhere, and
    /// what the individual decided is no failure. Where it cannot be kept nothing else is lost.
    public func noteFailure(_ failure: Diagnostic, app: String, plugin: String, hasReadData: Bool) {
        guard ![.denied, .undecided].contains(failure.exitStatus), let time = try? now() else { return }
        try? FailureLog(home: home.path).note(
            failure, app: app, plugin: plugin, hasReadData: hasReadData, time: time.description)
    }
}
