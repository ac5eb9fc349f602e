import EscrowDiagnostics
public import EscrowManifest

/// Holds a plugin to how its manifest says that it asks: for one request after the other, or once for all of a run.
///
/// The moment at which requests leave together is counted once a run, so there is one such ask, whatever came of it.
public struct AskRule: Sendable {
    private let isTogether: Bool
    private var hasAsked = false

    /// Takes the endpoints of a manifest.
    public init(_ endpoints: [EgressEndpoint]) { isTogether = EgressEndpoint.areTogether(endpoints) }

    /// Lets an ask pass, or says why it is refused: E0613.
    public mutating func admit(together: Bool) throws(EgressRefusal) {
        guard together == isTogether else {
            throw Self.refusal(
                isTogether
                    ? "the plugin asked for one request, and its manifest has all of a run sent together"
                    : "the plugin asked for requests together, and its manifest does not say so")
        }
        guard !hasAsked || !together else {
            throw Self.refusal("the plugin asked a second time for requests that are sent together")
        }
        hasAsked = true
    }

    private static func refusal(_ words: String) -> EgressRefusal {
        EgressRefusal(
            .together,
            Diagnostic(
                .notTogether, "\(words), so nothing was sent",
                help: "plugin authors: \"together\" of the endpoints in the manifest"))
    }
}
