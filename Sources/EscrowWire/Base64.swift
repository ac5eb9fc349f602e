/// Base64 (RFC 4648, section 4, with padding).
public enum Base64 {
    private static let alphabet: StaticString =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

    /// Appends the text of some bytes.
    public static func append(_ bytes: UnsafeRawBufferPointer, to output: inout [UInt8]) {
        let digits = alphabet.utf8Start
        func digit(_ value: UInt32) -> UInt8 { digits[Int(value & 63)] }
        var at = 0
        while at < bytes.count {
            let left = bytes.count - at
            let second = left > 1 ? UInt32(bytes[at + 1]) : 0
            let third = left > 2 ? UInt32(bytes[at + 2]) : 0
            let group = UInt32(bytes[at]) << 16 | second << 8 | third
            output.append(digit(group >> 18))
            output.append(digit(group >> 12))
            output.append(left > 1 ? digit(group >> 6) : UInt8(ascii: "="))
            output.append(left > 2 ? digit(group) : UInt8(ascii: "="))
            at += 3
        }
    }

    /// The text of some bytes.
    public static func encode(_ bytes: [UInt8]) -> String {
        var output: [UInt8] = []
        output.reserveCapacity((bytes.count + 2) / 3 * 4)
        bytes.withUnsafeBytes { append($0, to: &output) }
        return String(decoding: output, as: UTF8.self)
    }

    /// The bytes of a text; nil unless it is the one spelling that ``encode(_:)`` gives.
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
            // Nothing but padding follows padding.
            if padding > 0, byte != UInt8(ascii: "=") { return nil }
            group = group << 6 | value
            digits += 1
            if digits == 4 {
                let bytes = [group >> 16, group >> 8, group].map { UInt8(truncatingIfNeeded: $0) }
                // Bits under the padding must be zero, or one value would have several spellings.
                guard bytes[(3 - padding)...].allSatisfy({ $0 == 0 }) else { return nil }
                output.append(contentsOf: bytes[..<(3 - padding)])
                group = 0
                digits = 0
            }
        }
        return output
    }
}
