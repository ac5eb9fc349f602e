public import EscrowDiagnostics

/// What `verify` found in a ledger that is whole.
public struct LedgerReport: Sendable, Equatable {
    /// The ledger's own random id, in hexadecimal.
    public let ledger: String
    /// How many records there are.
    public let count: UInt64
    /// The root of the Merkle tree over all of them, in hexadecimal.
    public let root: String
    /// The key that signed it.
    public let keyID: String
    /// The time of the last record, with which the head was signed.
    public let signedAt: LedgerTime
    /// The time of the first record.
    public let firstTime: LedgerTime
    /// Runs that have no end yet, with the sequence number of their intent: under way, or cut off.
    public let unfinishedRuns: [UnfinishedRun]
    /// A write was cut off; the next append completes or drops it, and says so.
    public let hasUnfinishedWrite: Bool

    /// The ids of the runs that have no end yet.
    public var runsWithoutEnd: [String] { unfinishedRuns.map(\.run) }

    /// A run without an end.
    public struct UnfinishedRun: Sendable, Equatable {
        /// The run's id.
        public let run: String
        /// Its intent.
        public let sequence: UInt64
    }
}

extension LedgerReader {
    /// Reads the whole ledger and checks every byte of it: each line, each commitment, order and times, the root, and the
    /// signature of the head. Throws what is wrong first, and where.
    ///
    /// What no check on this machine alone can see: that the whole folder was put back to an earlier state.
    public func verify() throws(Diagnostic) -> LedgerReport {
        let (heads, damage) = try examine()
        let head = heads.newest.head
        var frontier = MerkleFrontier()
        var open: [LedgerReport.UnfinishedRun] = []
        var first: LedgerTime?
        var last = LedgerTime(milliseconds: 0)
        var end: Int64 = 0
        try records(of: heads.newest) { (number, line, offset) throws(Diagnostic) in
            let entry = try entry(line, number)
            guard entry.time >= last else { throw .backwards(files.log, number) }
            first = first ?? entry.time
            last = entry.time
            end = offset
            frontier.append(leaf: line.leaf)
            switch (entry.kind, entry.run) {
            case (.runIntent, let run?): open.append(.init(run: run, sequence: number))
            case (.runEnd, let run), (.runInterrupted, let run): open.removeAll { $0.run == run }
            default: break
            }
            return true
        }
        // The end of the log may be wrong because of something before it, which is the better place to name.
        if let damage { throw damage }
        guard end == head.bytes, frontier == head.frontier, last == head.time, let first else {
            throw .wrongRoot(files.log, signed: head.size)
        }
        guard open == head.open.map({ .init(run: $0.run, sequence: $0.sequence) }) else {
            throw .wrongOpenRuns(files.log)
        }
        let isCutOff: Bool
        if case .cutOff = try heads.newest.state(in: files) { isCutOff = true } else { isCutOff = false }
        return LedgerReport(
            ledger: head.ledger, count: head.size, root: Hex.string(frontier.root), keyID: verifier.keyID,
            signedAt: head.time, firstTime: first, unfinishedRuns: open,
            hasUnfinishedWrite: isCutOff || heads.hasUnfinishedWrite)
    }
}
