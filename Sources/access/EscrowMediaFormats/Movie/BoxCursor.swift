internal import EscrowSourceFiles

/// Goes through the boxes of an ISO base media or QuickTime file (ISO/IEC 14496-12, Apple QTFF) from header to header; what
/// lies in them is read by who wants it.
struct BoxCursor {
    /// A box.
    struct Box {
        /// Its four letters as a number.
        let name: Int
        /// Where its content lies in the file.
        let content: Range<Int64>
    }

    /// The most boxes in one other box, or in the file.
    static let countLimit = 1_024

    private var offset: Int64
    private let end: Int64
    private var count = 0
    /// Whether a box was met that does not fit.
    private(set) var isDamaged = false

    init(_ range: Range<Int64>) {
        offset = range.lowerBound
        end = range.upperBound
    }

    /// The number of four letters.
    static func name(_ letters: StaticString) -> Int {
        letters.withUTF8Buffer { $0.reduce(0) { $0 << 8 | Int($1) } }
    }

    /// The number of three letters behind a copyright sign, as QuickTime and iTunes name texts.
    static func text(_ letters: StaticString) -> Int { 0xA9 << 24 | name(letters) }

    /// The next box; nil at the end, or where a box does not fit.
    mutating func next(_ file: inout WindowedFile) -> Box? {
        guard end - offset >= 8 else { return nil }
        guard count < Self.countLimit, let head = file.bytes(at: offset, count: 8), let small = head.big32(0),
            let name = head.big32(4)
        else {
            isDamaged = true
            return nil
        }
        count += 1
        var header: Int64 = 8
        var size = Int64(small)
        if small == 1 {
            guard end - offset >= 16, let long = file.bytes(at: offset + 8, count: 8)?.big64(0),
                long <= Int64.max
            else {
                isDamaged = true
                return nil
            }
            size = Int64(long)
            header = 16
        } else if small == 0 {
            // QuickTime ends a list with a zero; at the top it means a box up to the end of the file.
            size = end - offset
        }
        guard size >= header, size <= end - offset else {
            isDamaged = true
            return nil
        }
        let start = offset
        offset += size
        return Box(name: name, content: start + header..<start + size)
    }
}
