/// Whether the bytes are well-formed UTF-8 (Unicode 16, table 3-7): no overlong forms, no surrogates, nothing
/// beyond U+10FFFF, nothing cut off. Empty text is well formed.
@usableFromInline
func isUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let count = bytes.count
    var at = 0
    while at < count {
        // Eight ASCII bytes at a time; most text is ASCII.
        while at &+ 8 <= count,
            bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
        {
            at &+= 8
        }
        guard at < count else { return true }
        let lead = bytes[at]
        if lead < 0x80 {
            at &+= 1
            continue
        }
        // The second byte's range shuts out overlong forms, surrogates and what lies beyond U+10FFFF.
        let second: ClosedRange<UInt8>
        let length: Int
        switch lead {
        case 0xC2...0xDF: (second, length) = (0x80...0xBF, 2)
        case 0xE0: (second, length) = (0xA0...0xBF, 3)
        case 0xED: (second, length) = (0x80...0x9F, 3)
        case 0xE1...0xEF: (second, length) = (0x80...0xBF, 3)
        case 0xF0: (second, length) = (0x90...0xBF, 4)
        case 0xF1...0xF3: (second, length) = (0x80...0xBF, 4)
        case 0xF4: (second, length) = (0x80...0x8F, 4)
        default: return false
        }
        guard count - at >= length, second.contains(bytes[at + 1]) else { return false }
        for offset in 2..<max(length, 2) where bytes[at + offset] & 0xC0 != 0x80 { return false }
        at += length
    }
    return true
}
