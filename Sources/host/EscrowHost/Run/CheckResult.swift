import EscrowComputation
import EscrowConsent
import EscrowDiagnostics
import EscrowJSON
import EscrowManifest
import EscrowTabular
import EscrowTrust
import EscrowWire

/// Step 11 of a run: the result as it came, checked against the declared schema and written out again from its typed
/// values, so that spacing, key order and the spelling of numbers carry nothing.
extension Runner {
    func checkResult(
        _ run: borrowing Run, _ product: Computation.Product, sentBytes: Int
    ) throws(Diagnostic) -> NormalizedResult {
        let manifest = run.plugin.manifest
        let result = try manifest.result.check(product.payload, plugin: PluginIdentity(manifest))
        // Requests and result share the day's allowance: both leave.
        let left = run.today.bytes - sentBytes
        guard result.size <= left else { throw .overAllowance("the result", left: left) }
        return result
    }
}
