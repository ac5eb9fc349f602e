internal import Glibc

/// A file of which only parts are read: 4 KiB at first, more where a parser asks for it.
package struct WindowedFile: ~Copyable {
    /// What one photo may cost: bytes read and calls made. A hostile file cannot make the reader go round for long.
    package static let byteLimit = 4 << 20
    static let callLimit = 4_096
    private static let firstRead = 4 << 10

    private let file: Descriptor
    package let size: Int64
    /// Where in the file the bytes begin, and how many of them are there at all.
    private let base: Int64
    private let reach: Int64
    /// Whether bytes were asked for that are not there, though they are part of what is read.
    private(set) var wasShort = false
    private var window: [UInt8] = []
    private var start: Int64 = 0
    private var bytesRead = 0
    private var calls = 0
    /// The error that a read ended with, if any.
    package private(set) var failure: Int32?

    /// - Parameters:
    ///   - base: where in the file the bytes begin.
    ///   - reach: how many of the `size` bytes are there; nil for all.
    package init(_ file: consuming Descriptor, size: Int64, base: Int64 = 0, reach: Int64? = nil) {
        self.file = file
        self.size = size
        self.base = base
        self.reach = reach ?? size
    }

    /// The `count` bytes at an offset; nil if the file has not so many, or has cost too much already.
    package mutating func bytes(at offset: Int64, count: Int) -> ArraySlice<UInt8>? {
        guard offset >= 0, count >= 0, count <= Self.byteLimit, offset <= size, Int64(count) <= size - offset
        else {
            return nil
        }
        if offset < start || offset + Int64(count) > start + Int64(window.count) {
            guard load(at: offset, count: count) else { return nil }
        }
        let from = Int(offset - start)
        return window[from..<from + count]
    }

    /// As many as `count` bytes at an offset.
    package mutating func available(at offset: Int64, upTo count: Int) -> ArraySlice<UInt8>? {
        guard offset >= 0, offset <= size else { return nil }
        return bytes(at: offset, count: Int(min(Int64(count), size - offset)))
    }

    private mutating func load(at offset: Int64, count: Int) -> Bool {
        // Beyond the first block a parser hops from header to header: small reads cost less there.
        let wanted = Int(
            max(0, min(Int64(max(count, calls == 0 ? Self.firstRead : 512)), min(size, reach) - offset)))
        guard wanted >= count else {
            wasShort = true
            return false
        }
        guard calls < Self.callLimit, bytesRead + wanted <= Self.byteLimit else { return false }
        if window.count < wanted { window += [UInt8](repeating: 0, count: wanted - window.count) }
        var filled = 0
        while filled < wanted {
            calls += 1
            guard
                let got = file.read(into: &window, range: filled..<wanted, at: base + offset + Int64(filled))
            else {
                failure = errno
                window.removeAll()
                return false
            }
            if got == 0 { break }
            filled += got
        }
        bytesRead += filled
        window.removeSubrange(filled...)
        start = offset
        return filled >= count
    }
}
