public import EscrowDiagnostics
import EscrowFiles
internal import Glibc

/// copy_file_range(2), which Swift's Glibc does not show.
@_silgen_name("copy_file_range")
private func copy_file_range(
    _ from: Int32, _ fromOffset: UnsafeMutablePointer<off_t>?, _ to: Int32,
    _ toOffset: UnsafeMutablePointer<off_t>?, _ count: Int, _ flags: UInt32
) -> Int

/// A file without a name: nobody else can open, change or cut it, and it is gone with this process, also after a crash.
///
/// It lies in the person's own cache folder, which is where the original's disk and its encryption usually are; only
/// where that is impossible, in memory.
public final class AnonymousFile {
    /// The most bytes that are kept in memory where no folder takes the file.
    static let memoryLimit: Int64 = 256 << 20

    /// The descriptor, open for reading and writing as long as this object lives.
    public let raw: Int32

    /// Makes an empty file that will have about `size` bytes.
    ///
    /// - Throws: E0833.
    public init(size: Int64) throws(Diagnostic) {
        for folder in Self.folders {
            // __O_TMPFILE is 0o20000000 on every architecture that Linux runs Swift on.
            let file = open(folder, O_RDWR | O_CLOEXEC | O_DIRECTORY | 0o20000000, 0o600)
            if file >= 0 {
                raw = file
                return
            }
        }
        guard size <= Self.memoryLimit else { throw .noRoomForCopy(errno: ENOSPC) }
        let file = MemoryFile.make("escrow-database")
        guard file >= 0 else { throw .noRoomForCopy(errno: -file) }
        raw = file
    }

    deinit { close(raw) }

    private static var folders: [String] {
        var folders: [String] = []
        if let cache = getenv("XDG_CACHE_HOME") { folders.append(String(cString: cache)) }
        if let home = getenv("HOME") {
            folders += [String(cString: home) + "/.cache", String(cString: home)]
        }
        return folders.filter { $0.hasPrefix("/") }
    }

    /// Takes over the first `count` bytes of a file. The kernel shares the blocks where the file system can.
    func take(_ source: Int32, count: Int64) throws(Diagnostic) {
        var done: Int64 = 0
        var from: off_t = 0
        var to: off_t = 0
        while done < count {
            let copied = copy_file_range(source, &from, raw, &to, Int(min(count - done, 1 << 30)), 0)
            if copied < 0, errno == EINTR { continue }
            // Two file systems, or one that cannot: by hand from where it stopped.
            guard copied >= 0 else { return try takeByHand(source, from: done, count: count) }
            // The file became shorter; whoever asked compares its size afterwards.
            guard copied > 0 else { return }
            done += Int64(copied)
        }
    }

    private func takeByHand(_ source: Int32, from start: Int64, count: Int64) throws(Diagnostic) {
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        var done = start
        while done < count {
            let wanted = Int(min(count - done, Int64(buffer.count)))
            let got = buffer.withUnsafeMutableBytes { pread(source, $0.baseAddress, wanted, off_t(done)) }
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw .unreadableDatabase(errno: errno) }
            guard got > 0 else { return }
            try write(buffer[..<got], at: done)
            done += Int64(got)
        }
    }

    /// Writes bytes at an offset.
    ///
    /// - Throws: E0833.
    public func write(_ bytes: ArraySlice<UInt8>, at offset: Int64) throws(Diagnostic) {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                pwrite(raw, $0.baseAddress! + done, bytes.count - done, off_t(offset) + off_t(done))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .noRoomForCopy(errno: count < 0 ? errno : ENOSPC) }
            done += count
        }
    }

    /// Makes the file longer or shorter.
    func resize(_ size: Int64) throws(Diagnostic) {
        guard ftruncate(raw, off_t(size)) == 0 else { throw .noRoomForCopy(errno: errno) }
    }
}
