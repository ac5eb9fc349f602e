import Crypto
import EscrowDiagnostics

/// A ledger's end as it was found: its newest state, and what a crash left behind it. Only the heads and what the log holds
/// after the newest of them are read, so the time does not grow with the log.
struct Examination: Sendable {
    let head: Head
    let log: LogFile
    let files: [HeadFile]
    /// Bytes after the newest state: a write that did not finish and was not acknowledged.
    let torn: Int64

    /// Whether there is something for the next writer to put in order and to record.
    var needsRepair: Bool { torn > 0 || files.contains { $0.hasUnsoundPage } }
}

extension LedgerFiles {
    /// Reads and judges the end of a ledger; throws what no crash explains.
    func examine(known: [[UInt8]: HeadPage] = [:], verifier: some HeadVerifier) throws(Diagnostic)
        -> Examination
    {
        try requirePresent()
        var found: [HeadFile] = []
        for path in headFiles {
            found.append(try HeadFile(path, in: self, known: known, verifier: verifier))
        }
        // The ledger's own head, or where it has none, the newest copy.
        let base =
            found[0].newest
            ?? found.compactMap(\.newest).max { $0.checkpoint.size < $1.checkpoint.size }
        guard let base else {
            throw found.contains(where: \.isForeign)
                ? .foreignHead(directory, verifier.keyID) : .noSoundHead(directory)
        }
        let file = try openLog(of: base.checkpoint)
        let (head, torn) = try follow(base, file, verifier: verifier)
        for copy in found { try check(copy, head, file) }
        return Examination(head: head, log: file, files: found, torn: torn)
    }

    /// Goes from a sound page to the newest checkpoint in the log, which after a crash may be ahead of the heads.
    private func follow(
        _ base: HeadPage, _ file: LogFile, verifier: some HeadVerifier
    ) throws(Diagnostic) -> (head: Head, torn: Int64) {
        let length = try file.length()
        var lines = LogLines(file, from: base.checkpoint.offset, to: length)
        guard base.checkpoint.offset < length, case .whole(let bytes)? = try lines.next(),
            let first = CheckpointLine(bytes), first.note == base.note
        else { throw try endDamage(base, file) }
        var head = Head(line: first, frontier: base.frontier)
        var frontier = base.frontier
        var covers = SHA256()
        head.lineBytes.withUnsafeBytes { covers.update(bufferPointer: $0) }
        while case .whole(let bytes)? = try lines.next(), let line = try? LogLine(bytes) {
            switch line {
            case .record(let record): frontier.append(leaf: record.leaf)
            case .checkpoint(let line):
                let expected = line.checkpoint
                guard expected.ledger == base.checkpoint.ledger, expected.size == frontier.size,
                    expected.root == frontier.root, expected.generation == base.checkpoint.generation,
                    expected.offset == lines.position - Int64(bytes.count) - 1,
                    expected.covers == Array(covers.finalize()),
                    line.note.verdict(name: expected.origin, verifier: verifier) == .good
                else { return (head, length - head.end) }
                head = Head(line: line, frontier: frontier)
                covers = SHA256()
            default: return (head, length - head.end)
            }
            covers.update(data: bytes)
            covers.update(data: [0x0A])
        }
        return (head, length - head.end)
    }

    /// The error for a log without what the head vouches for: it was cut off, or altered at its end.
    private func endDamage(_ base: HeadPage, _ file: LogFile) throws(Diagnostic) -> Diagnostic {
        var lines = LogLines(file)
        var count: UInt64 = 0
        var number: UInt64 = 0
        while let line = try lines.next() {
            number += 1
            guard case .whole(let bytes) = line, let line = try? LogLine(bytes) else { break }
            switch line {
            case .record, .reduced: count += 1
            case .gap(let gap): count = gap.through
            case .header, .checkpoint: break
            }
        }
        return count < base.checkpoint.size || number == 0
            ? .cutOff(file.path, count: count, signed: base.checkpoint.size)
            : .wrongEnd(file.path, signed: base.checkpoint.size)
    }

    /// Checks a file of heads against the newest state.
    ///
    /// An append makes the log durable before it writes a head. So a crash may leave a head behind the log, never ahead of it,
    /// and explains a broken page only if the log holds the checkpoint that was being written.
    private func check(_ file: HeadFile, _ head: Head, _ log: LogFile) throws(Diagnostic) {
        guard file.raw != nil else { throw .headMissing(file.path) }
        guard let newest = file.newest else {
            throw file.isForeign ? .foreignHead(file.path, "") : .noSoundHead(file.path)
        }
        let checkpoint = newest.checkpoint
        guard checkpoint.ledger == head.checkpoint.ledger else { throw .fork(file.path) }
        guard checkpoint.size <= head.size else {
            throw .putBack(log.path, count: head.size, copy: file.path, vouched: checkpoint.size)
        }
        guard !file.hasUnsoundPage || checkpoint.size < head.size else { throw .headDamaged(file.path) }
        if checkpoint.size == head.size {
            guard checkpoint.root == head.checkpoint.root else { throw .fork(file.path) }
        } else if checkpoint.generation == head.checkpoint.generation {
            // The log must hold this very checkpoint.
            var lines = LogLines(log, from: checkpoint.offset)
            guard case .whole(let bytes)? = try lines.next(), CheckpointLine(bytes)?.note == newest.note
            else { throw .fork(file.path) }
        } else {
            guard try root(of: checkpoint.size, log, head) ?? checkpoint.root == checkpoint.root else {
                throw .fork(file.path)
            }
        }
    }

    private func root(of size: UInt64, _ log: LogFile, _ head: Head) throws(Diagnostic) -> [UInt8]? {
        var frontier = MerkleFrontier()
        var walk = LogWalk(log, to: head.end)
        while frontier.size < size, let item = try walk.next() { frontier.follow(item.line) }
        return frontier.size == size ? frontier.root : nil
    }
}
