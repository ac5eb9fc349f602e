public import EscrowDiagnostics
import Glibc
import Synchronization

/// A small file that is read often and changes rarely: it is parsed anew only when it has changed.
///
/// Writers replace the file. The one that was read is held open, so the same i-node number is the same file. An edit in
/// place moves its time of change, which no program can set; it is relied on once the file had rested when it was read.
/// Otherwise the bytes are read and compared. Writes of another machine on a network file system show late.
public final class ParsedFile<Value: Sendable>: Sendable {
    private let path: String
    private let limit: Int
    private let kept = Mutex<Kept?>(nil)

    private struct Kept: Sendable {
        let bytes: [UInt8]
        let value: Value
        let file: OpenFile
        /// What the file must still be; nil where that is not sure enough.
        let mark: FileMark?
    }

    public init(_ path: String, limit: Int) {
        self.path = path
        self.limit = limit
    }

    /// The same of a file that Escrow itself writes.
    public convenience init(_ store: StoreFile) { self.init(store.path, limit: store.limit) }

    /// What the file holds now, as `parse` reads it; nil where there is no such file.
    public func value(
        _ parse: ([UInt8]) throws(Diagnostic) -> Value
    ) throws(Diagnostic) -> Value? {
        let kept = kept.withLock { $0 }
        if let mark = kept?.mark, FileMark(path: path) == mark { return kept?.value }
        var status = stat()
        if lstat(path, &status) != 0, errno == ENOENT { return nil }
        let now = FileMark.tick()
        let file = try Descriptor(opening: path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        let before = FileMark(file)
        let bytes = try SecureFile.read(file, path, limit: limit)
        let isSure = before != nil && before == FileMark(file) && before?.isAtRest(at: now) ?? false
        let value: Value
        if let kept, kept.bytes == bytes { value = kept.value } else { value = try parse(bytes) }
        let new = Kept(bytes: bytes, value: value, file: OpenFile(file), mark: isSure ? before : nil)
        self.kept.withLock { $0 = new }
        return new.value
    }
}

/// A descriptor that several may hold.
private final class OpenFile: Sendable {
    private let raw: Int32
    init(_ file: consuming Descriptor) { raw = file.release() }
    deinit { close(raw) }
}

/// Which file something is, and when and to what size it was changed.
private struct FileMark: Equatable, Sendable {
    private let device: UInt
    private let file: UInt
    private let size: Int
    private let seconds: Int
    private let nanoseconds: Int

    init?(path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    init?(_ file: borrowing Descriptor) {
        var status = stat()
        guard fstat(file.raw, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        device = UInt(status.st_dev)
        file = UInt(status.st_ino)
        size = Int(status.st_size)
        seconds = status.st_ctim.tv_sec
        nanoseconds = status.st_ctim.tv_nsec
    }

    /// Whether a change from now on would have another time: the kernel's clock for files moves in steps of up to 10 ms.
    func isAtRest(at now: timespec) -> Bool {
        let age = (now.tv_sec - seconds) * 1_000_000_000 + now.tv_nsec - nanoseconds
        return age > 100_000_000
    }

    /// The clock that files are stamped by.
    static func tick() -> timespec {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME_COARSE, &time)
        return time
    }
}
