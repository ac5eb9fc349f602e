import Crypto
import EscrowDiagnostics
import EscrowJSON

/// Reads a log line by line and checks all that can be checked without the heads: each line, each commitment, order and
/// times, every checkpoint against what stands before it, the runs without an end, and what is said of missing content.
struct LogScan {
    private let path: String
    private var walk: LogWalk
    private(set) var frontier = MerkleFrontier()
    private(set) var last: CheckpointLine?
    private(set) var lastEnd: Int64 = 0
    private(set) var firstTime: LedgerTime?
    private(set) var missing = LedgerReport.Missing()

    private var time = LedgerTime(milliseconds: 0)
    private var open: [OpenRun] = []
    /// After a gap the runs without an end are those that the next checkpoint names.
    private var knowsOpen = true
    private var covers = SHA256()
    private var header: LogHeader?
    /// What the record of that number must say of missing records.
    private var promised: [UInt64: Promise] = [:]

    private struct Promise {
        var kind: LedgerEntry.Kind
        var records = SequenceSet()
        var gapThrough: UInt64?
    }

    init(_ log: LogFile, to end: Int64) {
        path = log.path
        walk = LogWalk(log, to: end)
    }

    mutating func next() throws(Diagnostic) -> LogWalk.Item? {
        guard let item = try walk.next() else {
            guard promised.isEmpty else { throw .wronglyReduced(path, walk.lineNumber) }
            return nil
        }
        guard (item.offset == 0) == (header == nil) else { throw .malformedLine(path, item.number) }
        switch item.line {
        case .header(let line):
            guard header == nil else { throw .malformedLine(path, item.number) }
            header = line
        case .record(let line):
            guard let entry = try walk.entry(item) else { break }
            frontier.append(leaf: line.leaf)
            try follow(entry, item)
        case .reduced(let line):
            frontier.append(leaf: line.leaf)
            try reduce(line, item)
        case .gap(let line): try skip(line, item)
        case .checkpoint(let line): try check(line, item)
        }
        if header == nil { throw .malformedLine(path, item.number) }
        covers.update(data: item.bytes)
        covers.update(data: [0x0A])
        return item
    }

    private mutating func follow(_ entry: LedgerEntry, _ item: LogWalk.Item) throws(Diagnostic) {
        firstTime = firstTime ?? entry.time
        // What is left of an entry may have lost the exact time.
        if entry.reduced == nil {
            guard entry.time >= time else { throw .backwards(path, item.number) }
            time = entry.time
        }
        switch (entry.kind, entry.run) {
        case (.runIntent, let run?):
            open.append(OpenRun(run: run, sequence: entry.sequence, holder: ""))
        case (.runEnd, let run), (.runInterrupted, let run): open.removeAll { $0.run == run }
        default: break
        }
        guard entry.reduced == nil, let promise = promised.removeValue(forKey: entry.sequence) else { return }
        guard entry.kind == promise.kind, promise.records.isSubset(of: SequenceSet(entry.fields["entries"])),
            promise.gapThrough.map({ UInt64(clamping: entry.fields["through"]?.integer ?? 0) == $0 }) ?? true
        else { throw .wronglyReduced(path, item.number) }
    }

    private mutating func reduce(_ line: ReducedLine, _ item: LogWalk.Item) throws(Diagnostic) {
        guard line.by > item.sequence else { throw .wronglyReduced(path, item.number) }
        let kind: LedgerEntry.Kind
        switch line.fate {
        case .lost:
            kind = .repaired
            missing.lost += 1
            knowsOpen = false
            // What this record said of others is lost with it.
            promised[item.sequence] = nil
        case .reduced(let reduction, _):
            kind = reduction.way == .erased ? .erased : .decayed
            if reduction.way == .erased { missing.erased += 1 } else { missing.decayed += 1 }
        }
        promised[line.by, default: Promise(kind: kind)].records.insert(item.sequence)
        guard promised[line.by]?.kind == kind else { throw .wronglyReduced(path, item.number) }
        if let entry = try walk.entry(item) { try follow(entry, item) }
    }

    private mutating func skip(_ line: GapLine, _ item: LogWalk.Item) throws(Diagnostic) {
        let kind: LedgerEntry.Kind = line.reason == .compacted ? .compacted : .repaired
        guard line.by > line.through else { throw .wronglyReduced(path, item.number) }
        let count = line.through - frontier.size
        if line.reason == .compacted { missing.compacted += count } else { missing.lost += count }
        var promise = promised[line.by] ?? Promise(kind: kind)
        guard promise.kind == kind else { throw .wronglyReduced(path, item.number) }
        promise.gapThrough = line.through
        promised[line.by] = promise
        for by in promised.keys where by > frontier.size && by <= line.through { promised[by] = nil }
        frontier = line.frontier
        knowsOpen = false
    }

    private mutating func check(_ line: CheckpointLine, _ item: LogWalk.Item) throws(Diagnostic) {
        let checkpoint = line.checkpoint
        guard checkpoint.ledger == header?.ledger, checkpoint.generation == header?.generation,
            checkpoint.size == frontier.size, checkpoint.root == frontier.root,
            checkpoint.offset == item.offset, checkpoint.covers == Array(covers.finalize())
        else { throw .wrongCheckpoint(path, item.number) }
        guard checkpoint.time == time || !knowsOpen else { throw .wrongCheckpoint(path, item.number) }
        if !knowsOpen { open = line.open }
        guard
            open.map({ [$0.run, String($0.sequence)] }) == line.open.map({ [$0.run, String($0.sequence)] })
        else { throw .wrongOpenRuns(path) }
        knowsOpen = true
        covers = SHA256()
        last = line
        lastEnd = item.offset + Int64(item.bytes.count) + 1
    }
}
