import EscrowDiagnostics
import EscrowFiles
import Glibc
import Synchronization

/// How often a decision was used since `grants.json` was written.
struct GrantUse: Sendable, Equatable {
    var count = 0
    var lastAt = ""
}

extension Grant {
    /// The decision with uses that are not in its file yet.
    func adding(_ use: GrantUse?) -> Grant {
        guard let use else { return self }
        var grant = self
        let (count, isTooMany) = useCount.addingReportingOverflow(use.count)
        grant.useCount = isTooMany ? .max : count
        grant.lastUsedAt = use.lastAt
        return grant
    }
}

/// The uses of decisions since `grants.json` was written, in `grants.uses` beside it: one line a use, so that a run writes
/// one line and not all decisions anew.
///
///     escrow-grant-uses 1 u-0123456789abcdef
///     g-0123456789ab 2026-11-21T14:20:00Z
///
/// The first line names the `grants.json` that they belong to. Whenever that file is written, the uses so far go into it
/// and it gets another name: lines of an earlier name are counted already.
///
/// A line is in the kernel's hands before its run goes on, so no end of a process loses it. Of a decision that ends after so
/// many runs it is on the disk as well: not even a power cut makes one run more of it. Of any other a power cut may lose the
/// latest uses, by which what is never used again is reset a little earlier.
final class GrantUses: Sendable {
    /// From so many lines on they go into `grants.json`.
    static let maximumLines = 4096
    /// Far more bytes than so many lines have. No more is read.
    static let maximumBytes = 1 << 20

    /// What the file holds.
    struct Content: Sendable {
        /// The `grants.json` that it belongs to; empty without a file.
        var generation = ""
        /// The uses of each decision.
        var uses: [String: GrantUse] = [:]
        var lines = 0
        /// How many bytes of whole lines there are. What follows was being written when power or disk ended: it never
        /// counted, and its run never went on.
        var end = 0
    }

    private struct Read: Sendable {
        var content: Content
        let file: OpenUses
    }

    private let path: String
    private let state = Mutex<Read?>(nil)
    /// What is on its way to the disk, by decision.
    private let flushes = Mutex<[String: [UseFlush]]>([:])

    init(_ path: String) { self.path = path }

    /// What the file holds now. Only what was added since the last time is read. E0724 for what is no such file.
    func content() throws(Diagnostic) -> Content {
        try state.withLock { (read) throws(Diagnostic) in
            var status = stat()
            guard lstat(path, &status) == 0 else {
                guard errno == ENOENT else { throw .file(path, "cannot be examined", errno) }
                read = nil
                return Content()
            }
            // A file that is held open is the same as long as its number is: nobody else has that.
            if var known = read, known.file.isSame(as: status), Int(status.st_size) >= known.content.end {
                guard Int(status.st_size) > known.content.end else { return known.content }
                try take(try known.file.bytes(from: known.content.end, path), into: &known.content)
                read = known
                return known.content
            }
            let file = OpenUses(
                try Descriptor(opening: path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK), status)
            var content = Content()
            try take(try file.bytes(from: 0, path), into: &content)
            guard content.end > 0 else { throw damaged(1) }
            read = Read(content: content, file: file)
            return content
        }
    }

    /// Adds a use, after those of the same `grants.json`; those of an earlier one go. The store's lock is held.
    func add(
        _ id: String, at time: ConsentTime, _ generation: String, isDurable: Bool, waits: Bool = true
    ) throws(Diagnostic) {
        let known = try content()
        let line = Array("\(id) \(time)\n".utf8)
        guard known.generation == generation else {
            return try StoreFile(path, limit: Self.maximumBytes, help: "revoke what is for so many runs")
                .replace(with: Array("\(Self.title)\(generation)\n".utf8) + line) {
                    (bytes) throws(Diagnostic) in
                    var content = Content()
                    try take(bytes, into: &content)
                }
        }
        let file = try Descriptor(opening: path, O_WRONLY | O_NOFOLLOW)
        guard ftruncate(file.raw, off_t(known.end)) == 0 else { throw .file(path, "cannot be cut", errno) }
        let written = line.withUnsafeBytes { bytes in
            retrying { pwrite(file.raw, bytes.baseAddress, bytes.count, off_t(known.end)) }
        }
        guard written == line.count else {
            let reason = written < 0 ? errno : ENOSPC
            ftruncate(file.raw, off_t(known.end))
            throw .file(path, "cannot be written", reason)
        }
        guard isDurable else { return }
        if waits { return try file.synchronize() }
        let flush = UseFlush()
        flushes.withLock { $0[id, default: []].append(flush) }
        flush.begin(file)
    }

    /// Waits for what is on its way to the disk of a decision: one wait with whatever else the caller waited for meanwhile.
    func wait(for id: String) throws(Diagnostic) {
        guard let waiting = flushes.withLock({ $0[id] }) else { return }
        for flush in waiting { try flush.wait() }
        flushes.withLock { flushes in
            flushes[id]?.removeAll { flush in waiting.contains { $0 === flush } }
            if flushes[id]?.isEmpty == true { flushes[id] = nil }
        }
    }

    /// Waits until all uses are on the disk. The store's lock is held.
    func synchronize() throws(Diagnostic) {
        guard access(path, F_OK) == 0 else { return }
        try Descriptor(opening: path, O_RDONLY | O_NOFOLLOW).synchronize()
    }

    private static let title = "escrow-grant-uses 1 "

    /// Takes in whole lines, and leaves what follows the last of them.
    func take(_ bytes: [UInt8], into content: inout Content) throws(Diagnostic) {
        var start = bytes.startIndex
        while let stop = bytes[start...].firstIndex(of: 0x0A) {
            let line = String(decoding: bytes[start..<stop], as: UTF8.self)
            if content.end == 0 {
                let generation = line.dropFirst(Self.title.count)
                guard line.hasPrefix(Self.title), Grant.isName(generation, "u-", 16) else { throw damaged(1) }
                content.generation = String(generation)
            } else {
                let words = line.split(separator: " ", omittingEmptySubsequences: false)
                guard words.count == 2, Grant.isName(words[0], "g-", 12),
                    ConsentTime(String(words[1])) != nil
                else { throw damaged(content.lines + 2) }
                content.uses[String(words[0]), default: GrantUse()].count += 1
                content.uses[String(words[0])]?.lastAt = String(words[1])
                content.lines += 1
            }
            content.end += stop - start + 1
            start = stop + 1
        }
    }

    private func damaged(_ line: Int) -> Diagnostic {
        Diagnostic(
            .grantUsesUnreadable, "the uses of grants cannot be read: this is no use",
            at: .init(file: path, line: line, column: 1),
            notes: ["nothing runs until they can be: a grant may be used up"],
            help:
                "restore the file from a backup; if there is none, revoke what is for so many runs, then remove it"
        )
    }
}

extension Grant {
    /// Whether a text is a mark and so many lower-case hexadecimal digits.
    static func isName(_ text: some StringProtocol, _ mark: String, _ digits: Int) -> Bool {
        text.utf8.count == mark.utf8.count + digits && text.hasPrefix(mark)
            && text.utf8.dropFirst(mark.utf8.count).allSatisfy {
                (0x30...0x39).contains($0) || (0x61...0x66).contains($0)
            }
    }
}

/// A file of uses that is held open.
private final class OpenUses: Sendable {
    private let raw: Int32
    private let device: dev_t
    private let file: ino_t

    /// Takes over a descriptor of what `status` was told of a moment ago, or of what took its place since.
    init(_ file: consuming Descriptor, _ status: stat) {
        raw = file.release()
        var now = status
        // Where this fails the earlier status stands, and by it the file is read anew if it was another.
        _ = fstat(raw, &now)
        device = now.st_dev
        self.file = now.st_ino
    }

    deinit { close(raw) }

    func isSame(as status: stat) -> Bool { status.st_dev == device && status.st_ino == file }

    /// What lies behind an offset. No more is read than such a file can have.
    func bytes(from offset: Int, _ path: String) throws(Diagnostic) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < GrantUses.maximumBytes {
            var failure: Int32 = 0
            let piece = [UInt8](unsafeUninitializedCapacity: 16_384) { buffer, filled in
                let got = retrying {
                    pread(raw, buffer.baseAddress, 16_384, off_t(offset + bytes.count))
                }
                if got < 0 { failure = errno }
                filled = max(0, got)
            }
            guard failure == 0 else { throw .file(path, "cannot be read", failure) }
            if piece.isEmpty { break }
            bytes += piece
        }
        return bytes
    }
}
