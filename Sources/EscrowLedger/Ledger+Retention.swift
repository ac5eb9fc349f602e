public import EscrowDiagnostics
import EscrowJSON

/// How long a ledger keeps what.
public struct LedgerRetention: Sendable, Equatable {
    /// One step of the loss of detail.
    public enum Detail: String, Sendable, CaseIterable {
        /// Times to the hour; queries, parameters, single records and what a machine was busy with are gone.
        case hour
        /// Times to the day; of a run remain app, plugin, purpose, tables, target and outcome.
        case day
    }
    /// From which age in days on an entry keeps only so much detail.
    public var decay: [Detail: Int] = [:]
    /// Entries that are older in days are dropped; nil keeps them.
    public var keepDays: Int?
    /// Where the log has more bytes, the oldest entries are dropped until it has half as many; nil for no limit.
    public var maximumBytes: Int64?

    /// Keeps everything.
    public init() {}

    /// Whether anything is ever to go.
    public var isEmpty: Bool { decay.isEmpty && keepDays == nil && maximumBytes == nil }
}

extension Ledger {
    /// Lets go of what a ledger is not to keep any longer. Returns the records that say so: none where there was nothing.
    public func tidy(_ retention: LedgerRetention, now: LedgerTime = .now()) throws(Diagnostic)
        -> [LedgerEntry]
    {
        var said: [LedgerEntry] = []
        if let last = try surplus(retention, now: now) {
            said.append(try compact(through: last, why: "retention"))
        }
        for detail in LedgerRetention.Detail.allCases {
            guard let days = retention.decay[detail] else { continue }
            if let entry = try decay(before: now.back(days: days), detail) { said.append(entry) }
        }
        return said
    }

    /// The last entry that is to be dropped; nil where there is none.
    private func surplus(_ retention: LedgerRetention, now: LedgerTime) throws(Diagnostic) -> UInt64? {
        guard retention.keepDays != nil || retention.maximumBytes != nil else { return nil }
        return try exclusively { (known) throws(Diagnostic) -> UInt64? in
            let cutoff = retention.keepDays.map { now.back(days: $0) }
            let excess = retention.maximumBytes.map { known.head.end > $0 ? known.head.end - $0 / 2 : 0 } ?? 0
            let first = known.head.line.open.map(\.sequence).min() ?? .max
            var last: UInt64?
            try self.forEachItem(known.head) { (item, entry) throws(Diagnostic) in
                guard item.sequence < first, item.sequence < known.head.size else { return }
                switch item.line {
                case .record, .reduced: break
                case .header, .gap, .checkpoint: return
                }
                let isOld = cutoff.map { cutoff in entry.map { $0.time < cutoff } ?? false } ?? false
                if isOld || item.offset < excess { last = item.sequence }
            }
            return last
        }
    }

    /// Takes detail from entries of before a time; nil where none has more than that.
    private func decay(before cutoff: LedgerTime, _ detail: LedgerRetention.Detail) throws(Diagnostic)
        -> LedgerEntry?
    {
        try exclusively { (known) throws(Diagnostic) -> LedgerEntry? in
            let open = Set(known.head.line.open.map(\.run))
            var found = SequenceSet()
            try self.forEachEntry(known.head) { (entry) throws(Diagnostic) in
                guard entry.time < cutoff, entry.reduced?.way != .erased, entry.whyKept(open) == nil else {
                    return
                }
                let left = entry.with(detail)
                if left.time != entry.time || left.fields != entry.fields { found.insert(entry.sequence) }
            }
            guard !found.isEmpty else { return nil }
            return try self.rewrite(
                &known, .decayed, fields: ["entries": found.json, "detail": .string(detail.rawValue)]
            ) { item, entry, by in
                guard let entry, found.contains(item.sequence) else { return .keep }
                let left = entry.with(detail)
                return .replace(
                    .reduced(entry.reduced(to: left.fields, .init(way: .decayed, by: by), time: left.time)))
            }
        }
    }
}

extension LedgerEntry {
    /// What a day's detail has of any entry: who, what for, which tables, whereto, and how it ended.
    private static let dayFields: Set<String> = [
        "app", "plugin", "purpose", "tables", "returns", "uses", "coarser", "target", "place", "grant",
        "answer",
        "action", "id", "outcome", "code", "endpoint", "host", "source", "key", "pattern", "state",
        "manifest",
    ]
    /// What an hour's detail lacks.
    private static let beyondHour: Set<String> = [
        "sql", "parameters", "records", "reason", "syscall", "address", "whenMs", "used", "milliseconds",
        "message", "resultDigest", "resultSalt", "url", "headers", "body", "fields", "bodyDigest", "why",
    ]

    /// The entry with less detail.
    func with(_ detail: LedgerRetention.Detail) -> (time: LedgerTime, fields: JSONValue) {
        let kept = (fields.members ?? []).filter { member in
            switch detail {
            case .hour: !Self.beyondHour.contains(member.name)
            case .day: Self.dayFields.contains(member.name)
            }
        }
        let step: Int64 = detail == .hour ? 3_600_000 : 86_400_000
        return (LedgerTime(milliseconds: time.milliseconds / step * step), .object(kept))
    }
}

extension LedgerTime {
    /// So many days before.
    func back(days: Int) -> LedgerTime {
        LedgerTime(milliseconds: milliseconds - Int64(clamping: days) * 86_400_000)
    }
}
