public import EscrowDiagnostics
public import EscrowJSON
public import EscrowLedger

/// What the ledger has of one run, in order: the decision about it, its beginning, what it sent, its end.
public struct RunStory: Sendable {
    /// The run's id.
    public let run: String
    /// Its entries.
    public private(set) var entries: [LedgerEntry] = []
    /// What the individual decided about the grant that it ran by, as far as the ledger has it.
    public private(set) var grant: [LedgerEntry] = []
    /// The query that it ran, as far as the ledger has it.
    public private(set) var query: String?

    package init(_ run: String, in reader: LedgerReader) throws(Diagnostic) {
        self.run = run
        var grants: [LedgerEntry] = []
        try reader.forEach { (entry) throws(Diagnostic) in
            if entry.run == run { self.entries.append(entry) }
            if entry.kind == .grantChanged { grants.append(entry) }
            return true
        }
        guard !entries.isEmpty else {
            throw Diagnostic(.noSuchThing, "the ledger has no such entry or run", help: "escrow ledger list")
        }
        query = try LedgerText.read("sql", of: intent) { (sequence) throws(Diagnostic) in
            try reader.entries(from: sequence, limit: 1).first { $0.sequence == sequence }
        }
        guard let id = intent?.fields["grant"]?.string else { return }
        grant = grants.filter { $0.fields["id"]?.string == id }
    }

    /// Where it began.
    public var intent: LedgerEntry? { entries.first { $0.kind == .runIntent } }
    /// Where it ended.
    public var end: LedgerEntry? { entries.last { $0.kind == .runEnd || $0.kind == .runInterrupted } }
    /// What was answered about it.
    public var decision: LedgerEntry? { entries.last { $0.kind == .decision } }

    package func text(_ name: String, _ entry: LedgerEntry?) -> String? {
        guard let value = entry?.fields[name] else { return nil }
        switch value {
        case .string(let text): return text
        case .integer(let number): return String(number)
        case .array(let items): return items.compactMap(\.string).joined(separator: ", ")
        default: return nil
        }
    }

    /// Words before a value, if there is one.
    package func line(_ head: String, _ value: String?) -> [String] {
        guard let value, !value.isEmpty else { return [] }
        return [head + String(repeating: " ", count: max(1, 14 - head.count)) + value]
    }
}

/// What decided about a run.
public struct RunReason: Sendable {
    package let story: RunStory

    /// A sentence or a few.
    public var lines: [String] {
        let intent = story.intent
        var lines = story.line("run", story.run)
        lines += story.line("app", story.text("app", intent ?? story.decision))
        lines += story.line("plugin", story.text("plugin", intent ?? story.decision))
        if let decision = story.decision {
            lines += story.line(
                "you",
                "answered \(story.text("answer", decision) ?? "") at \(decision.time), entry \(decision.sequence)"
            )
        }
        if let grant = story.text("grant", intent) {
            lines += story.line("allowed by", "\(story.text("decidedBy", intent) ?? "grant") \(grant)")
        }
        for change in story.grant {
            lines += story.line(
                "grant",
                "\(story.text("action", change) ?? "") by \(story.text("reason", change) ?? "") at \(change.time), entry \(change.sequence)"
            )
        }
        lines += story.line("words shown", story.text("words", intent ?? story.decision))
        if intent == nil { lines += story.line("outcome", "nothing was read: the run never began") }
        if intent?.reduced != nil { lines += story.line("detail", "was erased or lost with age") }
        return lines
    }

    /// The same for `--format json`.
    public var json: JSONValue {
        func value(_ name: String, _ entry: LedgerEntry?) -> JSONValue { entry?.fields[name] ?? .null }
        return [
            "run": .string(story.run), "answer": value("answer", story.decision),
            "grant": value("grant", story.intent), "decidedBy": value("decidedBy", story.intent),
            "words": value("words", story.intent ?? story.decision),
            "changes": .array(
                story.grant.map {
                    [
                        "entry": .integer(Int64(clamping: $0.sequence)), "time": .string("\($0.time)"),
                        "action": value("action", $0), "reason": value("reason", $0),
                    ]
                }),
        ]
    }
}

extension LedgerReader {
    /// What decided about a run.
    public func why(_ run: String) throws(Diagnostic) -> RunReason {
        RunReason(story: try RunStory(run, in: self))
    }

    /// One run told in words, a line each.
    public func receipt(of run: String) throws(Diagnostic) -> [String] {
        let story = try RunStory(run, in: self)
        let (intent, end) = (story.intent, story.end)
        func told(_ head: String, _ name: String, _ entry: LedgerEntry?) -> [String] {
            story.line(head, story.text(name, entry))
        }
        var lines = RunReason(story: story).lines
        lines += story.line("began", intent.map { "\($0.time), entry \($0.sequence)" })
        lines += told("version", "version", intent) + told("manifest", "manifest", intent)
        lines += told("purpose", "purpose", intent) + story.line("query", story.query)
        lines += told("tables", "tables", intent) + told("handed over", "returns", intent)
        lines += told("looked at", "uses", intent)
        lines += told("made coarser", "coarser", intent) + told("told", "parameters", intent)
        lines += told("goes to", "target", intent) + told("place", "place", intent)
        for entry in story.entries {
            switch entry.kind {
            case .egressSent:
                let where_ = story.text("url", entry) ?? "a request whose detail was erased"
                lines += story.line("sent", "\(where_), \(story.text("bytes", entry) ?? "?") bytes")
            case .egressRefused: lines += story.line("not sent", story.text("code", entry) ?? "refused")
            default: break
            }
        }
        lines += story.line("rows read", story.text("rows", end))
        lines += told("plugin", "status", end) + told("reason", "reason", end)
        if let used = end?.fields["used"] {
            let words = (used.members ?? []).map { "\($0.name) \($0.value.integer ?? 0)" }
            lines += story.line("used", words.joined(separator: ", "))
        }
        lines += told("outcome", "outcome", end) + told("code", "code", end)
        lines += told("result", "resultDigest", end).map { "\($0), salted" }
        lines += story.line("result bytes", story.text("resultBytes", end))
        lines += told("capacity", "capacity", intent)
        lines += story.line(
            "ended", end.map { "\($0.time), entry \($0.sequence)" } ?? (intent == nil ? nil : "not yet"))
        return lines
    }
}
