public import EscrowDiagnostics
public import EscrowFiles
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
    let file: Descriptor

    /// Makes an empty file that will have about `size` bytes.
    ///
    /// - Throws: E0833.
    public init(size: Int64) throws(Diagnostic) {
        for folder in Self.folders {
            // __O_TMPFILE is 0o20000000 on every architecture that Linux runs Swift on.
            let raw = open(folder, O_RDWR | O_CLOEXEC | O_DIRECTORY | 0o20000000, 0o600)
            if raw >= 0 {
                file = Descriptor(owning: raw)
                return
            }
        }
        guard size <= Self.memoryLimit else { throw .noRoomForCopy(errno: ENOSPC) }
        let raw = MemoryFile.make("escrow-database")
        guard raw >= 0 else { throw .noRoomForCopy(errno: -raw) }
        file = Descriptor(owning: raw)
    }

    private static var folders: [String] {
        let home = getenv("HOME").map { String(cString: $0) }
        let folders = [
            getenv("XDG_CACHE_HOME").map { String(cString: $0) }, home.map { $0 + "/.cache" }, home,
        ]
        return folders.compactMap(\.self).filter { $0.hasPrefix("/") }
    }

    /// Another descriptor of the file; nil with `errno` set.
    public func duplicate() -> Descriptor? { file.duplicate() }

    /// Takes over the first `count` bytes of a file. The kernel shares the blocks where the file system can.
    func take(_ source: borrowing Descriptor, count: Int64) throws(Diagnostic) {
        var from: off_t = 0
        var to: off_t = 0
        while to < count {
            let wanted = min(count - Int64(to), 1 << 30)
            let copied = retrying { copy_file_range(source.raw, &from, file.raw, &to, Int(wanted), 0) }
            // Two file systems, or one that cannot: by hand from where it stopped.
            guard copied >= 0 else { return try takeByHand(source, from: Int64(to), count: count) }
            // The file became shorter; the caller compares its size afterwards.
            guard copied > 0 else { return }
        }
    }

    private func takeByHand(
        _ source: borrowing Descriptor, from start: Int64, count: Int64
    ) throws(Diagnostic) {
        var done = start
        while done < count {
            let piece = try source.read(Int(min(count - done, 1 << 18)), at: done)
            guard !piece.isEmpty else { return }
            try write(piece[...], at: done)
            done += Int64(piece.count)
        }
    }

    /// Writes bytes at an offset.
    ///
    /// - Throws: E0833.
    public func write(_ bytes: ArraySlice<UInt8>, at offset: Int64) throws(Diagnostic) {
        let code = file.write(bytes, at: offset)
        guard code == 0 else { throw .noRoomForCopy(errno: code) }
    }

    /// Makes the file longer or shorter.
    func resize(_ size: Int64) throws(Diagnostic) {
        guard ftruncate(file.raw, off_t(size)) == 0 else { throw .noRoomForCopy(errno: errno) }
    }
}

extension Descriptor {
    /// Up to `count` bytes from an offset; fewer at the end of the file.
    func read(_ count: Int, at offset: Int64) throws(Diagnostic) -> [UInt8] {
        guard let bytes = bytes(at: offset, count: count) else { throw .unreadableDatabase(errno: errno) }
        return bytes
    }
}

/// Numbers as SQLite's files hold them.
extension ArraySlice<UInt8> {
    /// Four bytes, the most significant first; the caller has checked that they are there.
    func bigEndian32(at offset: Int) -> UInt32 {
        self[(startIndex + offset)...].prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }
}
