import Crypto
public import EscrowDiagnostics
import EscrowJSON

/// What `verify` found in a ledger that is whole.
public struct LedgerReport: Sendable, Equatable {
    public let ledger: String
    /// How many records there are, those included whose content is not there any more.
    public let count: UInt64
    /// The root of the Merkle tree over all of them, in hexadecimal.
    public let root: String
    public let keyID: String
    /// The newest checkpoint, as others can check it (C2SP tlog-checkpoint).
    public let checkpoint: String
    /// The key in the form that such checkers take.
    public let verifierKey: String
    /// The time of the last record, with which the head was signed.
    public let signedAt: LedgerTime
    public let firstTime: LedgerTime
    /// Runs that have no end yet, with the sequence number of their intent: under way, or cut off.
    public let unfinishedRuns: [UnfinishedRun]
    /// A write was cut off; the next append drops it, and says so.
    public let hasUnfinishedWrite: Bool
    /// Records whose content is not all there any more: erased, decayed, compacted, lost to damage.
    public let missing: Missing

    public var runsWithoutEnd: [String] { unfinishedRuns.map(\.run) }

    public struct UnfinishedRun: Sendable, Equatable {
        public let run: String
        public let sequence: UInt64
    }

    public struct Missing: Sendable, Equatable {
        public var erased: UInt64 = 0
        public var decayed: UInt64 = 0
        /// They are not there at all: dropped with age or for room.
        public var compacted: UInt64 = 0
        public var lost: UInt64 = 0
    }
}

extension LedgerReader {
    /// Reads the whole ledger and checks every byte of it: each line, each commitment, order and times, every checkpoint
    /// against what stands before it, the root, the signature of the newest head, and every copy of it. Throws what is
    /// wrong first, and where.
    public func verify() throws(Diagnostic) -> LedgerReport {
        let found: Examination
        do throws(Diagnostic) {
            found = try examine()
        } catch {
            // Damage before the end may be the cause, and is the better place to name.
            try files.scanAll(verifier: verifier)
            throw error
        }
        var scan = LogScan(found.log, to: found.head.end)
        while try scan.next() != nil {}
        let head = found.head
        guard scan.last == head.line, scan.frontier == head.frontier, let first = scan.firstTime else {
            throw .wrongEnd(found.log.path, signed: head.size)
        }
        return LedgerReport(
            ledger: head.checkpoint.ledger, count: head.size, root: Hex.string(head.checkpoint.root),
            keyID: verifier.keyID, checkpoint: head.line.note.note,
            verifierKey: SignedNote.verifierKey(name: head.checkpoint.origin, key: verifier.publicKey),
            signedAt: head.time, firstTime: first,
            unfinishedRuns: head.line.open.map { .init(run: $0.run, sequence: $0.sequence) },
            hasUnfinishedWrite: found.needsRepair, missing: scan.missing)
    }
}

extension LedgerFiles {
    /// Reads the newest log without the heads and throws the first thing that is wrong.
    func scanAll(verifier: some HeadVerifier) throws(Diagnostic) {
        try requirePresent()
        guard let generation = try generations().last, let log = try LogFile(log(generation)) else { return }
        let length = try log.length()
        var scan = LogScan(log, to: length)
        do throws(Diagnostic) {
            while try scan.next() != nil {}
        } catch {
            // Lines without a checkpoint after them may be a write that did not finish.
            var rest = LogLines(log, from: scan.lastEnd, to: length)
            while let line = try rest.next() {
                if case .whole(let bytes) = line, CheckpointLine(bytes) != nil { throw error }
            }
        }
    }
}
