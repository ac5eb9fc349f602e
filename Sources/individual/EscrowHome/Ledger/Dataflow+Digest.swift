package import EscrowConsent
import EscrowJSON
import EscrowTrust

extension Dataflow {
    /// `sha256:` and the digest of its one spelling, without the values that the app sets: those stand in no record.
    package var digest: String {
        var dataflow = self
        dataflow.arguments = [:]
        return Self.digests.output(for: dataflow) {
            "sha256:\(Digest(of: JSONWriter.line(dataflow.json)))"
        }
    }

    private static let digests = Recent<Dataflow, String>()
}
