import EscrowDiagnostics
import EscrowTrust

/// Step 2 of a run: the plugin passes every check, and what passed them is held in sealed copies.
extension Runner {
    func verify(_ name: String) throws(Diagnostic) -> VerifiedPlugin {
        do throws(Diagnostic) { return try host.verified(name) } catch {
            host.discard(name)
            throw error
        }
    }
}
