public import EscrowDiagnostics
import EscrowManifest

/// Why a request was not sent, or its answer not taken. The plugin gets the code alone.
public struct EgressRefusal: Error, Sendable, Equatable {
    /// What a plugin is told, a word of the protocol.
    public enum Code: String, Sendable, CaseIterable {
        /// The manifest has no endpoint of that name.
        case undeclared = "egress-undeclared"
        /// A field is missing, unknown, of another type or out of its bounds.
        case fieldInvalid = "egress-field-invalid"
        /// One by one where the manifest says together, together where it does not, or together a second time.
        case together = "egress-together"
        /// No more calls or bytes in this run, or today.
        case budget = "egress-budget"
        /// The individual's grant no longer covers it.
        case notGranted = "egress-not-granted"
        /// No answer: the name, the address, the connection, its certificate, or time.
        case unreachable = "egress-unreachable"
        /// The answer was not one that the manifest describes.
        case badAnswer = "egress-bad-answer"
        /// The answer was larger than the manifest says.
        case tooLarge = "egress-response-too-large"
    }

    /// What the plugin is told.
    public let code: Code
    /// What the owner is told: `E0602` and on.
    public let diagnostic: Diagnostic

    /// After the last moment at which a request may leave.
    static func tooLate(_ endpoint: EgressEndpoint) -> EgressRefusal {
        EgressRefusal(
            .budget,
            Diagnostic(
                .egressBudgetUsedUp, "\(endpoint.name) was asked for too late in the run, so it was not sent")
        )
    }

    /// A run's bytes are used up.
    static func tooManyBytes(_ endpoint: EgressEndpoint, _ most: Int) -> EgressRefusal {
        EgressRefusal(
            .budget,
            Diagnostic(
                .egressBudgetUsedUp,
                "\(endpoint.name) may send \(most) bytes in one run, and this would be more",
                help: "plugin authors: \"maxBytes\" of the endpoint in the manifest"))
    }

    /// Pairs them.
    public init(_ code: Code, _ diagnostic: Diagnostic) {
        self.code = code
        self.diagnostic = diagnostic
    }
}
