/// Base64 (RFC 4648, section 4), for bytes inside JSON text.
///
/// One text for one sequence of bytes: padding must be there, line ends and stray bits must not, or the spelling of an
/// envelope or a result would carry something.
public enum Base64 {
    private static let alphabet: StaticString =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

    /// Appends the text of some bytes.
    public static func append(_ bytes: UnsafeRawBufferPointer, to output: inout [UInt8], padding: Bool = true)
    {
        let digits = alphabet.utf8Start
        func digit(_ value: UInt32) -> UInt8 { digits[Int(value & 63)] }
        // Whole groups, into room made beforehand.
        let groups = bytes.count / 3
        let start = output.count
        output.append(contentsOf: repeatElement(0, count: groups * 4))
        output.withUnsafeMutableBufferPointer { output in
            for number in 0..<groups {
                let from = number &* 3
                let to = start &+ number &* 4
                let group =
                    UInt32(bytes[from]) << 16 | UInt32(bytes[from &+ 1]) << 8 | UInt32(bytes[from &+ 2])
                output[to] = digit(group >> 18)
                output[to &+ 1] = digit(group >> 12)
                output[to &+ 2] = digit(group >> 6)
                output[to &+ 3] = digit(group)
            }
        }
        let left = bytes.count - groups * 3
        guard left > 0 else { return }
        let first = UInt32(bytes[groups * 3]) << 16
        let group = left > 1 ? first | UInt32(bytes[groups * 3 + 1]) << 8 : first
        output.append(digit(group >> 18))
        output.append(digit(group >> 12))
        if left > 1 { output.append(digit(group >> 6)) }
        if padding { output.append(contentsOf: repeatElement(UInt8(ascii: "="), count: 3 - left)) }
    }

    public static func encode(_ bytes: [UInt8], padding: Bool = true) -> String {
        var output: [UInt8] = []
        output.reserveCapacity((bytes.count + 2) / 3 * 4)
        bytes.withUnsafeBytes { append($0, to: &output, padding: padding) }
        return String(decoding: output, as: UTF8.self)
    }

    /// The bytes of a text; nil unless it is the one spelling that ``encode(_:padding:)`` gives, with padding.
    public static func decode(_ text: String) -> [UInt8]? { decode(text.utf8) }

    /// The bytes of a text; nil unless it is the one spelling that ``encode(_:padding:)`` gives, with padding.
    public static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        guard text.count % 4 == 0 else { return nil }
        var output: [UInt8] = []
        output.reserveCapacity(text.count / 4 * 3)
        var group: UInt32 = 0
        var digits = 0
        var padding = 0
        for byte in text {
            let value: UInt32
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = UInt32(byte) - 65
            case UInt8(ascii: "a")...UInt8(ascii: "z"): value = UInt32(byte) - 71
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = UInt32(byte) + 4
            case UInt8(ascii: "+"): value = 62
            case UInt8(ascii: "/"): value = 63
            case UInt8(ascii: "=") where digits >= 2 && padding < 2:
                value = 0
                padding += 1
            default: return nil
            }
            // Nothing but padding follows padding, in this group or a later one.
            if padding > 0, byte != UInt8(ascii: "=") { return nil }
            group = group << 6 | value
            digits += 1
            guard digits == 4 else { continue }
            // Bits under the padding must be zero, or one value would have several spellings.
            guard group & (UInt32(1) << UInt32(8 * padding) - 1) == 0 else { return nil }
            for index in 0..<(3 - padding) {
                output.append(UInt8(truncatingIfNeeded: group >> UInt32(16 - 8 * index)))
            }
            group = 0
            digits = 0
        }
        return output
    }
}
