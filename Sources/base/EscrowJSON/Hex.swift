/// Lower-case hexadecimal, for bytes inside JSON text.
public enum Hex {
    private static let digits = Array("0123456789abcdef".utf8)

    public static func bytes(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return text
    }

    public static func string(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: Self.bytes(bytes), as: UTF8.self)
    }

    /// Reads a spelling; capitals are refused, so that one value has one spelling and no bit can be flipped unseen.
    public static func read(_ text: some Collection<UInt8>) -> [UInt8]? {
        guard text.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 2)
        var high: UInt8?
        for character in text {
            let digit: UInt8
            switch character {
            case 0x30...0x39: digit = character - 0x30
            case 0x61...0x66: digit = character - 0x61 + 10
            default: return nil
            }
            if let first = high {
                bytes.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        return bytes
    }
}
