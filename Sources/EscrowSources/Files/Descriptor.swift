internal import Glibc

/// An open file descriptor that closes itself.
struct Descriptor: ~Copyable {
    /// The number, valid as long as this value lives.
    let raw: Int32

    /// Owns a descriptor; nil for a negative number, which is how the calls of POSIX say no.
    init?(owning raw: Int32) {
        guard raw >= 0 else { return nil }
        self.raw = raw
    }

    deinit { close(raw) }

    /// Opens a directory by its path, following links: only for a path that the owner gave.
    static func openingRoot(_ path: String) -> Descriptor? {
        Descriptor(owning: open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    }

    /// Opens a file by its path, following links: only for a path that the owner gave. A FIFO does not block.
    static func openingRootFile(_ path: String) -> Descriptor? {
        Descriptor(owning: open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK))
    }

    /// Opens a directory within this one; a symbolic link is refused, so a link planted in the owner's folder
    /// cannot lead the reader out of it.
    func openDirectory(_ name: String) -> Descriptor? {
        Descriptor(owning: openat(raw, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC))
    }

    /// Opens a file within this directory; links are refused, and a FIFO that took the file's place does not block.
    func openFile(_ name: String) -> Descriptor? {
        Descriptor(owning: openat(raw, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY | O_NONBLOCK))
    }

    /// What `fstat(2)` says.
    func status() -> stat? {
        var status = stat()
        return fstat(raw, &status) == 0 ? status : nil
    }

    /// Fills `buffer[range]` from the file at `offset`; the count read (0 at the end), or nil with `errno` set.
    func read(into buffer: inout [UInt8], range: Range<Int>, at offset: Int64) -> Int? {
        precondition(range.lowerBound >= 0 && range.upperBound <= buffer.count)
        return buffer.withUnsafeMutableBytes { bytes -> Int? in
            while true {
                let count = pread(raw, bytes.baseAddress! + range.lowerBound, range.count, off_t(offset))
                if count >= 0 { return count }
                if errno != EINTR { return nil }
            }
        }
    }
}

/// An open file that several cursors read, each from its own place.
final class SharedDescriptor {
    private let descriptor: Descriptor
    init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }

    /// The descriptor's number, for as long as this object lives.
    var raw: Int32 { descriptor.raw }

    /// Fills `buffer[range]` from the file at `offset`; the count read (0 at the end), or nil with `errno` set.
    func read(into buffer: inout [UInt8], range: Range<Int>, at offset: Int64) -> Int? {
        descriptor.read(into: &buffer, range: range, at: offset)
    }
}
