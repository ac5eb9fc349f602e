public import EscrowConsent
public import EscrowDiagnostics

/// What the individual is asked: a dataflow, why it is asked about, and how many rows it reads.
public struct ConsentQuestion {
    let description: DataflowDescription
    let reason: ConsentReason
    let why: String
    let changes: [String]
    /// Whether the result can be looked at before it is decided: not where it sends, for what is sent cannot be taken back.
    let previews: Bool
    /// About how many rows of each table are served under a limit; throws where it cannot be served.
    let count: (GrantLimit) throws(Diagnostic) -> [String: RowCount]
    /// What its columns look like under a limit, for whoever chooses less.
    let examples: (GrantLimit) throws(Diagnostic) -> [ColumnExample]
    /// The first records of its tables that have these words, for whoever picks some.
    let records: (String) throws(Diagnostic) -> [RecordExample]

    /// Asks about a dataflow that nobody has decided about.
    public init(
        _ description: DataflowDescription, reason: ConsentReason = .neverAsked, why: String = "",
        changes: [String] = [], previews: Bool = true,
        count: @escaping (GrantLimit) throws(Diagnostic) -> [String: RowCount] = { _ throws(Diagnostic) in [:]
        },
        examples: @escaping (GrantLimit) throws(Diagnostic) -> [ColumnExample] = { _ throws(Diagnostic) in []
        },
        records: @escaping (String) throws(Diagnostic) -> [RecordExample] = { _ throws(Diagnostic) in [] }
    ) {
        self.description = description
        self.reason = reason
        self.why = why
        self.changes = changes
        self.previews = previews && !description.sends
        self.count = count
        self.examples = examples
        self.records = records
    }
}
