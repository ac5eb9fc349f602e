public import EscrowDiagnostics

/// Reads a ledger without a lock, while others may append to it.
///
/// What is read is what the newest signed head vouches for at the moment of asking.
public struct LedgerReader: Sendable {
    let files: LedgerFiles
    let verifier: any HeadVerifier

    /// Names the ledger and the host's public key.
    public init(directory: String, verifier: some HeadVerifier) {
        files = LedgerFiles(directory: directory)
        self.verifier = verifier
    }

    /// The time of the last record: no check against a date should use an earlier one.
    public func lastTime() throws(Diagnostic) -> LedgerTime { try snapshot().newest.head.time }

    /// How many records there are.
    public func count() throws(Diagnostic) -> UInt64 { try snapshot().newest.head.size }

    /// Hands out records from a sequence number on, in order, each checked against its own commitment. Memory does not
    /// grow with the ledger. `body` says whether to go on.
    public func forEach(
        from first: UInt64 = 1, _ body: (LedgerEntry) throws(Diagnostic) -> Bool
    ) throws(Diagnostic) {
        let newest = try snapshot().newest
        try records(of: newest) { (number, line, _) throws(Diagnostic) in
            guard number >= first else { return true }
            return try body(try entry(line, number))
        }
    }

    /// At most `limit` records from a sequence number on.
    public func entries(from first: UInt64 = 1, limit: Int = 1000) throws(Diagnostic) -> [LedgerEntry] {
        var found: [LedgerEntry] = []
        guard limit > 0 else { return found }
        try forEach(from: first) { (entry) throws(Diagnostic) in
            found.append(entry)
            return found.count < limit
        }
        return found
    }

    /// The last records, in order, read from the end: takes the same time for any length.
    public func latest(_ count: Int) throws(Diagnostic) -> [LedgerEntry] {
        let newest = try snapshot().newest
        guard count > 0 else { return [] }
        var entries = [try entry(newest.line, newest.head.size)]
        var number = newest.head.size
        var end = newest.lineStart
        var piece: [UInt8] = []
        while entries.count < count, number > 1 {
            // The line ends at `end`; it begins after the line end before that one.
            while piece.dropLast().lastIndex(of: 0x0A) == nil, Int64(piece.count) < end {
                let length = min(64 * 1024, Int(end) - piece.count)
                let start = end - Int64(piece.count) - Int64(length)
                piece.insert(contentsOf: try files.tail(from: start, limit: length).prefix(length), at: 0)
                guard piece.count <= RecordLine.maximumLine + 64 * 1024 else {
                    throw .malformedLine(files.log, number - 1)
                }
            }
            number -= 1
            let begin = piece.dropLast().lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
            guard piece.last == 0x0A else { throw .malformedLine(files.log, number) }
            entries.append(try entry(try line(Array(piece[begin...].dropLast()), number), number))
            end -= Int64(piece.count - begin)
            piece.removeSubrange(begin...)
        }
        return entries.reversed()
    }

    /// The newest head, in a state of the files that no append was changing meanwhile.
    func snapshot() throws(Diagnostic) -> LedgerFiles.Heads {
        let (heads, damage) = try examine()
        if let damage { throw damage }
        return heads
    }

    /// The heads, and what is wrong with the end of the log, if anything.
    ///
    /// An append writes a head before the log, and other appends may come between reading one file and the next. So a
    /// log that is ahead of the heads, or heads that do not fit, may only mean that they were read too early: whatever
    /// looks wrong counts only if not one byte of the heads has changed since.
    func examine() throws(Diagnostic) -> (heads: LedgerFiles.Heads, damage: Diagnostic?) {
        var raw = try files.rawHeads()
        for attempt in 0..<256 {
            let found: Result<(LedgerFiles.Heads, HeadSlot.LogState), Diagnostic>
            do {
                let heads = try files.heads(raw, verifier: verifier)
                found = .success((heads, try heads.newest.state(in: files)))
            } catch { found = .failure(error) }
            if case .success((let heads, .whole)) = found, !heads.hasUnfinishedWrite { return (heads, nil) }
            let now = try files.rawHeads()
            let hasChanged = now != raw
            raw = now
            switch found {
            // The newer head vouches for what follows; this one is as true as it was.
            case .success((let heads, .longer)) where hasChanged && !heads.hasUnfinishedWrite:
                return (heads, nil)
            case .success((let heads, .whole)) where !hasChanged || attempt > 128: return (heads, nil)
            case .success((let heads, .cutOff)) where !hasChanged || attempt > 128: return (heads, nil)
            case .success((let heads, .longer)) where !hasChanged:
                return (heads, .unsignedRecords(files.log, signed: heads.newest.head.size))
            case .success((let heads, .damaged(let damage))) where !hasChanged: return (heads, damage)
            case .failure(let failure) where !hasChanged: throw failure
            default: continue
            }
        }
        throw Diagnostic(
            "E0036",
            "the ledger in \(files.directory) was being written to all the time and could not be read",
            help: "run the command again")
    }

    /// Hands out the lines that a head vouches for, with the offset of each line's end. The last one comes from the
    /// head itself: the log may not have it yet.
    func records(
        of newest: HeadSlot, _ body: (UInt64, RecordLine, Int64) throws(Diagnostic) -> Bool
    ) throws(Diagnostic) {
        var lines = try LogLines(files.log)
        var offset: Int64 = 0
        var number: UInt64 = 0
        while offset < newest.lineStart {
            guard let next = try lines.next() else {
                throw .cutOff(files.log, count: number, signed: newest.head.size)
            }
            number += 1
            guard case .whole(let bytes) = next else { throw .malformedLine(files.log, number) }
            offset += Int64(bytes.count) + 1
            guard try body(number, try line(bytes, number), offset) else { return }
        }
        _ = try body(number + 1, newest.line, offset + Int64(newest.line.bytes.count) + 1)
    }

    /// Takes a line apart; its commitment is checked.
    private func line(_ bytes: [UInt8], _ number: UInt64) throws(Diagnostic) -> RecordLine {
        do { return try RecordLine(bytes) } catch { throw error.diagnostic(files.log, number) }
    }

    /// Reads a record, which must be the one of its place.
    func entry(_ line: RecordLine, _ number: UInt64) throws(Diagnostic) -> LedgerEntry {
        let entry: LedgerEntry
        do { entry = try line.entry() } catch { throw error.diagnostic(files.log, number) }
        guard entry.sequence == number else { throw .wrongOrder(files.log, number, found: entry.sequence) }
        return entry
    }
}
