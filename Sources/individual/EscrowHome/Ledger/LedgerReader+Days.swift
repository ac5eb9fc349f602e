public import EscrowDiagnostics
public import EscrowJSON
public import EscrowLedger

/// What one plugin did for one app on one day: a line of the ledger, however often it ran.
public struct DaySummary: Sendable, Equatable {
    /// The day in UTC, as the ledger's times are: `2026-11-25`. A run counts for the day on which it began.
    public let day: String
    /// For whom it ran; nil where the content was erased.
    public let app: String?
    /// What ran.
    public let plugin: String?
    /// How many runs began.
    public fileprivate(set) var runs = 0
    /// How many of them nobody asked for: those of the timetable.
    public fileprivate(set) var byItself = 0
    /// How many returned something.
    public fileprivate(set) var done = 0
    /// How the last one ended: `done`, `interrupted`, the code of what kept it, or nothing while it is under way.
    public fileprivate(set) var end = ""
    /// How many requests it sent.
    public fileprivate(set) var requests = 0
    /// How many bytes these were; nil where the ledger, which forgets with age, does not know it any more.
    public fileprivate(set) var sent: Int64? = 0

    /// The line for `--format json`.
    public var json: JSONValue {
        [
            "day": .string(day), "app": app.map(JSONValue.string) ?? .null,
            "plugin": plugin.map(JSONValue.string) ?? .null, "runs": .integer(Int64(runs)),
            "byItself": .integer(Int64(byItself)), "done": .integer(Int64(done)), "end": .string(end),
            "requests": .integer(Int64(requests)), "sent": sent.map(JSONValue.integer) ?? .null,
        ]
    }
}

/// Adds up the entries of a ledger, in order.
struct DaySummaries {
    /// In the order in which they began: the days, and on each day who ran first.
    private(set) var lines: [DaySummary] = []
    /// Where the line of a run that has not ended stands.
    private var open: [String: Int] = [:]

    mutating func add(_ entry: LedgerEntry) {
        guard let run = entry.run else { return }
        if entry.kind == .runIntent {
            let place = place(of: entry)
            open[run] = place
            lines[place].runs += 1
            lines[place].end = ""
            if entry.fields["schedule"] != nil { lines[place].byItself += 1 }
        }
        guard let place = open[run] else { return }
        switch entry.kind {
        case .egressSent:
            lines[place].requests += 1
            lines[place].sent = Self.sum(lines[place].sent, entry.fields["bytes"]?.integer)
        case .runEnd:
            open[run] = nil
            let isDone = entry.fields["outcome"]?.string == "returned"
            if isDone { lines[place].done += 1 }
            lines[place].end = isDone ? "done" : entry.fields["code"]?.string ?? ""
        case .runInterrupted:
            open[run] = nil
            lines[place].end = "interrupted"
        default: break
        }
    }

    /// The line of a run that begins, which is among those of its day, at the end.
    private mutating func place(of intent: LedgerEntry) -> Int {
        let line = DaySummary(
            day: String("\(intent.time)".prefix(10)), app: intent.fields["app"]?.string,
            plugin: intent.fields["plugin"]?.string)
        var place = lines.count
        while place > 0, lines[place - 1].day == line.day {
            place -= 1
            if lines[place].app == line.app, lines[place].plugin == line.plugin { return place }
        }
        lines.append(line)
        return lines.count - 1
    }

    private static func sum(_ left: Int64?, _ right: Int64?) -> Int64? {
        guard let left, let right else { return nil }
        let (sum, isTooMuch) = left.addingReportingOverflow(max(0, right))
        return isTooMuch ? .max : sum
    }
}

extension LedgerReader {
    /// The newest days on which something ran, a line for each app and plugin of a day, the oldest first.
    public func days(_ count: Int) throws(Diagnostic) -> [DaySummary] {
        var days = DaySummaries()
        try forEach { (entry) throws(Diagnostic) in
            days.add(entry)
            return true
        }
        let wanted = Set(Set(days.lines.map(\.day)).sorted().suffix(max(0, count)))
        return days.lines.filter { wanted.contains($0.day) }
    }
}
