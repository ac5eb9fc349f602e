import EscrowDiagnostics
import EscrowFiles
import Glibc

/// A log that is open for reading: it stays readable where an erasure replaces it by the next meanwhile.
final class LogFile: Sendable {
    let path: String
    private let raw: Int32

    init?(_ path: String) throws(Diagnostic) {
        var status = stat()
        if lstat(path, &status) != 0, errno == ENOENT { return nil }
        let file = try Descriptor(opening: path, O_RDONLY | O_NOFOLLOW)
        self.path = path
        raw = file.release()
    }

    deinit { close(raw) }

    func length() throws(Diagnostic) -> Int64 {
        var status = stat()
        guard fstat(raw, &status) == 0 else { throw .file(path, "cannot be examined", errno) }
        return Int64(status.st_size)
    }

    /// Up to `count` bytes from an offset; fewer only at the end. pread(2)
    func read(at offset: Int64, _ count: Int) throws(Diagnostic) -> [UInt8] {
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count, let base = buffer.baseAddress {
                let got = retrying { pread(raw, base + filled, count - filled, Int(offset) + filled) }
                if got < 0 { failure = errno }
                if got <= 0 { break }
                filled += got
            }
        }
        guard failure == 0 else { throw .file(path, "cannot be read", failure) }
        return bytes
    }
}
