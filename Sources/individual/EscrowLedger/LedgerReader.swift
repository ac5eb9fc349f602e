public import EscrowDiagnostics

/// Reads a ledger without a lock, while others may append to it.
///
/// What is read is what the newest signed head vouches for at the moment of asking.
public struct LedgerReader: Sendable {
    let files: LedgerFiles
    let verifier: any HeadVerifier
    /// The records that are read.
    private var range: ClosedRange<UInt64> = 1...(.max)

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
        let first = max(first, range.lowerBound)
        // From the beginning all is read anyway; from later on, what lies before is left out.
        let place =
            first > 1 ? try found.log.place(of: first, to: found.head.end) : LogPlace()
        var walk = LogWalk(found.log, from: place, to: found.head.end)
        while let item = try walk.next() {
            guard let entry = try walk.entry(item) else { continue }
            guard entry.sequence <= range.upperBound, try body(entry) else { return }
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
        var entries: [LedgerEntry] = []
        guard count > 0 else { return entries }
        try forEachBackward { (entry) throws(Diagnostic) in
            entries.append(entry)
            return entries.count < count
        }
        return entries.reversed()
    }

    /// Calls `body` with each record before a number, the latest first, until it returns false: as ``forEach(from:_:)``, and
    /// what is not asked for is not read.
    public func forEachBackward(
        before number: UInt64 = .max, _ body: (LedgerEntry) throws(Diagnostic) -> Bool
    ) throws(Diagnostic) {
        let found = try examine()
        let end = LogPlace(offset: found.head.end, number: found.head.size)
        let last = min(number, range.upperBound < .max ? range.upperBound + 1 : .max)
        let place = last > end.number ? end : try found.log.place(of: last, to: end.offset)
        var walk = LogWalkBackward(found.log, before: place)
        while let entry = try walk.next() {
            guard entry.sequence >= range.lowerBound, try body(entry) else { return }
        }
    }

    /// One record; nil where nothing of it is left.
    public func entry(_ number: UInt64) throws(Diagnostic) -> LedgerEntry? {
        try entries(from: number, limit: 1).first { $0.sequence == number }
    }

    /// A reader of some of the records: what would read all then reads only what is new to its caller.
    public func part(_ records: ClosedRange<UInt64>) -> LedgerReader {
        var reader = self
        reader.range = records
        return reader
    }

    /// The runs without an end whose process is still there, with the numbers of the records that begin them. A run whose process
    /// was killed stands in the ledger as one without an end until the next writer records that.
    public func runsUnderWay() throws(Diagnostic) -> [(run: String, began: UInt64)] {
        var found: [(run: String, began: UInt64)] = []
        for run in try examine().head.line.open
        where try !Holder.isGone(run.holder, in: files.directory) {
            found.append((run.run, run.sequence))
        }
        return found
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
