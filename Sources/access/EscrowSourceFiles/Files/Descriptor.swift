package import EscrowFiles
package import Glibc

package typealias Descriptor = EscrowFiles.Descriptor

/// How the person's files are opened.
extension Descriptor {
    /// Owns a descriptor; nil for a negative number, which is how the calls of POSIX say no.
    package init?(opened raw: Int32) {
        guard raw >= 0 else { return nil }
        self.init(owning: raw)
    }

    /// Opens a folder by its path, following links: only for a path that the owner gave.
    package static func openingRoot(_ path: String) -> Descriptor? {
        Descriptor(opened: open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    }

    /// Opens a file by its path, following links: only for a path that the owner gave. A FIFO does not block.
    package static func openingRootFile(_ path: String) -> Descriptor? {
        Descriptor(opened: open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK))
    }

    /// Opens a folder within this one; a symbolic link is refused, so a link planted in the owner's folder
    /// cannot lead the reader out of it.
    func openDirectory(_ name: String) -> Descriptor? {
        Descriptor(opened: openat(raw, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC))
    }

    /// Opens a file within this folder; links are refused, and a FIFO that took the file's place does not block.
    package func openFile(_ name: String) -> Descriptor? {
        Descriptor(opened: openat(raw, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY | O_NONBLOCK))
    }

    /// Opens what a path of any depth leads to, beneath this folder and through no link at all. Corresponds to openat2(2),
    /// which the C library does not have.
    package func openBeneath(_ path: String, _ flags: Int32) -> Descriptor? {
        Descriptor(opened: OpenAt2.open(raw, path, flags | O_CLOEXEC))
    }

    /// What `fstat(2)` says.
    package func status() -> stat? {
        var status = stat()
        return fstat(raw, &status) == 0 ? status : nil
    }

    /// Fills `buffer[range]` from the file at `offset`; the count read (0 at the end), or nil with `errno` set.
    package func read(into buffer: inout [UInt8], range: Range<Int>, at offset: Int64) -> Int? {
        precondition(range.lowerBound >= 0 && range.upperBound <= buffer.count)
        let count = buffer.withUnsafeMutableBytes { bytes in
            retrying { pread(raw, bytes.baseAddress! + range.lowerBound, range.count, off_t(offset)) }
        }
        return count < 0 ? nil : count
    }
}

/// An open file that several cursors read, each from its own place.
package final class SharedDescriptor {
    private let descriptor: Descriptor
    package init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }

    /// The descriptor's number, for as long as this object lives.
    package var raw: Int32 { descriptor.raw }

    /// Another descriptor of the same open file; nil with `errno` set.
    package func duplicate() -> Descriptor? { descriptor.duplicate() }

    /// Fills `buffer[range]` from the file at `offset`; the count read (0 at the end), or nil with `errno` set.
    package func read(into buffer: inout [UInt8], range: Range<Int>, at offset: Int64) -> Int? {
        descriptor.read(into: &buffer, range: range, at: offset)
    }

    /// Up to `count` bytes at an offset, fewer at the end of the file; nil with `errno` set.
    package func bytes(at offset: Int64, count: Int) -> [UInt8]? {
        descriptor.bytes(at: offset, count: count)
    }
}

/// openat2(2) of Linux 5.6. Swift's view of the C library does not show syscall(2), which takes any number of arguments.
private enum OpenAt2 {
    private typealias Call =
        @convention(c) (Int, Int32, UnsafePointer<CChar>, UnsafeRawPointer, Int) -> Int
    private static let call: Call? = dlsym(nil, "syscall").map { unsafeBitCast($0, to: Call.self) }

    /// struct open_how of linux/openat2.h.
    private struct How {
        var flags: UInt64
        var mode: UInt64 = 0
        var resolve: UInt64
    }

    static func open(_ folder: Int32, _ path: String, _ flags: Int32) -> Int32 {
        guard let call else {
            errno = ENOSYS
            return -1
        }
        // RESOLVE_NO_MAGICLINKS, RESOLVE_NO_SYMLINKS, RESOLVE_BENEATH.
        var how = How(flags: UInt64(flags), resolve: 0x02 | 0x04 | 0x08)
        // EAGAIN: something was renamed on the way, and the kernel cannot tell whether it led out. After many of these the
        // answer is no.
        for _ in 0..<64 {
            let opened = call(437, folder, path, &how, MemoryLayout<How>.size)
            if opened >= 0 { return Int32(opened) }
            guard errno == EAGAIN || errno == EINTR else { return -1 }
        }
        return -1
    }
}
