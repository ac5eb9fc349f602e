public import EscrowDiagnostics
import EscrowFiles
import EscrowJSON
import Glibc

public struct LedgerRepair: Sendable, Equatable {
    /// Entries whose content is lost; their place in the tree is not.
    public var contentLost = SequenceSet()
    /// Entries that are not there any more at all.
    public var recordsLost: ClosedRange<UInt64>?
    /// Files of heads that were written anew.
    public var headsRewritten: [String] = []
    /// Where the damaged log is kept; nil where the log was whole.
    public var kept: String?
    /// How many runs were still open whose process is gone.
    public var interrupted = 0
    public var entry: LedgerEntry?

    /// What was lost and done, in a sentence each, as the ledger keeps it.
    public var sentences: [String] {
        var all: [String] = []
        if !contentLost.isEmpty {
            all.append(
                "the content of \(contentLost.count) entries was damaged and is lost; their places remain")
        }
        if let recordsLost {
            all.append(
                "entries \(recordsLost.lowerBound) to \(recordsLost.upperBound) are lost; a signed head vouches that they were there"
            )
        }
        if kept != nil, contentLost.isEmpty, recordsLost == nil {
            all.append("lines of the log that hold no entry were damaged; no entry is lost")
        }
        if !headsRewritten.isEmpty {
            all.append(
                "\(headsRewritten.count) files of heads were damaged, missing or behind, and were written anew"
            )
        }
        return all
    }
}

extension Ledger {
    /// Makes a damaged ledger usable again and records exactly what is lost. What a signed head vouches for and the log does
    /// not hold becomes a recorded gap; the damaged log is kept beside the new one.
    ///
    /// A sound ledger is left as it is; runs whose process is gone are recorded as interrupted in any case.
    public static func repair(
        directory: String, copies: [String] = [], signer: some HeadSigner
    ) throws(Diagnostic) -> LedgerRepair {
        var repair = try mend(directory: directory, copies: copies, signer: signer)
        let ledger = Ledger(LedgerFiles(directory: directory, copies: copies), signer: signer)
        repair.interrupted = try ledger.recordInterruptedRuns()
        return repair
    }

    private static func mend(
        directory: String, copies: [String], signer: some HeadSigner
    ) throws(Diagnostic) -> LedgerRepair {
        let files = LedgerFiles(directory: directory, copies: copies)
        try files.requirePresent()
        let lock = try FileLock.acquire(files.lock)
        defer { withExtendedLifetime(lock) {} }
        if (try? LedgerReader(files: files, verifier: signer).verify()) != nil { return LedgerRepair() }
        let salvage = try Salvage(files, signer)
        return try Ledger(files, signer: signer).write(salvage)
    }

    private func write(_ salvage: Salvage) throws(Diagnostic) -> LedgerRepair {
        var repair = LedgerRepair(contentLost: salvage.contentLost, recordsLost: salvage.gap)
        for file in salvage.heads where file.newest?.checkpoint.size != salvage.size || file.hasUnsoundPage {
            repair.headsRewritten.append(file.path)
        }
        let generation = (try files.generations().last ?? 0) + 1
        if salvage.isLogDamaged, salvage.log != nil {
            repair.kept = "\(files.directory)/damaged.\(generation - 1)"
        }
        var batch = Batch(
            newFile: generation, ledger: salvage.ledger, frontier: salvage.frontier, time: salvage.time,
            open: salvage.open)
        let by = salvage.size + 1
        try salvage.forEachLine { line in
            switch line {
            case .reduced(let line) where line.by == 0:
                batch.copy(.reduced(ReducedLine(commitment: line.commitment, fate: .lost(by: by))))
            default: batch.copy(line)
            }
        }
        var fields: [(name: String, value: JSONValue)] = [
            ("what", .string(repair.sentences.joined(separator: "; ")))
        ]
        if salvage.gap != nil {
            batch.copy(.gap(GapLine(frontier: salvage.frontier, by: by, reason: .lost)))
            fields.append(("through", .integer(Int64(clamping: salvage.size))))
            fields.append(("from", .integer(Int64(clamping: salvage.gap?.lowerBound ?? 0))))
        }
        if !salvage.contentLost.isEmpty { fields.append(("entries", salvage.contentLost.json)) }
        repair.entry = try batch.add(.repaired, run: nil, fields: .object(fields), now: .now())
        let (bytes, head) = try batch.seal(signer)
        try SecureFile.replace(files.log(generation), with: bytes)
        for path in files.headFiles { try files.replaceHeads(path, with: head.page) }
        if let old = salvage.log?.path, let kept = repair.kept, rename(old, kept) != 0 {
            throw .file(old, "cannot be renamed", errno)
        }
        try removeOtherLogs(generation)
        return repair
    }
}

private struct Salvage {
    let ledger: String
    /// How many records there were, by the newest signature.
    let size: UInt64
    let frontier: MerkleFrontier
    let time: LedgerTime
    let open: [OpenRun]
    let heads: [HeadFile]
    let log: LogFile?
    /// The records that the log holds up to where a checkpoint vouches for all of them.
    let kept: UInt64
    var contentLost = SequenceSet()
    private(set) var isLogDamaged = false

    var gap: ClosedRange<UInt64>? { kept < size ? kept + 1...size : nil }

    init(_ files: LedgerFiles, _ verifier: some HeadVerifier) throws(Diagnostic) {
        var heads: [HeadFile] = []
        for path in files.headFiles {
            heads.append(try HeadFile(path, in: files, known: [:], verifier: verifier))
        }
        let page = heads.compactMap(\.newest).max { $0.checkpoint.size < $1.checkpoint.size }
        let last = try files.generations().last ?? 0
        let generation = page?.checkpoint.generation ?? last
        log = try LogFile(files.log(generation))
        self.heads = heads
        var frontier = MerkleFrontier()
        var lost = SequenceSet()
        var found: (size: UInt64, frontier: MerkleFrontier, lost: SequenceSet, line: CheckpointLine?) = (
            0, frontier, lost, nil
        )
        var isDamaged = false
        if let log {
            try Self.forEachLine(log) { (line) throws(Diagnostic) in
                switch line {
                case .header, .record, .gap: frontier.follow(line)
                case .reduced(let reduced):
                    frontier.follow(line)
                    if reduced.by == 0 {
                        lost.insert(frontier.size)
                        isDamaged = true
                    }
                case .checkpoint(let line):
                    let told = line.checkpoint
                    if told.size == frontier.size, told.root == frontier.root,
                        line.note.verdict(name: told.origin, verifier: verifier) == .good
                    {
                        found = (frontier.size, frontier, lost, line)
                    }
                    return true
                }
                // The line of a checkpoint may itself be damaged, and the page is not.
                if let page, frontier == page.frontier { found = (frontier.size, frontier, lost, found.line) }
                return true
            } damaged: {
                isDamaged = true
            }
        }
        guard let newest = found.line?.checkpoint ?? page?.checkpoint else {
            throw .beyondRepair(files.directory)
        }
        ledger = newest.ledger
        kept = found.size
        contentLost = found.lost
        size = max(found.size, page?.checkpoint.size ?? 0)
        self.frontier = size == found.size ? found.frontier : page?.frontier ?? found.frontier
        time = max(found.line?.checkpoint.time ?? newest.time, page?.checkpoint.time ?? newest.time)
        open = found.line?.checkpoint.size == size ? found.line?.open ?? [] : []
        isLogDamaged = isDamaged || kept < size || log == nil || found.line?.checkpoint.size != size
    }

    /// Hands out the lines that are kept, without headers and checkpoints.
    func forEachLine(_ body: (LogLine) -> Void) throws(Diagnostic) {
        guard let log else { return }
        var count: UInt64 = 0
        try Self.forEachLine(log) { (line) throws(Diagnostic) in
            switch line {
            case .header, .checkpoint: return true
            case .record, .reduced: count += 1
            case .gap(let line): count = line.through
            }
            guard count <= kept else { return false }
            body(line)
            return true
        } damaged: {
        }
    }

    /// Calls `body` with what can be read of a log. A damaged record with a readable commitment counts as lost, by record 0;
    /// the next checkpoint shows whether the commitment is right.
    private static func forEachLine(
        _ log: LogFile, _ body: (LogLine) throws(Diagnostic) -> Bool, damaged: () -> Void
    ) throws(Diagnostic) {
        var lines = LogLines(log)
        while let next = try lines.next() {
            let bytes: [UInt8]
            switch next {
            case .whole(let line), .broken(let line): bytes = line
            }
            let start = RecordLine.opening.count
            if let line = try? LogLine(bytes) {
                guard try body(line) else { return }
            } else if bytes.count >= start + 64, bytes.starts(with: RecordLine.opening),
                let commitment = Hex.read(bytes[start..<start + 64])
            {
                damaged()
                guard
                    try body(.reduced(ReducedLine(commitment: commitment, fate: .lost(by: 0))))
                else { return }
            } else {
                damaged()
            }
        }
    }
}
