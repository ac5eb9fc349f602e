internal import EscrowDiagnostics
internal import EscrowFiles
internal import EscrowFormats
package import EscrowSourceFiles
internal import Glibc
internal import Synchronization

/// The facts of files as they were read before, in a file of the escrow home, so that each is read once as long as it stays
/// as it is.
///
/// A cache: if anything is wrong with it, files are read instead. It is a log of ``FactsRecord``s behind a first line that
/// names the format and the time zone of times that name none. A scan appends records in blocks, so a first scan that was
/// interrupted goes on where it was. Reading stops at the first damaged record; the next write then replaces the file.
package final class FactsIndex<Facts: FileFacts>: Sendable {
    private let path: String
    private let header: [UInt8]
    private let onNotice: @Sendable (Diagnostic) -> Void
    private let state = Mutex(FactsState())

    /// An index in a file, which need not be there yet; nothing is read before the first question.
    ///
    /// - Parameter zone: by which times were read that do not name theirs; an index by another zone is begun anew.
    /// - Parameter onNotice: told once when what is in the file cannot be used or the file cannot be written.
    init(path: String, zone: LocalZone, onNotice: @escaping @Sendable (Diagnostic) -> Void = { _ in }) {
        self.path = path
        self.onNotice = onNotice
        header = Array(
            "escrow-\(Facts.indexName) \(FactsRecord.version).\(Facts.indexVersion) \(String(zone.fingerprint, radix: 16))\n"
                .utf8)
    }

    /// What a file said, when it was in this state.
    func facts(_ key: FileKey) -> Facts? { facts(key) { Facts($0) } }

    /// Some of what a file said, when it was in this state; `read` takes it from the bytes of the facts.
    package func facts<Some: Sendable>(
        _ key: FileKey, read: @Sendable (UnsafeRawBufferPointer) -> Some?
    ) -> Some? {
        state.withLock { state in
            load(&state)
            guard let place = state.places[key.path] else { return nil }
            return state.bytes.withUnsafeBytes { bytes in
                // Sums were checked when the records came in.
                let body = FactsRecord.trustedBody(bytes, at: place)
                return FactsRecord.key(body) == key ? read(FactsRecord.facts(body)) : nil
            }
        }
    }

    /// Keeps what a file said.
    func add(_ key: FileKey, _ facts: Facts) {
        state.withLock { state in
            load(&state)
            let place = state.bytes.count
            // Whole records only up to what is read again.
            guard place + FactsRecord.longest + header.count <= FactsState.byteLimit,
                FactsRecord.append(key, facts, to: &state.bytes)
            else {
                return
            }
            state.places[key.path] = place
            state.recordCount += 1
            if state.bytes.count - state.written >= FactsState.blockLimit { write(&state) }
        }
    }

    /// Writes what is not written yet. After a pass over all `fileCount` files, a log that has grown to twice what it
    /// must hold is written anew, without the records that others replaced.
    package func flush(fileCount: Int) {
        state.withLock { state in
            guard state.isLoaded else { return }
            if state.recordCount > 2 * fileCount + 1_024, state.places.count < state.recordCount {
                state.compact()
            }
            if state.mustRewrite || state.bytes.count > state.written { write(&state) }
        }
    }

    /// Forgets what is in memory if the file is another one by now: it was removed together with a source, or another
    /// process wrote it anew.
    func refresh() {
        state.withLock { state in
            guard state.isLoaded, let known = state.file, FileIdentity(path: path) != known else { return }
            state = FactsState()
        }
    }

    private func load(_ state: inout FactsState) {
        guard !state.isLoaded else { return }
        state.isLoaded = true
        let found: (bytes: [UInt8], file: FileIdentity)?
        do {
            found = try PrivateFile.read(path, limit: FactsState.byteLimit)
        } catch {
            // Too large, a link, or not ours alone: what others could have written is not believed.
            if error.code == .indexOfAnotherUser { onNotice(error) }
            state.mustRewrite = true
            return
        }
        guard let found else {
            state.mustRewrite = true
            return
        }
        state.file = found.file
        guard found.bytes.starts(with: header) else {
            // Of another version or time zone, it is out of date and not damaged.
            if !found.bytes.starts(with: Array("escrow-\(Facts.indexName) ".utf8)) {
                onNotice(.damagedIndex(path))
            }
            state.mustRewrite = true
            return
        }
        if !state.take(found.bytes, from: header.count) { onNotice(.damagedIndex(path)) }
    }

    private func write(_ state: inout FactsState) {
        guard state.canWrite else { return }
        do throws(Diagnostic) {
            var isDone = false
            if !state.mustRewrite { isDone = try append(&state) }
            if !isDone {
                // The home itself is not made here: who has none keeps nothing.
                mkdir(SecureFile.parent(of: path), 0o700)
                try SecureFile.replace(path, with: header + state.bytes)
                state.file = FileIdentity(path: path)
            }
            state.mustRewrite = false
            state.written = state.bytes.count
        } catch {
            // A full disk or a read-only home: the index stays in memory for this process.
            state.canWrite = false
            if access(SecureFile.parent(of: SecureFile.parent(of: path)), F_OK) == 0 {
                onNotice(.unwrittenIndex(path, error))
            }
        }
    }

    /// Appends whole records in one write, under a lock, so that two processes do not mix theirs. False if the file must be
    /// written as a whole: it is gone, or one of another version or zone took its place.
    private func append(_ state: inout FactsState) throws(Diagnostic) -> Bool {
        let file = open(path, O_RDWR | O_APPEND | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { return false }
        defer { close(file) }
        guard flock(file, LOCK_EX) == 0 else { return false }
        if FileIdentity(descriptor: file) != state.file {
            var head = [UInt8](repeating: 0, count: header.count)
            guard pread(file, &head, head.count, 0) == head.count, head == header else { return false }
            state.file = FileIdentity(descriptor: file)
        }
        let before = lseek(file, 0, SEEK_END)
        let block = state.bytes[state.written...]
        let count = block.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
        if count == block.count { return true }
        let code = errno
        if count > 0 { _ = ftruncate(file, before) }
        throw .file(path, "cannot be written", count < 0 ? code : ENOSPC)
    }
}

/// What an index holds in memory.
package struct FactsState {
    /// Bytes of new records that are written at once.
    package static let blockLimit = 64 << 10
    /// The largest file that is read.
    package static let byteLimit = 256 << 20

    /// The records, as in the file, without its first line.
    package var bytes: [UInt8] = []
    /// Where the last record of each path's hash begins.
    package var places: [UInt64: Int] = [:]
    /// Records in the file, also those that a later one of the same path replaced.
    package var recordCount = 0
    /// How much of `bytes` the file holds.
    package var written = 0
    /// The file that was read or written last.
    package var file: FileIdentity?
    /// Whether the file must be written as a whole.
    var mustRewrite = false
    var isLoaded = false
    package var canWrite = true

    /// Takes the records of a file over; false if not all of it are records.
    package mutating func take(_ found: [UInt8], from start: Int) -> Bool {
        bytes = Array(found[start...])
        // A record of a picture takes some 110 bytes.
        places.reserveCapacity(bytes.count / 96)
        var at = 0
        bytes.withUnsafeBytes { bytes in
            while let body = FactsRecord.body(bytes, at: at) {
                places[FactsRecord.key(body).path] = at
                recordCount += 1
                at += FactsRecord.prefixLength + body.count
            }
        }
        written = at
        guard at < bytes.count else { return true }
        bytes.removeSubrange(at...)
        mustRewrite = true
        return false
    }

    /// Drops the records that others replaced.
    package mutating func compact() {
        var kept: [UInt8] = []
        var places: [UInt64: Int] = [:]
        bytes.withUnsafeBytes { bytes in
            for place in self.places.values.sorted() {
                let body = FactsRecord.trustedBody(bytes, at: place)
                places[FactsRecord.key(body).path] = kept.count
                kept.append(contentsOf: bytes[place..<place + FactsRecord.prefixLength + body.count])
            }
        }
        bytes = kept
        self.places = places
        recordCount = places.count
        mustRewrite = true
    }
}

extension Diagnostic {
    fileprivate static func damagedIndex(_ path: String) -> Diagnostic {
        Diagnostic(
            .indexDamaged, "\(path) is damaged and is made anew",
            notes: ["answers do not depend on it; files that it knew are read once more"], severity: .warning)
    }

    fileprivate static func unwrittenIndex(_ path: String, _ reason: Diagnostic) -> Diagnostic {
        Diagnostic(
            .indexNotWritten, "\(path) cannot be written", notes: [reason.message],
            help:
                "answers do not depend on it, but files are read again each time; see whether the disk is full"
        )
    }
}
