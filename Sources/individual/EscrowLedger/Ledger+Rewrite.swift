public import EscrowDiagnostics
import EscrowFiles
import EscrowJSON
import Glibc

/// Erasing, decaying and compacting write the log anew, without what is to go.
///
/// The new file is durable, with the record that says what was done and a checkpoint over all of it, before the heads
/// name it. So after a crash at any point there is the old log or the new one, whole; whoever opens the ledger next
/// removes the other. The tree does not change: the leaves are commitments, and those stay.
extension Ledger {
    enum Change {
        case keep
        case replace(LogLine)
        case drop
    }

    /// Writes the log anew, and at its end a record of what was done. `by` is the number of that record.
    func rewrite(
        _ known: inout Known, _ kind: LedgerEntry.Kind, fields: JSONValue,
        _ change: (LogWalk.Item, LedgerEntry?, _ by: UInt64) throws(Diagnostic) -> Change
    ) throws(Diagnostic) -> LedgerEntry {
        let old = known.head
        let log = try files.openLog(of: old.checkpoint)
        let generation = old.checkpoint.generation + 1
        var batch = Batch(
            newFile: generation, ledger: old.checkpoint.ledger, frontier: old.frontier, time: old.time,
            open: old.line.open)
        let new = try Descriptor(
            opening: files.log(generation), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, mode: 0o600)
        do throws(Diagnostic) {
            var walk = LogWalk(log, to: old.end)
            while let item = try walk.next() {
                switch item.line {
                case .header, .checkpoint: continue
                case .record, .reduced, .gap: break
                }
                switch try change(item, try walk.entry(item), old.size + 1) {
                case .keep: batch.copy(item.line)
                case .replace(let line): batch.copy(line)
                case .drop: break
                }
                if batch.pendingCount > 1 << 20 { try new.write(batch.take()) }
            }
            let entry = try batch.add(kind, run: nil, fields: fields, now: .now())
            let (bytes, head) = try batch.seal(signer)
            try new.write(bytes)
            try new.synchronize()
            try SecureFile.synchronizeFolder(files.directory)
            known.head = head
            // Durable before the old log goes: a head that names a log that is gone would be damage.
            for (index, file) in known.files.enumerated() {
                try files.replaceHeads(file.path, with: head.page)
                known.files[index] = try HeadFile(file.path, in: files, known: [:], verifier: signer)
            }
            try removeOtherLogs(generation)
            return entry
        } catch {
            if known.head == old { unlink(files.log(generation)) }
            throw error
        }
    }

    /// Erases the content of entries: salt and fields are gone, place, time, kind and run remain. Returns the record that
    /// says so, with `why` in it. Where one entry cannot be erased, none is.
    @discardableResult
    public func erase(_ entries: SequenceSet, why: String = "command") throws(Diagnostic) -> LedgerEntry {
        try exclusively { (known) throws(Diagnostic) in
            var found = SequenceSet()
            let open = Set(known.head.line.open.map(\.run))
            try self.forEachEntry(known.head) { (entry) throws(Diagnostic) in
                guard entries.contains(entry.sequence) else { return }
                if let why = entry.whyKept(open) { throw .notErasable(entry.sequence, why) }
                if entry.reduced?.way != .erased { found.insert(entry.sequence) }
            }
            guard !found.isEmpty else { throw .nothingToErase }
            return try self.rewrite(
                &known, .erased, fields: ["entries": found.json, "why": .string(why)]
            ) { item, entry, by in
                guard let entry, found.contains(item.sequence) else { return .keep }
                return .replace(
                    .reduced(entry.reduced(to: [:], .init(way: .erased, by: by), time: entry.time)))
            }
        }
    }

    /// Drops the oldest entries, up to a number; the roots over them remain. Nothing is dropped of runs that have no end.
    @discardableResult
    public func compact(through last: UInt64, why: String = "command") throws(Diagnostic) -> LedgerEntry {
        try exclusively { (known) throws(Diagnostic) in
            let first = known.head.line.open.map(\.sequence).min() ?? .max
            let last = min(last, first - 1, known.head.size)
            var frontier = MerkleFrontier()
            try self.forEachItem(known.head) { (item, _) throws(Diagnostic) in
                if item.sequence <= last { frontier.follow(item.line) }
            }
            guard last > 0, frontier.size == last else { throw .nothingToErase }
            var isFirst = true
            return try self.rewrite(
                &known, .compacted,
                fields: ["through": .integer(Int64(clamping: last)), "why": .string(why)]
            ) { item, _, by in
                guard item.sequence <= last else { return .keep }
                defer { isFirst = false }
                return isFirst
                    ? .replace(.gap(GapLine(frontier: frontier, by: by, reason: .compacted))) : .drop
            }
        }
    }

    func forEachItem(
        _ head: Head, _ body: (LogWalk.Item, LedgerEntry?) throws(Diagnostic) -> Void
    ) throws(Diagnostic) {
        try forEachItem(head, of: try files.openLog(of: head.checkpoint), body)
    }

    func forEachItem(
        _ head: Head, of log: LogFile, _ body: (LogWalk.Item, LedgerEntry?) throws(Diagnostic) -> Void
    ) throws(Diagnostic) {
        var walk = LogWalk(log, to: head.end)
        while let item = try walk.next() { try body(item, try walk.entry(item)) }
    }

    func forEachEntry(_ head: Head, _ body: (LedgerEntry) throws(Diagnostic) -> Void) throws(Diagnostic) {
        try forEachItem(head) { (_, entry) throws(Diagnostic) in if let entry { try body(entry) } }
    }
}

extension LedgerEntry {
    /// Why the content of the entry cannot be erased; nil if it can.
    func whyKept(_ open: Set<String>) -> String? {
        switch kind {
        case .hostCreated, .repaired, .erased, .decayed, .compacted:
            "it says what became of the ledger itself, and holds nothing of yours"
        case .runIntent where run.map(open.contains) ?? false: "its run has no end yet"
        default: nil
        }
    }

    func reduced(
        to fields: JSONValue, _ reduction: LedgerEntry.Reduction, time: LedgerTime
    ) -> ReducedLine {
        ReducedLine(
            commitment: Hex.read(commitment.utf8) ?? [],
            fate: .reduced(
                reduction,
                record: RecordLine.record(
                    sequence: sequence, time: time, clock: nil, kind: kind, run: run, fields: fields)))
    }
}
