import EscrowDiagnostics
import EscrowFiles
import Glibc

/// Where the parts of a ledger lie, and how they are read and written.
struct LedgerFiles: Sendable {
    let directory: String
    /// Files outside it that hold the heads as well.
    var copies: [String] = []

    /// The log that a checkpoint is about, open.
    func openLog(of checkpoint: Checkpoint) throws(Diagnostic) -> LogFile {
        let path = log(checkpoint.generation)
        guard let log = try LogFile(path) else { throw .cutOff(path, count: 0, signed: checkpoint.size) }
        return log
    }

    /// The records, one a line.
    func log(_ generation: UInt64) -> String { "\(directory)/log.\(generation)" }
    var heads: String { "\(directory)/heads" }
    /// Held by whoever appends.
    var lock: String { "\(directory)/lock" }
    var headFiles: [String] { [heads] + copies }

    func requirePresent() throws(Diagnostic) {
        guard access(directory, F_OK) == 0 else { throw .ledgerMissing(directory) }
        guard access("\(directory)/head.0", F_OK) != 0 else { throw .earlierFormat(directory) }
    }

    /// The bytes of a file of heads; nil where there is none.
    func headBytes(_ path: String) throws(Diagnostic) -> [UInt8]? {
        try SecureFile.readIfPresent(path, limit: 1 << 16)
    }

    /// Whether a file of heads still has these bytes.
    func heads(_ path: String, are known: [UInt8]?) throws(Diagnostic) -> Bool {
        guard let bytes = try headBytes(path), let known else { return false }
        // Compared for each run, four times: `==` goes byte by byte.
        return bytes.count == known.count
            && bytes.withUnsafeBytes { bytes in
                known.withUnsafeBytes { known in
                    bytes.isEmpty || memcmp(bytes.baseAddress!, known.baseAddress!, bytes.count) == 0
                }
            }
    }

    /// Appends to a log, and waits until it is on the disk. A failed write is cut off, as nobody was told that it was recorded.
    func append(_ bytes: [UInt8], to path: String, at offset: Int64) throws(Diagnostic) {
        let file = try Descriptor(opening: path, O_WRONLY | O_NOFOLLOW)
        do throws(Diagnostic) {
            try Self.write(bytes, to: file, at: offset, path)
            guard retrying({ fdatasync(file.raw) }) == 0 else {
                throw .file(path, "cannot be made durable", errno)
            }
        } catch {
            _ = ftruncate(file.raw, Int(offset))
            throw error
        }
    }

    /// Cuts a log back to where its newest checkpoint ends.
    func cut(_ path: String, to length: Int64) throws(Diagnostic) {
        let file = try Descriptor(opening: path, O_WRONLY | O_NOFOLLOW)
        guard ftruncate(file.raw, Int(length)) == 0, retrying({ fdatasync(file.raw) }) == 0 else {
            throw .file(path, "cannot be cut", errno)
        }
    }

    /// Writes one page of a file of heads. It need not be on the disk: the log is, and holds the same checkpoint.
    func writePage(_ bytes: [UInt8], _ index: Int, of path: String) throws(Diagnostic) {
        let file = try Descriptor(opening: path, O_WRONLY | O_NOFOLLOW)
        try Self.write(bytes, to: file, at: Int64(index * HeadPage.size), path)
    }

    func replaceHeads(_ path: String, with page: HeadPage) throws(Diagnostic) {
        try SecureFile.replace(path, with: page.bytes + page.bytes)
    }

    func generations() throws(Diagnostic) -> [UInt64] {
        try Folder.names(directory).compactMap { $0.hasPrefix("log.") ? UInt64($0.dropFirst(4)) : nil }
            .sorted()
    }

    private static func write(
        _ bytes: [UInt8], to file: borrowing Descriptor, at offset: Int64, _ path: String
    ) throws(Diagnostic) {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                retrying {
                    pwrite(file.raw, buffer.baseAddress! + done, bytes.count - done, Int(offset) + done)
                }
            }
            guard count > 0 else { throw .file(path, "cannot be written", errno) }
            done += count
        }
    }
}
