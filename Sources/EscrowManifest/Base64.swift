/// Base64 of RFC 4648 section 4, strictly: padding must be there, line ends and stray bits must not.
///
/// One text for one sequence of bytes: otherwise the spelling of an envelope or a result would carry something.
public enum Base64 {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 255, count: 256)
        for (value, byte) in alphabet.enumerated() { values[Int(byte)] = UInt8(value) }
        return values
    }()

    /// The text of some bytes.
    public static func encode(_ bytes: [UInt8], padding: Bool = true) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count / 3 + 1) * 4)
        var index = 0
        while index < bytes.count {
            let left = bytes.count - index
            let word =
                UInt32(bytes[index]) << 16 | (left > 1 ? UInt32(bytes[index + 1]) << 8 : 0)
                | (left > 2 ? UInt32(bytes[index + 2]) : 0)
            text.append(alphabet[Int(word >> 18)])
            text.append(alphabet[Int(word >> 12 & 63)])
            if left > 1 { text.append(alphabet[Int(word >> 6 & 63)]) } else if padding { text.append(0x3D) }
            if left > 2 { text.append(alphabet[Int(word & 63)]) } else if padding { text.append(0x3D) }
            index += 3
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes of a text; nil unless it is exactly what ``encode(_:padding:)`` writes, with padding.
    public static func decode(_ text: String) -> [UInt8]? {
        let text = Array(text.utf8)
        guard text.count % 4 == 0 else { return nil }
        let pads = text.suffix(2).reversed().prefix { $0 == 0x3D }.count
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var word: UInt32 = 0
        var bits = 0
        for byte in text.dropLast(pads) {
            let value = values[Int(byte)]
            guard value != 255 else { return nil }
            word = word << 6 | UInt32(value)
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: word >> UInt32(bits)))
                word &= (1 << UInt32(bits)) - 1
            }
        }
        // 2 pads leave 4 bits over and 1 leaves 2; they must be zero.
        guard word == 0, bits == [0, 2, 4][pads] else { return nil }
        return bytes
    }
}
