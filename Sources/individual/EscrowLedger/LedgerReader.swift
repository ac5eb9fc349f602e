public import EscrowDiagnostics

/// Reads a ledger without a lock, while others may append to it.
///
/// What is read is what the newest signed head vouches for at the moment of asking.
public struct LedgerReader: Sendable {
    let files: LedgerFiles
    let verifier: any HeadVerifier

    /// - Parameter copies: files outside the ledger that keep its heads as well.
    public init(directory: String, copies: [String] = [], verifier: some HeadVerifier) {
        self.init(files: LedgerFiles(directory: directory, copies: copies), verifier: verifier)
    }

    init(files: LedgerFiles, verifier: any HeadVerifier) {
        self.files = files
        self.verifier = verifier
    }

    /// The time of the last record: no check against a date should use an earlier one.
    public func lastTime() throws(Diagnostic) -> LedgerTime { try examine().head.time }

    public func count() throws(Diagnostic) -> UInt64 { try examine().head.size }

    /// The sequence number of the oldest record that begins a run without an end; nil where every run has ended.
    public func oldestOpenRun() throws(Diagnostic) -> UInt64? {
        try examine().head.line.open.map(\.sequence).min()
    }

    /// Calls `body` with each record from a sequence number on, checked against its commitment, until it returns false. An
    /// erased record comes with what remains of it; compacted and lost ones are left out. Memory is bounded.
    public func forEach(
        from first: UInt64 = 1, _ body: (LedgerEntry) throws(Diagnostic) -> Bool
    ) throws(Diagnostic) {
        let found = try examine()
        var walk = LogWalk(found.log, to: found.head.end)
        while let item = try walk.next() {
            guard item.sequence >= first, let entry = try walk.entry(item) else { continue }
            guard try body(entry) else { return }
        }
    }

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
        let found = try examine()
        var entries: [LedgerEntry] = []
        guard count > 0 else { return entries }
        // The piece that is held begins at `start`, which may lie within a line; its end is the end of a line.
        var start = found.head.end
        var piece: [UInt8] = []
        while entries.count < count, start > 0 || !piece.isEmpty {
            guard let begin = piece.dropLast().lastIndex(of: 0x0A).map({ $0 + 1 }) ?? (start == 0 ? 0 : nil)
            else {
                guard piece.count <= RecordLine.maximumLine + 64 * 1024 else {
                    throw .malformedLine(found.log.path, 0)
                }
                let length = min(64 * 1024, start)
                start -= length
                piece.insert(contentsOf: try found.log.read(at: start, Int(length)), at: 0)
                continue
            }
            let bytes = Array(piece[begin...].dropLast())
            piece.removeSubrange(begin...)
            do {
                if let entry = try LogLine(bytes).entry() { entries.append(entry) }
            } catch { throw error.diagnostic(found.log.path, 0) }
        }
        return entries.reversed()
    }

    /// The newest state, consistent although others write: an append may come between two reads, and an erasure may replace the
    /// log, so an error counts only if the heads have not changed since.
    func examine() throws(Diagnostic) -> Examination {
        for _ in 0..<256 {
            let before = try heads()
            do throws(Diagnostic) {
                let found = try files.examine(verifier: verifier)
                guard found.needsRepair, try heads() != before else { return found }
            } catch {
                guard try heads() != before else { throw error }
            }
        }
        throw Diagnostic(
            .ledgerUnreadable,
            "the ledger in \(files.directory) was being written to all the time and could not be read",
            help: "run the command again")
    }

    private func heads() throws(Diagnostic) -> [[UInt8]?] {
        try files.requirePresent()
        var found: [[UInt8]?] = []
        for path in files.headFiles { found.append(try files.headBytes(path)) }
        return found
    }
}
