public import EscrowManifest

/// What one run takes of a grant's budget of a day, in whole bits.
///
/// The start of the run is taken before the plugin can choose to send nothing, and each request before it leaves, so that a host
/// that is killed has taken enough. As a code these lengths obey Kraft's inequality: runs that take no more than b bits together
/// can be told apart in at most 2^b ways.
public struct RunCharge: Sendable {
    private let manifest: Manifest
    private var bits: Double
    private var hasSent = false

    /// The start of a run.
    public init(_ manifest: Manifest) {
        self.manifest = manifest
        bits = manifest.budgetBitsAtStart
    }

    /// All until now. Only the sum is rounded up, so that a run takes no more than its sheet says.
    public var whole: Int { Int((bits - 1e-9).rounded(.up)) }

    /// The same with a further request, or with some that leave together.
    public func adding(_ endpoint: EgressEndpoint) -> RunCharge {
        var charge = self
        charge.bits += manifest.budgetBits(of: endpoint, isFirst: !hasSent)
        if endpoint.template.effect == nil { charge.hasSent = true }
        return charge
    }
}
