import EscrowDiagnostics
import EscrowEgress
import EscrowJSON

/// Answers a plugin's asks for requests to the network.
protocol Fetcher: AnyObject {
    /// Sends what the plugin asks for, or refuses. A diagnostic ends the run.
    func fetch(_ name: String, _ fields: JSONNode) throws(Diagnostic) -> Result<
        IncomingResponse, EgressRefusal
    >
    /// The last request's refusal, unless a later one went through: why a plugin that gave up did so.
    var lastRefusal: EgressRefusal? { get }
}
