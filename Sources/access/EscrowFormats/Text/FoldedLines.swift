internal import EscrowSourceFiles

/// The logical lines of an iCalendar file: a line that begins with white space continues the line before it (RFC 5545, 3.1).
/// Memory is bounded.
struct FoldedLines: ~Copyable {
    /// The longest logical line that is kept; what is longer is passed over and marked.
    let limit: Int
    /// The line that ``next()`` read, without its line breaks.
    private(set) var line: [UInt8] = []
    /// The number of that line's first physical line, from 1.
    private(set) var number = 0
    /// Where it begins in the file.
    private(set) var offset: Int64 = 0
    /// Whether the line was longer than ``limit``; its content is then cut off.
    private(set) var isTooLong = false
    private var reader: BlockReader
    private var pending: BlockReader.Piece?
    private var pendingNumber = 0

    init(_ file: consuming Descriptor, size: Int64, limit: Int = 1 << 20) {
        reader = BlockReader(file, limit: size)
        self.limit = limit
    }

    /// Whether the file begins as UTF-16 does.
    var looksUTF16: Bool { reader.looksUTF16 }
    /// The error that ended reading early, if any.
    var failure: Int32? { reader.failure }

    /// Reads the next logical line; false at the end.
    mutating func next() -> Bool {
        if pending == nil { advance() }
        guard let first = pending else { return false }
        line.removeAll(keepingCapacity: line.capacity <= 1 << 16)
        isTooLong = false
        number = pendingNumber
        offset = first.offset
        take(first.range)
        advance()
        while let piece = pending {
            if piece.continuesLine || piece.range.isEmpty {
                // Some programs leave empty lines before a fold.
                take(piece.range)
            } else if let byte = piece.range.first.map({ reader.buffer[$0] }), byte == 0x20 || byte == 0x09 {
                take(piece.range.dropFirst())
            } else {
                break
            }
            advance()
        }
        return true
    }

    private mutating func advance() {
        let before = reader.line
        pending = reader.next()
        pendingNumber = before + 1
    }

    private mutating func take(_ range: Range<Int>) {
        guard !isTooLong, line.count + range.count <= limit else {
            isTooLong = true
            return
        }
        line.append(contentsOf: reader.buffer[range])
    }
}
