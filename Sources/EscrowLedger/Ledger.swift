public import EscrowDiagnostics
import EscrowFiles
public import EscrowJSON
import Glibc
import Synchronization

/// The append-only record of everything that flowed, for whoever writes to it.
///
/// Several processes may have the same ledger open: each append takes the lock, sees what the others did, and is on the
/// disk when it returns. Reading needs no lock: see `LedgerReader`.
///
///     let ledger = try Ledger.open(directory: "\(home)/ledger", signer: hostKey)
///     try ledger.append(.runIntent, run: run, fields: intent.fields)
public final class Ledger: Sendable {
    let files: LedgerFiles
    let signer: any HeadSigner
    /// What this process saw last: the head files byte for byte. Nil after a failure: then they are judged anew.
    private let seen = Mutex<LedgerFiles.Heads?>(nil)

    init(directory: String, signer: any HeadSigner) {
        files = LedgerFiles(directory: directory)
        self.signer = signer
    }

    /// Makes a ledger in a folder that does not exist yet; its first record says that the host was created.
    ///
    /// It appears in one step: after a crash at any point there is either no such folder, or a whole ledger.
    public static func create(
        directory: String, signer: some HeadSigner, fields: JSONValue = .object([])
    ) throws(Diagnostic) -> Ledger {
        guard access(directory, F_OK) != 0 else { throw .ledgerExists(directory) }
        let draft = LedgerFiles(directory: "\(directory).\(getpid()).new")
        for name in ["log", "head.0", "head.1"] { unlink("\(draft.directory)/\(name)") }
        rmdir(draft.directory)
        try SecureFile.makeFolder(draft.directory)
        let empty = Head(
            ledger: Hex.string(Hashing.salt().prefix(16)), frontier: MerkleFrontier(), last: [], bytes: 0,
            time: LedgerTime(milliseconds: 0), open: [])
        let (slot, _) = try next(after: empty, .hostCreated, run: nil, fields: fields, now: .now())
        try draft.writeLog(slot.line.bytes + [0x0A], at: 0)
        try draft.synchronizeLog()
        try draft.writeHead(try slot.bytes(signedBy: signer), for: slot.head.size)
        try SecureFile.synchronizeFolder(draft.directory)
        // rename(2) onto a folder that somebody made meanwhile fails unless that folder is empty.
        guard rename(draft.directory, directory) == 0 else { throw .ledgerExists(directory) }
        try SecureFile.synchronizeFolder(SecureFile.parent(of: directory))
        return Ledger(directory: directory, signer: signer)
    }

    /// Opens a ledger: completes what a crash cut off, and records which runs a crash interrupted.
    ///
    /// Only the end of the log is looked at, so that opening takes the same time for any length; `LedgerReader.verify`
    /// reads all.
    public static func open(directory: String, signer: some HeadSigner) throws(Diagnostic) -> Ledger {
        let ledger = Ledger(directory: directory, signer: signer)
        try ledger.recordInterruptedRuns()
        return ledger
    }

    /// Appends one record; when this returns, it is on the disk.
    ///
    /// `fields` must be an object and must never hold a value of the individual's data. A `run-intent` begins a run, and
    /// exactly one `run-end` ends it.
    @discardableResult
    public func append(_ kind: LedgerEntry.Kind, run: String? = nil, fields: JSONValue) throws(Diagnostic)
        -> LedgerEntry
    {
        try exclusively { (heads) throws(Diagnostic) in try self.write(kind, run, fields, &heads) }
    }

    /// The time of the last record: no check against a date should use an earlier one.
    public func lastTime() throws(Diagnostic) -> LedgerTime {
        try exclusively { (heads) throws(Diagnostic) in heads.newest.head.time }
    }

    /// The later of the wall clock and the last record: what to check expiry against, since a clock that was set back
    /// must not revive what has expired.
    public func now() throws(Diagnostic) -> LedgerTime { max(.now(), try lastTime()) }

    /// Does something while no other thread or process appends.
    func exclusively<Result: Sendable>(
        _ body: (inout LedgerFiles.Heads) throws(Diagnostic) -> Result
    ) throws(Diagnostic) -> Result {
        try seen.withLock { (seen) throws(Diagnostic) -> Result in
            guard access(files.directory, F_OK) == 0 else { throw .ledgerMissing(files.directory) }
            let lock = try FileLock.acquire(files.lock)
            defer { withExtendedLifetime(lock) {} }
            let cached = seen
            seen = nil
            var heads = try settle(cached)
            let result = try body(&heads)
            seen = heads
            return result
        }
    }

    /// What comes after a head: a new head, and the record that it vouches for.
    static func next(
        after head: Head, _ kind: LedgerEntry.Kind, run: String?, fields: JSONValue, now: LedgerTime
    ) throws(Diagnostic) -> (slot: HeadSlot, entry: LedgerEntry) {
        guard fields.members != nil else { throw .unwritable("its fields are not an object") }
        let isBehind = now < head.time
        let record = RecordLine.record(
            sequence: head.size + 1, time: isBehind ? head.time : now, clock: isBehind ? now : nil,
            kind: kind,
            run: run, fields: fields)
        guard record.count <= RecordLine.maximumRecord else {
            throw .unwritable("it has \(record.count) bytes, \(RecordLine.maximumRecord) are allowed")
        }
        let line = RecordLine(salt: Hashing.salt(), record: record)
        let entry: LedgerEntry
        // What could not be read back is never written: a NUL in a text, a name twice.
        do { entry = try line.entry() } catch { throw .unwritable("it could not be read back") }
        var next = head
        next.frontier.append(leaf: line.leaf)
        next.last = line.commitment
        next.bytes = head.bytes + Int64(line.bytes.count) + 1
        next.time = entry.time
        try next.follow(entry, in: .current)
        return (HeadSlot(head: next, line: line), entry)
    }

    /// Writes one record. The order is what makes it durable and whole: first the log is synced, since the head file
    /// that is overwritten now held its last line but one; then the head with the record; the log last, whose end can
    /// always be written again from the head.
    func write(
        _ kind: LedgerEntry.Kind, _ run: String?, _ fields: JSONValue, _ heads: inout LedgerFiles.Heads
    ) throws(Diagnostic) -> LedgerEntry {
        let (slot, entry) = try Self.next(
            after: heads.newest.head, kind, run: run, fields: fields, now: .now())
        let bytes = try slot.bytes(signedBy: signer)
        try files.synchronizeLog()
        try files.writeHead(bytes, for: slot.head.size)
        try files.writeLog(slot.line.bytes + [0x0A], at: slot.lineStart)
        heads = LedgerFiles.Heads(
            newest: slot, newestBytes: bytes, otherBytes: heads.newestBytes, hasUnfinishedWrite: false)
        return entry
    }
}

extension Head {
    /// Keeps the list of runs without an end.
    mutating func follow(_ entry: LedgerEntry, in process: ProcessIdentity) throws(Diagnostic) {
        switch entry.kind {
        case .runIntent:
            guard let run = entry.run else { throw .wrongRun("a run-intent names no run") }
            guard !open.contains(where: { $0.run == run }) else { throw .wrongRun("the run began already") }
            guard open.count < Self.maximumOpen else {
                throw .wrongRun("\(Self.maximumOpen) runs are under way already")
            }
            open.append(OpenRun(run: run, sequence: entry.sequence, process: process))
        case .runEnd, .runInterrupted:
            guard let index = open.firstIndex(where: { $0.run == entry.run }) else {
                throw .wrongRun("a run ends that did not begin, or that ended already")
            }
            open.remove(at: index)
        default: break
        }
    }
}
