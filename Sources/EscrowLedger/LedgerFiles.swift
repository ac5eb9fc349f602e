import EscrowDiagnostics
import EscrowFiles
import Glibc

/// Where the parts of a ledger lie, and how they are read and written.
struct LedgerFiles: Sendable {
    /// The folder.
    let directory: String

    /// The records, one a line.
    var log: String { "\(directory)/log" }
    /// Held by whoever appends.
    var lock: String { "\(directory)/lock" }
    /// One of the two head files.
    func head(for size: UInt64) -> String { "\(directory)/\(HeadSlot.name(for: size))" }

    /// Both head files, judged.
    struct Heads: Sendable, Equatable {
        /// The newest head that is sound.
        let newest: HeadSlot
        /// Its file, byte for byte.
        let newestBytes: [UInt8]
        /// The other file, byte for byte.
        let otherBytes: [UInt8]
        /// The other file holds the remains of a write that did not finish.
        let hasUnfinishedWrite: Bool
    }

    /// The bytes of the head file whose turn it is at a size; empty where there is none.
    func headBytes(for size: UInt64) throws(Diagnostic) -> [UInt8] {
        try SecureFile.readIfPresent(head(for: size), limit: HeadSlot.maximum) ?? []
    }

    /// Both head files, byte for byte, `head.0` first.
    func rawHeads() throws(Diagnostic) -> [[UInt8]] {
        guard access(directory, F_OK) == 0 else { throw .ledgerMissing(directory) }
        return [try headBytes(for: 0), try headBytes(for: 1)]
    }

    /// Reads and judges both head files.
    func heads(verifier: some HeadVerifier) throws(Diagnostic) -> Heads {
        try heads(try rawHeads(), verifier: verifier)
    }

    /// Judges both head files.
    func heads(_ raw: [[UInt8]], verifier: some HeadVerifier) throws(Diagnostic) -> Heads {
        var found: [(bytes: [UInt8], slot: HeadSlot?, size: UInt64)] = []
        var isForeign = false
        for (size, bytes) in zip([0, 1] as [UInt64], raw) {
            do {
                let slot = try HeadSlot(bytes, verifier: verifier)
                // A head in the file of the other turn was put there by hand.
                guard slot.head.size & 1 == size else { throw Diagnostic.headsDisagree(directory) }
                found.append((bytes, slot, slot.head.size))
            } catch let refusal as HeadSlot.Refusal {
                isForeign = isForeign || refusal == .foreignKey
                found.append((bytes, nil, 0))
            } catch {
                throw .headsDisagree(directory)
            }
        }
        let newest = found[0].size > found[1].size ? found[0] : found[1]
        let other = found[0].size > found[1].size ? found[1] : found[0]
        guard let slot = newest.slot else {
            throw isForeign ? .foreignHead(directory, verifier.keyID) : .noSoundHead(directory)
        }
        if let older = other.slot {
            guard older.head.size + 1 == newest.size, older.head.ledger == slot.head.ledger else {
                throw .headsDisagree(directory)
            }
        } else if other.bytes.isEmpty, newest.size > 1 {
            // A write that is cut off leaves its file longer or shorter, never without any byte: the file was there.
            throw .headsDisagree(directory)
        }
        return Heads(
            newest: slot, newestBytes: newest.bytes, otherBytes: other.bytes,
            hasUnfinishedWrite: other.slot == nil && !other.bytes.isEmpty)
    }

    /// The bytes of the log from an offset to its end, which must not be further than `limit` away.
    func tail(from offset: Int64, limit: Int) throws(Diagnostic) -> [UInt8] {
        let file = try Descriptor(opening: log, O_RDONLY | O_NOFOLLOW)
        guard lseek(file.raw, Int(offset), SEEK_SET) == Int(offset) else {
            throw .file(log, "cannot be read", errno)
        }
        var bytes: [UInt8] = []
        while bytes.count <= limit {
            let piece = try file.read(limit - bytes.count + 1)
            if piece.isEmpty { break }
            bytes += piece
        }
        return bytes
    }

    /// The length of the log.
    func logLength() throws(Diagnostic) -> Int64 {
        var status = stat()
        guard lstat(log, &status) == 0 else { throw .file(log, "cannot be examined", errno) }
        return Int64(status.st_size)
    }

    /// Makes what is in the log durable.
    func synchronizeLog() throws(Diagnostic) {
        let file = try Descriptor(opening: log, O_WRONLY | O_NOFOLLOW)
        guard retrying({ fdatasync(file.raw) }) == 0 else {
            throw .file(log, "cannot be made durable", errno)
        }
    }

    /// Overwrites the log from an offset; the log ends after it.
    func writeLog(_ bytes: [UInt8], at offset: Int64) throws(Diagnostic) {
        try write(bytes, to: log, at: offset, durably: false)
    }

    /// Overwrites a head file and waits until it is on the disk.
    func writeHead(_ bytes: [UInt8], for size: UInt64) throws(Diagnostic) {
        try write(bytes, to: head(for: size), at: 0, durably: true)
    }

    private func write(_ bytes: [UInt8], to path: String, at offset: Int64, durably: Bool) throws(Diagnostic)
    {
        let file = try Descriptor(opening: path, O_WRONLY | O_CREAT | O_NOFOLLOW, mode: 0o600)
        var status = stat()
        guard fstat(file.raw, &status) == 0, lseek(file.raw, Int(offset), SEEK_SET) == Int(offset) else {
            throw .file(path, "cannot be written", errno)
        }
        try file.write(bytes)
        let end = offset + Int64(bytes.count)
        if status.st_size > end, ftruncate(file.raw, Int(end)) != 0 {
            throw .file(path, "cannot be cut", errno)
        }
        if durably, retrying({ fdatasync(file.raw) }) != 0 {
            throw .file(path, "cannot be made durable", errno)
        }
    }
}
