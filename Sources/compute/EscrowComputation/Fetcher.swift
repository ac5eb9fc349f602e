public import EscrowDiagnostics
public import EscrowEgress
public import EscrowJSON
public import EscrowWire

/// Answers a plugin's asks for requests to the network.
public protocol Fetcher: AnyObject {
    /// Sends what the plugin asks for, or refuses. A diagnostic ends the run.
    func fetch(_ name: String, _ fields: JSONNode, with file: (any RequestFile)?) throws(Diagnostic)
        -> Result<
            IncomingResponse, EgressRefusal
        >
    /// Sends all requests of a run in one go, and gives how each ended in the order in which they were asked for; or
    /// refuses them all. A diagnostic ends the run.
    func fetch(together asks: [RequestAsk]) throws(Diagnostic) -> Result<
        [Result<IncomingResponse, EgressRefusal>], EgressRefusal
    >
    /// The last request's refusal, unless a later one went through: why a plugin that gave up did so.
    var lastRefusal: EgressRefusal? { get }
}
