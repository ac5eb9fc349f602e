public import EscrowConsent
public import EscrowDiagnostics

extension Host {
    /// Undoes the last decision, recorded before it holds; nil where the last change made none.
    public func undoDecision() throws(Diagnostic) -> UndoneDecision? { try grants.undo() }
}
