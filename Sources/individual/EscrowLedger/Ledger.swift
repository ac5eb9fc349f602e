public import EscrowDiagnostics
import EscrowFiles
public import EscrowJSON
import Glibc
import Synchronization

/// The append-only record of everything that flowed, for whoever writes to it.
///
/// Several processes may have the same ledger open: each append takes the lock, sees what the others wrote, and is on the disk
/// when it returns. Concurrent appends share one wait for the disk. Reading needs no lock: see `LedgerReader`.
///
///     let ledger = try Ledger.open(directory: "\(home)/ledger", signer: hostKey)
///     try ledger.append(.runIntent, run: run, fields: intent.fields)
public final class Ledger: Sendable {
    let files: LedgerFiles
    let signer: any HeadSigner
    /// What this process saw last; nil after a failure.
    private let seen = Mutex<Known?>(nil)
    /// The bytes of the heads that this process saw last, with the time of the record that they are about.
    private let latest = Mutex<(heads: [UInt8], time: LedgerTime)?>(nil)
    let queue = AppendQueue()

    /// The newest state, and the bytes of the head files by which it was known.
    struct Known: Sendable {
        var head: Head
        var files: [HeadFile]
    }

    init(_ files: LedgerFiles, signer: any HeadSigner) {
        self.files = files
        self.signer = signer
    }

    /// Makes a ledger in a folder that does not exist yet; its first record says that the host was created.
    ///
    /// It appears in one step: a crash leaves no such folder, or a whole ledger. `copies` are files outside it that keep its
    /// heads as well, so that nobody can restore an older state unseen.
    public static func create(
        directory: String, copies: [String] = [], signer: some HeadSigner, fields: JSONValue = .object([])
    ) throws(Diagnostic) -> Ledger {
        guard access(directory, F_OK) != 0 else { throw .ledgerExists(directory) }
        let draft = LedgerFiles(directory: "\(directory).\(getpid()).new")
        for name in ["log.1", "heads"] { unlink("\(draft.directory)/\(name)") }
        rmdir(draft.directory)
        try SecureFile.makeFolder(draft.directory)
        var batch = Batch(newFile: 1, ledger: Hex.string(Hashing.salt().prefix(16)))
        _ = try batch.add(.hostCreated, run: nil, fields: fields, now: .now())
        let (bytes, head) = try batch.seal(signer)
        try SecureFile.replace(draft.log(1), with: bytes)
        try draft.replaceHeads(draft.heads, with: head.page)
        for copy in copies { try draft.replaceHeads(copy, with: head.page) }
        // rename(2) onto a folder that somebody made meanwhile fails unless that folder is empty.
        guard rename(draft.directory, directory) == 0 else { throw .ledgerExists(directory) }
        try SecureFile.synchronizeFolder(SecureFile.parent(of: directory))
        return Ledger(LedgerFiles(directory: directory, copies: copies), signer: signer)
    }

    /// Opens a ledger, repairs what a crash left, and records the runs that a crash interrupted. Throws where the end of the
    /// ledger is damaged, cut off or older than a head says.
    ///
    /// Only the heads and the end of the log are read; `LedgerReader.verify` reads all.
    public static func open(
        directory: String, copies: [String] = [], signer: some HeadSigner
    ) throws(Diagnostic) -> Ledger {
        let ledger = Ledger(LedgerFiles(directory: directory, copies: copies), signer: signer)
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
        try queue.append(Append(kind: kind, run: run, fields: fields)) { requests throws(Diagnostic) in
            try self.exclusively { (known) throws(Diagnostic) in try self.write(requests, &known) }
        }
    }

    /// The time of the last record: no check against a date should use an earlier one.
    ///
    /// As long as the heads are byte for byte those that were seen last, nobody waits for who is writing: a record counts from
    /// the moment that it is durable, and the heads follow.
    public func lastTime() throws(Diagnostic) -> LedgerTime {
        if let latest = latest.withLock({ $0 }), try files.heads(files.heads, are: latest.heads) {
            return latest.time
        }
        return try exclusively { (known) throws(Diagnostic) in known.head.time }
    }

    /// The later of the wall clock and the last record, to check expiry against: a clock set back must not revive what expired.
    public func now() throws(Diagnostic) -> LedgerTime { max(.now(), try lastTime()) }

    func exclusively<Result: Sendable>(
        _ body: (inout Known) throws(Diagnostic) -> Result
    ) throws(Diagnostic) -> Result {
        try seen.withLock { (seen) throws(Diagnostic) -> Result in
            try files.requirePresent()
            let lock = try FileLock.acquire(files.lock)
            defer { withExtendedLifetime(lock) {} }
            let cached = seen
            seen = nil
            var known = try settle(cached)
            let result = try body(&known)
            seen = known
            let heads = known.files.first?.raw
            latest.withLock { $0 = heads.map { ($0, known.head.time) } }
            return result
        }
    }

    /// Writes records with one checkpoint. One that does not fit is refused; the others are written.
    ///
    /// The log is durable before a head is written, so a head never vouches for what the disk may not have. The heads need not
    /// be durable: the log holds the same checkpoint, and the next open goes on from there.
    func write(_ requests: [Append], _ known: inout Known) throws(Diagnostic) -> [AppendOutcome] {
        let begins = requests.count { $0.kind == .runIntent }
        // Runs whose process is gone make room.
        if begins > 0, known.head.line.open.count + begins > OpenRun.maximum {
            try recordInterruptedRuns(&known)
        }
        var batch = Batch(after: known.head)
        if begins > 0 { batch.holder = try Holder.name(in: files.directory) }
        let now = LedgerTime.now()
        var outcomes: [AppendOutcome] = []
        for request in requests {
            do throws(Diagnostic) {
                outcomes.append(
                    .written(try batch.add(request.kind, run: request.run, fields: request.fields, now: now)))
            } catch {
                outcomes.append(.refused(error))
            }
        }
        guard batch.size > known.head.size else { return outcomes }
        let (bytes, head) = try batch.seal(signer)
        try files.append(bytes, to: files.log(head.checkpoint.generation), at: known.head.end)
        known.head = head
        try writeHeads(&known)
        return outcomes
    }

    func write(
        _ kind: LedgerEntry.Kind, _ run: String? = nil, _ fields: JSONValue, _ known: inout Known
    ) throws(Diagnostic) {
        if case .refused(let diagnostic)? = try write(
            [Append(kind: kind, run: run, fields: fields)], &known
        ).first {
            throw diagnostic
        }
    }

    /// Writes the newest head to every file of heads that lacks it, into the page whose turn it is.
    func writeHeads(_ known: inout Known) throws(Diagnostic) {
        let page = known.head.page
        let bytes = page.bytes
        for (index, file) in known.files.enumerated() where file.newest != page {
            try files.writePage(bytes, file.next, of: file.path)
            known.files[index] = file.with(page, bytes)
        }
    }
}
