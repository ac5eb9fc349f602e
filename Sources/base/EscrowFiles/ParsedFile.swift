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
        let mark: FileStamp?
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
        if let mark = kept?.mark, FileStamp(path: path) == mark { return kept?.value }
        var status = stat()
        if lstat(path, &status) != 0, errno == ENOENT { return nil }
        let now = FileStamp.tick()
        let file = try Descriptor(opening: path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        let before = FileStamp(file)
        let bytes = try SecureFile.read(file, path, limit: limit)
        let isSure = before != nil && before == FileStamp(file) && before?.hasRested(at: now) ?? false
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
