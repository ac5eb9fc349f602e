internal import Glibc

/// The characters that `trim` takes away. An ASCII one costs a look into a bit set, however many there are.
struct TrimSet {
    private var low: UInt64 = 0
    private var high: UInt64 = 0
    /// All others, in their order. There are few: the set is short.
    private var others: [UnsafeRawBufferPointer] = []

    /// The characters of UTF-8 text, which must stay where it is.
    init(_ text: UnsafeRawBufferPointer) {
        var start = 0
        while start < text.count {
            let next = text[(start + 1)...].firstIndex { $0 & 0xC0 != 0x80 } ?? text.count
            if next == start + 1, text[start] < 0x80 {
                if text[start] < 64 { low |= 1 << text[start] } else { high |= 1 << (text[start] - 64) }
            } else {
                others.append(UnsafeRawBufferPointer(rebasing: text[start..<next]))
            }
            start = next
        }
    }

    private func contains(_ byte: UInt8) -> Bool {
        byte < 64 ? low >> byte & 1 != 0 : byte < 128 && high >> (byte - 64) & 1 != 0
    }

    /// How long the character of the set is with which a text begins; nil if it begins with none.
    func length(atStartOf text: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int? {
        if contains(text[range.lowerBound]) { return 1 }
        return others.first { isThere($0, text, range, range.lowerBound) }?.count
    }

    /// The same for its end.
    func length(atEndOf text: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int? {
        if contains(text[range.upperBound - 1]) { return 1 }
        return others.first { isThere($0, text, range, range.upperBound - $0.count) }?.count
    }

    private func isThere(
        _ part: UnsafeRawBufferPointer, _ text: UnsafeRawBufferPointer, _ range: Range<Int>, _ at: Int
    ) -> Bool {
        part.count <= range.count && memcmp(text.baseAddress! + at, part.baseAddress!, part.count) == 0
    }
}
