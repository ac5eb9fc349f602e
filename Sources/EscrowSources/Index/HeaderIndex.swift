internal import EscrowDiagnostics
internal import EscrowFiles
internal import Glibc
internal import Synchronization

/// The headers of pictures as they were read before, in a file of the escrow home, so that each is read once as long as its
/// file stays as it is.
///
/// A cache and no more: whatever goes wrong with it, headers are read from the pictures. The file is a log of
/// ``HeaderRecord``s behind a first line that names the format and the time zone by which times without one were read. New
/// records are appended in blocks while a scan goes on, so an interrupted first scan goes on where it was. A record that is
/// not whole, from a crash or a bad disk, ends what is believed; the next block then writes the file anew.
final class HeaderIndex: Sendable {
    /// Bytes of new records that are written at once.
    static let blockLimit = 64 << 10
    /// The largest file that is read.
    static let byteLimit = 256 << 20

    private struct State {
        /// The records, as in the file, without its first line.
        var bytes: [UInt8] = []
        /// Where the last record of each path's hash begins.
        var places: [UInt64: Int] = [:]
        /// Records in the file, also those that a later one of the same path replaced.
        var recordCount = 0
        /// How much of `bytes` the file holds.
        var written = 0
        /// Whether the file must be written as a whole.
        var mustRewrite = false
        var isLoaded = false
        var canWrite = true
    }

    /// Where the index of a home lies.
    static func path(in home: String) -> String { home + "/index/headers.cache" }

    private let path: String
    private let header: [UInt8]
    private let state = Mutex(State())

    /// An index in a file, which need not be there yet; nothing is read before the first question.
    ///
    /// - Parameter zone: by which times were read that do not name theirs; an index by another zone is begun anew.
    init(path: String, zone: LocalZone) {
        self.path = path
        header = Array("escrow-headers 3 \(String(zone.fingerprint, radix: 16))\n".utf8)
    }

    /// What the header of a file said, when it was in this state.
    func facts(_ key: HeaderRecord.Key) -> ImageFacts? {
        state.withLock { state in
            load(&state)
            guard let place = state.places[key.path] else { return nil }
            return state.bytes.withUnsafeBytes { bytes in
                guard let body = HeaderRecord.body(bytes, at: place), HeaderRecord.key(body) == key else {
                    return nil
                }
                return HeaderRecord(body)?.facts
            }
        }
    }

    /// Keeps what a header said.
    func add(_ record: HeaderRecord) {
        state.withLock { state in
            load(&state)
            let place = state.bytes.count
            guard place < Self.byteLimit else { return }
            record.append(to: &state.bytes)
            guard state.bytes.count > place else { return }
            state.places[record.key.path] = place
            state.recordCount += 1
            if state.bytes.count - state.written >= Self.blockLimit { write(&state) }
        }
    }

    /// Writes what is not written yet. After a pass over all `fileCount` files, a log that has grown to twice what it
    /// must hold is written anew, without the records that others replaced.
    func flush(fileCount: Int) {
        state.withLock { state in
            guard state.isLoaded else { return }
            if state.recordCount > 2 * fileCount + 1_024, state.places.count < state.recordCount {
                compact(&state)
            }
            if state.mustRewrite || state.bytes.count > state.written { write(&state) }
        }
    }

    private func load(_ state: inout State) {
        guard !state.isLoaded else { return }
        state.isLoaded = true
        let found: [UInt8]?
        do {
            found = try SecureFile.readIfPresent(path, limit: Self.byteLimit)
        } catch {
            // Too large or not ours: begun anew.
            found = []
        }
        guard let found else { return state.mustRewrite = true }
        guard found.starts(with: header) else { return state.mustRewrite = true }
        state.bytes = Array(found.dropFirst(header.count))
        var at = 0
        state.bytes.withUnsafeBytes { bytes in
            while let body = HeaderRecord.body(bytes, at: at) {
                state.places[HeaderRecord.key(body).path] = at
                state.recordCount += 1
                at += HeaderRecord.prefixLength + body.count
            }
        }
        if at < state.bytes.count {
            state.bytes.removeSubrange(at...)
            state.mustRewrite = true
        }
        state.written = at
    }

    private func compact(_ state: inout State) {
        var kept: [UInt8] = []
        var places: [UInt64: Int] = [:]
        state.bytes.withUnsafeBytes { bytes in
            for place in state.places.values.sorted() {
                guard let body = HeaderRecord.body(bytes, at: place) else { continue }
                places[HeaderRecord.key(body).path] = kept.count
                kept.append(contentsOf: bytes[place..<place + HeaderRecord.prefixLength + body.count])
            }
        }
        state.bytes = kept
        state.places = places
        state.recordCount = places.count
        state.mustRewrite = true
    }

    private func write(_ state: inout State) {
        guard state.canWrite else { return }
        let isWritten = state.mustRewrite ? rewrite(state.bytes) : append(state.bytes[state.written...])
        // A full disk or a read-only home: the index stays in memory for this process.
        guard isWritten else { return state.canWrite = false }
        state.mustRewrite = false
        state.written = state.bytes.count
    }

    private func rewrite(_ bytes: [UInt8]) -> Bool {
        do {
            // The home itself is not made here: who has none keeps nothing.
            mkdir(SecureFile.parent(of: path), 0o700)
            try SecureFile.replace(path, with: header + bytes)
            return true
        } catch {
            return false
        }
    }

    /// Appends whole records in one write, under a lock, so that two processes do not mix theirs.
    private func append(_ block: ArraySlice<UInt8>) -> Bool {
        let file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { return false }
        defer { close(file) }
        guard flock(file, LOCK_EX) == 0 else { return false }
        let before = lseek(file, 0, SEEK_END)
        let count = block.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
        if count == block.count { return true }
        if count > 0 { _ = ftruncate(file, before) }
        return false
    }
}

extension LocalZone {
    /// A number that differs between zones: of their offsets from 1990 to 2039, four times a year.
    var fingerprint: UInt64 {
        var hash = FNV.hash([])
        for year in 1990..<2040 {
            for month in [1, 4, 7, 10] {
                let seconds = UInt64(truncatingIfNeeded: offset(year, month, 15, 12, 0, 0) ?? -1)
                withUnsafeBytes(of: seconds) { hash = FNV.hash($0, from: hash) }
            }
        }
        return hash
    }
}
