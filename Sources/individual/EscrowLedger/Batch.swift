import Crypto
import EscrowDiagnostics
import EscrowJSON

/// Records that become durable together: built in memory, ended by one checkpoint, written in one piece.
struct Batch {
    private let ledger: String
    private let generation: UInt64
    private var frontier: MerkleFrontier
    private var time: LedgerTime
    var open: [OpenRun]
    /// Whose runs begin with these records.
    var holder = ""
    private var covers: SHA256
    /// Where in the file the bytes that were not taken yet begin.
    private var position: Int64
    private var pending: [UInt8] = []

    /// Goes on after a head.
    init(after head: Head) {
        ledger = head.checkpoint.ledger
        generation = head.checkpoint.generation
        frontier = head.frontier
        time = head.time
        open = head.line.open
        position = head.end
        covers = SHA256()
        head.lineBytes.withUnsafeBytes { covers.update(bufferPointer: $0) }
    }

    /// Begins a new file; the lines of the old one follow by ``copy(_:)``.
    init(
        newFile generation: UInt64, ledger: String, frontier: MerkleFrontier = MerkleFrontier(),
        time: LedgerTime = LedgerTime(milliseconds: 0), open: [OpenRun] = []
    ) {
        self.ledger = ledger
        self.generation = generation
        self.frontier = frontier
        self.time = time
        self.open = open
        position = 0
        covers = SHA256()
        copy(.header(LogHeader(ledger: ledger, generation: generation)))
    }

    var size: UInt64 { frontier.size }
    var pendingCount: Int { pending.count }

    /// Adds a line that changes nothing about the tree: one of a log that is written anew.
    mutating func copy(_ line: LogLine) { append(line.bytes) }

    mutating func add(
        _ kind: LedgerEntry.Kind, run: String?, fields: JSONValue, now: LedgerTime
    ) throws(Diagnostic) -> LedgerEntry {
        guard fields.members != nil else { throw .unwritable("its fields are not an object") }
        let isBehind = now < time
        let record = RecordLine.record(
            sequence: frontier.size + 1, time: isBehind ? time : now, clock: isBehind ? now : nil, kind: kind,
            run: run, fields: fields)
        guard record.count <= RecordLine.maximumRecord else {
            throw .unwritable("it has \(record.count) bytes, \(RecordLine.maximumRecord) are allowed")
        }
        let line = RecordLine(salt: Hashing.salt(), record: record)
        let entry: LedgerEntry
        // Never write what cannot be read back: a NUL in a text, a name twice.
        let isPlain =
            fields.isPlain(within: RecordLine.plain)
            && JSONValue.string(run ?? "").isPlain(within: RecordLine.plain)
        if isPlain {
            entry = LedgerEntry(
                sequence: frontier.size + 1, time: isBehind ? time : now, clock: isBehind ? now : nil,
                kind: kind, run: run, fields: fields, commitment: Hex.string(line.commitment), reduced: nil)
        } else {
            do { entry = try line.entry() } catch { throw .unwritable("it could not be read back") }
        }
        try follow(entry)
        frontier.append(leaf: line.leaf)
        time = entry.time
        append(line.bytes)
        return entry
    }

    /// Takes the bytes so far: a log that is written anew may not fit into memory.
    mutating func take() -> [UInt8] {
        defer { pending = [] }
        position += Int64(pending.count)
        return pending
    }

    /// Ends the batch with a signed checkpoint.
    consuming func seal(_ signer: some HeadSigner) throws(Diagnostic) -> (bytes: [UInt8], head: Head) {
        let checkpoint = Checkpoint(
            ledger: ledger, size: frontier.size, root: frontier.root, time: time, generation: generation,
            offset: position + Int64(pending.count), open: OpenRun.digest(open),
            covers: Array(covers.finalize()))
        let head = Head(
            line: try CheckpointLine(checkpoint, open: open, signer: signer), frontier: frontier)
        return (pending + head.lineBytes, head)
    }

    private mutating func append(_ line: [UInt8]) {
        let start = pending.count
        pending += line
        pending.append(0x0A)
        pending.withUnsafeBytes {
            covers.update(bufferPointer: UnsafeRawBufferPointer(rebasing: $0[start...]))
        }
    }

    private mutating func follow(_ entry: LedgerEntry) throws(Diagnostic) {
        switch entry.kind {
        case .runIntent:
            guard let run = entry.run else { throw .wrongRun("a run-intent names no run") }
            guard !open.contains(where: { $0.run == run }) else { throw .wrongRun("the run began already") }
            guard open.count < OpenRun.maximum else {
                throw .wrongRun("\(OpenRun.maximum) runs are under way already")
            }
            open.append(OpenRun(run: run, sequence: entry.sequence, holder: holder))
        case .runEnd, .runInterrupted:
            guard let index = open.firstIndex(where: { $0.run == entry.run }) else {
                throw .wrongRun("a run ends that did not begin, or that ended already")
            }
            open.remove(at: index)
        default: break
        }
    }
}
