public import EscrowDiagnostics
public import EscrowJSON
public import EscrowLedger

/// One request as the ledger keeps it: what was sent, and how it ended; or why it was not sent.
public struct EgressRecord: Sendable {
    /// `r-7f3a.1`: the run, and the number of the request in it; nil where none was sent.
    public var id: String?
    /// The run.
    public var run: String
    /// When the record was made: just before it was sent.
    public var time: LedgerTime
    /// What the ledger's record of the request, or of its refusal, says.
    public var sent: JSONValue
    /// When the record of its end was made.
    public var endTime: LedgerTime?
    /// What its record of the end says; nil where the host was stopped before there was one.
    public var end: JSONValue?

    package init(id: String?, run: String, time: LedgerTime, sent: JSONValue) {
        self.id = id
        self.run = run
        self.time = time
        self.sent = sent
    }

    /// A text member of the record.
    public func text(_ name: String) -> String { sent[name]?.string ?? "" }
    /// How many bytes were sent.
    public var bytesOut: Int { id == nil ? 0 : max(0, Int(clamping: sent["bytes"]?.integer ?? 0)) }
    /// How many bytes the answer's body had.
    public var bytesIn: Int { Int(clamping: end?["bytes"]?.integer ?? 0) }

    /// The endpoint's name; what the plugin named instead of one of its own is kept nowhere.
    public var endpoint: String { sent["endpoint"]?.string ?? "(undeclared)" }
    /// From the record of the request to that of its end, in milliseconds; nil where there is no end.
    public var milliseconds: Int64? { endTime.map { max(0, $0.milliseconds - time.milliseconds) } }

    /// How it ended, in a few words.
    public var outcome: String {
        guard id != nil else { return "not sent: \(text("code"))" }
        guard let end else { return "sent; no end is recorded" }
        if let status = end["status"]?.integer { return "status \(status)" }
        return "failed: \(end["code"]?.string ?? "")"
    }

    /// The record for `--format json`.
    public var json: JSONValue {
        [
            "id": id.map(JSONValue.string) ?? .null, "run": .string(run), "time": .string("\(time)"),
            "request": sent, "end": end ?? .null,
        ]
    }
}

extension LedgerReader {
    /// All requests to the network, sent and refused, in the order in which they were recorded.
    public func egressRecords() throws(Diagnostic) -> [EgressRecord] {
        var records: [EgressRecord] = []
        var places: [String: Int] = [:]
        try forEach { (entry) throws(Diagnostic) in
            switch entry.kind {
            case .egressSent:
                let id = entry.fields["id"]?.string ?? ""
                places[id] = records.count
                records.append(
                    EgressRecord(id: id, run: entry.run ?? "", time: entry.time, sent: entry.fields))
            case .egressRefused:
                records.append(
                    EgressRecord(id: nil, run: entry.run ?? "", time: entry.time, sent: entry.fields))
            case .egressAnswered:
                if let place = places[entry.fields["id"]?.string ?? ""] {
                    records[place].end = entry.fields
                    records[place].endTime = entry.time
                }
            default: break
            }
            return true
        }
        return records
    }
}
