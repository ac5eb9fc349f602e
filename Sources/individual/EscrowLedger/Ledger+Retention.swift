public import EscrowDiagnostics
import EscrowJSON

public struct LedgerRetention: Sendable, Equatable {
    public enum Detail: String, Sendable, CaseIterable {
        /// Times to the hour; queries, parameters, single records and what a machine was busy with are gone.
        case hour
        /// Times to the day; of a run remain app, plugin, purpose, tables, target and outcome.
        case day
    }
    /// The age in days from which an entry keeps only so much detail.
    public var decay: [Detail: Int] = [:]
    /// Entries that are older in days are dropped; nil keeps them.
    public var keepDays: Int?
    /// When the log has more bytes, the oldest entries are dropped until half as many are left; nil for no limit.
    public var maximumBytes: Int64?

    public init() {}

    public var isEmpty: Bool { decay.isEmpty && keepDays == nil && maximumBytes == nil }
}

extension Ledger {
    /// Drops what the retention no longer keeps. Returns the records that say so, with `why` in them.
    ///
    /// The search runs without the lock, as on most days it finds nothing. If it finds something, it runs again under the lock
    /// and the log is written anew.
    public func tidy(
        _ retention: LedgerRetention, now: LedgerTime = .now(), why: String = "retention"
    ) throws(Diagnostic) -> [LedgerEntry] {
        var said: [LedgerEntry] = []
        if try look({ (head, log) throws(Diagnostic) in try surplus(retention, now, head, log) != nil }),
            let last = try exclusively({ (known) throws(Diagnostic) in
                try self.surplus(
                    retention, now, known.head, try self.files.openLog(of: known.head.checkpoint))
            })
        {
            said.append(try compact(through: last, why: why))
        }
        for detail in LedgerRetention.Detail.allCases {
            guard let days = retention.decay[detail] else { continue }
            let cutoff = now.back(days: days)
            guard
                try look({ (head, log) throws(Diagnostic) in
                    try !losing(detail, before: cutoff, head, log).isEmpty
                })
            else { continue }
            if let entry = try decay(before: cutoff, detail, why: why) { said.append(entry) }
        }
        return said
    }

    public func size() throws(Diagnostic) -> Int64 {
        guard let newest = try files.generations().last, let log = try LogFile(files.log(newest)) else {
            return 0
        }
        return try log.length()
    }

    public func hasRunUnderWay() throws(Diagnostic) -> Bool {
        try exclusively { (known) throws(Diagnostic) in !known.head.line.open.isEmpty }
    }

    /// Looks at the log without the lock: others may append, or replace the file, which stays open here.
    private func look(_ body: (Head, LogFile) throws(Diagnostic) -> Bool) throws(Diagnostic) -> Bool {
        let found = try LedgerReader(files: files, verifier: signer).examine()
        return try body(found.head, found.log)
    }

    /// The last entry that is to be dropped; nil where there is none.
    private func surplus(
        _ retention: LedgerRetention, _ now: LedgerTime, _ head: Head, _ log: LogFile
    ) throws(Diagnostic) -> UInt64? {
        guard retention.keepDays != nil || retention.maximumBytes != nil else { return nil }
        let cutoff = retention.keepDays.map { now.back(days: $0) }
        let excess = retention.maximumBytes.map { head.end > $0 ? head.end - $0 / 2 : 0 } ?? 0
        guard cutoff != nil || excess > 0 else { return nil }
        let first = head.line.open.map(\.sequence).min() ?? .max
        var last: UInt64?
        try forEachItem(head, of: log) { (item, entry) throws(Diagnostic) in
            guard item.sequence < first, item.sequence < head.size else { return }
            switch item.line {
            case .record, .reduced: break
            case .header, .gap, .checkpoint: return
            }
            let isOld = cutoff.map { cutoff in entry.map { $0.time < cutoff } ?? false } ?? false
            if isOld || item.offset < excess { last = item.sequence }
        }
        return last
    }

    /// The entries of before a time that have more detail than they are to have.
    private func losing(
        _ detail: LedgerRetention.Detail, before cutoff: LedgerTime, _ head: Head, _ log: LogFile
    ) throws(Diagnostic) -> SequenceSet {
        let open = Set(head.line.open.map(\.run))
        var found = SequenceSet()
        try forEachItem(head, of: log) { (_, entry) throws(Diagnostic) in
            guard let entry, entry.time < cutoff, entry.reduced?.way != .erased, entry.whyKept(open) == nil
            else { return }
            let left = entry.with(detail)
            if left.time != entry.time || left.fields != entry.fields { found.insert(entry.sequence) }
        }
        return found
    }

    /// Takes detail from entries of before a time; nil where none has more than that.
    private func decay(
        before cutoff: LedgerTime, _ detail: LedgerRetention.Detail, why: String
    ) throws(Diagnostic) -> LedgerEntry? {
        try exclusively { (known) throws(Diagnostic) -> LedgerEntry? in
            let found = try self.losing(
                detail, before: cutoff, known.head, try self.files.openLog(of: known.head.checkpoint))
            guard !found.isEmpty else { return nil }
            return try self.rewrite(
                &known, .decayed,
                fields: ["entries": found.json, "detail": .string(detail.rawValue), "why": .string(why)]
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
        "answer", "action", "id", "outcome", "code", "endpoint", "host", "source", "key", "pattern", "state",
        "manifest", "schedule",
    ]
    /// What an hour's detail lacks.
    private static let beyondHour: Set<String> = [
        "sql", "sqlEntry", "sqlDigest", "parameters", "records", "reason", "syscall", "address", "whenMs",
        "used", "milliseconds", "message", "resultDigest", "resultSalt", "url", "headers", "body", "fields",
        "bodyDigest", "why",
    ]

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
    func back(days: Int) -> LedgerTime {
        LedgerTime(milliseconds: milliseconds - Int64(clamping: days) * 86_400_000)
    }
}
