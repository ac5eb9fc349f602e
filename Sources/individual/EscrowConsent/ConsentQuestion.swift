public import EscrowDiagnostics

/// What the individual is asked: a dataflow, why it is asked about, and how many rows it reads.
public struct ConsentQuestion {
    let description: DataflowDescription
    let reason: ConsentReason
    let why: String
    /// Whether the result can be looked at before it is decided: not where it sends, for what is sent cannot be taken back.
    let previews: Bool
    /// About how many rows of each table are served under a limit; throws where it cannot be served.
    let count: (GrantLimit) throws(Diagnostic) -> [String: RowCount]

    /// Asks about a dataflow that nobody has decided about.
    public init(
        _ description: DataflowDescription, reason: ConsentReason = .neverAsked, why: String = "",
        previews: Bool = true,
        count: @escaping (GrantLimit) throws(Diagnostic) -> [String: RowCount] = { _ throws(Diagnostic) in [:]
        }
    ) {
        self.description = description
        self.reason = reason
        self.why = why
        self.previews = previews && !description.sends
        self.count = count
    }
}
