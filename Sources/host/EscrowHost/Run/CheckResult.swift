import EscrowAppWire
import EscrowComputation
import EscrowConsent
import EscrowDiagnostics
import EscrowManifest

/// Step 11 of a run: the result as it came, checked against the declared schema and written out again from its typed
/// values, so that spacing, key order and the spelling of numbers carry nothing.
extension Runner {
    func checkResult(
        _ run: Run, _ product: Computation.Product, sentBytes: Int
    ) throws(Diagnostic) -> NormalizedResult {
        let result = try product.result.get()
        // Requests and result share the day's allowance: both leave.
        let left = run.today.bytes - sentBytes
        guard result.size <= left else { throw .overAllowance("the result", left: left) }
        // What no app can be handed is not to be recorded as returned.
        try AppResult.checkRoom(for: result.json)
        return result
    }
}

extension Diagnostic {
    /// A request or a result would be more than the rules leave of the day.
    static func overAllowance(_ what: String, left: Int) -> Diagnostic {
        Diagnostic(
            .moreThanTodayLeaves, "\(what) is more than your rules leave of today, so it was not handed over",
            notes: ["\(max(0, left)) bytes are left, with what runs under way may use taken off"],
            help: "see your rules: escrow preferences show; a new day is a new allowance")
    }
}
