internal import Glibc

/// A file read front to back in blocks of 64 KiB, line by line, in memory that does not depend on the file's size or on
/// the length of its lines.
///
/// A line that does not fit in a block comes in pieces.
package struct BlockReader: ~Copyable {
    package static let blockSize = 64 << 10

    /// One line, or a piece of one, in ``buffer``, without its line break.
    package struct Piece {
        /// Where in the buffer; valid until the next call.
        package var range: Range<Int>
        package var offset: Int64
        /// Whether it goes on the line that the piece before it began.
        package var continuesLine: Bool
        package var endsLine: Bool
    }

    private let file: SharedDescriptor
    private let limit: Int64
    package private(set) var buffer: [UInt8]
    private var start = 0
    private var end = 0
    /// The file offset of `buffer[0]`.
    private var base: Int64 = 0
    private var atEnd = false
    private var midLine = false
    /// The most bytes that are read at once.
    private var reach = BlockReader.blockSize
    /// The number of line breaks passed.
    package private(set) var line = 0
    /// The error that ended reading early, if any.
    package private(set) var failure: Int32?

    /// Reads the first `limit` bytes of a file: its size when it was listed, so that a file which grows as fast as it is
    /// read comes to an end.
    ///
    /// - Parameter blockSize: how much is read at once; less than ``blockSize`` for who needs the beginning only.
    package init(_ file: consuming Descriptor, limit: Int64, blockSize: Int = Self.blockSize) {
        self.init(SharedDescriptor(file), limit: limit, blockSize: blockSize)
    }

    /// As above, for a file that others read as well.
    package init(_ file: SharedDescriptor, limit: Int64, blockSize: Int = Self.blockSize) {
        self.file = file
        self.limit = limit
        // A small file gets a small buffer, with a byte more than it has so that its end shows.
        let size = min(Int64(blockSize), max(0, limit) &+ 1)
        buffer = [UInt8](repeating: 0, count: Int(max(16, size)))
        // A UTF-8 byte order mark is no part of the text.
        fill()
        if end >= 3, buffer[0] == 0xEF, buffer[1] == 0xBB, buffer[2] == 0xBF { start = 3 }
    }

    /// Whether the file begins with a UTF-16 byte order mark, which no line reader of bytes can make sense of.
    package var looksUTF16: Bool {
        base == 0 && end >= 2
            && ((buffer[0] == 0xFE && buffer[1] == 0xFF) || (buffer[0] == 0xFF && buffer[1] == 0xFE))
    }

    /// The next line or piece of one; nil at the end of the file.
    package mutating func next() -> Piece? {
        var newline = newlineIndex(from: start)
        while newline == nil, !atEnd, start > 0 || end < buffer.count {
            fill()
            newline = newlineIndex(from: start)
        }
        guard start < end else { return nil }
        let from = start
        let continues = midLine
        if let newline {
            start = newline + 1
            midLine = false
            line &+= 1
            let stop = newline > from && buffer[newline - 1] == 0x0D ? newline - 1 : newline
            return Piece(
                range: from..<stop, offset: base + Int64(from), continuesLine: continues, endsLine: true)
        }
        // No line break in a full buffer: hand over a piece, but keep back a CR that may belong to a CRLF.
        var stop = end
        if !atEnd, buffer[stop - 1] == 0x0D, stop - from > 1 { stop -= 1 }
        start = stop
        midLine = !atEnd
        if atEnd, stop > from, buffer[stop - 1] == 0x0D { stop -= 1 }
        return Piece(
            range: from..<stop, offset: base + Int64(from), continuesLine: continues, endsLine: atEnd)
    }

    /// Goes on at an offset at which a line begins. Little is read there, and more the longer it goes on.
    package mutating func seek(to offset: Int64) {
        midLine = false
        reach = 4_096
        guard offset < base || offset > base + Int64(end) else {
            start = Int(offset - base)
            return
        }
        (base, start, end) = (offset, 0, 0)
        atEnd = false
    }

    private func newlineIndex(from index: Int) -> Int? {
        let count = end - index
        guard count > 0 else { return nil }
        return buffer.withUnsafeBytes { bytes -> Int? in
            // start <= end <= buffer.count, so the search stays inside the buffer.
            guard let base = bytes.baseAddress, let hit = memchr(base + index, 0x0A, count) else {
                return nil
            }
            return UnsafeRawPointer(hit) - base
        }
    }

    /// Moves what is left to the front and reads until the buffer is full or the file ends.
    private mutating func fill() {
        guard !atEnd else { return }
        if start > 0 {
            buffer.withUnsafeMutableBytes { bytes in
                _ = memmove(bytes.baseAddress!, bytes.baseAddress! + start, end - start)
            }
            base += Int64(start)
            end -= start
            start = 0
        }
        let goal = min(buffer.count, end + reach)
        reach = min(reach * 2, Self.blockSize)
        while end < goal {
            let wanted = Int(min(Int64(goal - end), limit - base - Int64(end)))
            guard wanted > 0 else {
                atEnd = true
                return
            }
            guard let count = file.read(into: &buffer, range: end..<end + wanted, at: base + Int64(end))
            else {
                failure = errno
                atEnd = true
                return
            }
            if count == 0 {
                atEnd = true
                return
            }
            end += count
        }
    }
}
