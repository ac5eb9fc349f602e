/// Base64 (RFC 4648, section 4, with padding), for bytes on a line of JSON.
enum Base64 {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// Six bits for each byte of text; 255 for bytes that are no digit.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 255, count: 256)
        for (value, digit) in alphabet.enumerated() { values[Int(digit)] = UInt8(value) }
        return values
    }()

    static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var at = 0
        while at < bytes.count {
            let count = min(3, bytes.count - at)
            var group: UInt32 = 0
            for index in 0..<3 { group = group << 8 | (index < count ? UInt32(bytes[at + index]) : 0) }
            for index in 0..<4 {
                let digit = alphabet[Int(group >> UInt32(18 - 6 * index) & 63)]
                text.append(index <= count ? digit : UInt8(ascii: "="))
            }
            at += 3
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes of a text; nil unless it is the one spelling that `encode` gives.
    static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        guard text.count % 4 == 0 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var group: UInt32 = 0
        var digits = 0
        var padding = 0
        for byte in text {
            if byte == UInt8(ascii: "="), digits + padding >= 2, padding < 2 {
                padding += 1
            } else {
                let value = values[Int(byte)]
                // Nothing but padding follows padding, in this group or a later one.
                guard value < 64, padding == 0 else { return nil }
                group = group << 6 | UInt32(value)
                digits += 1
            }
            guard digits + padding == 4 else { continue }
            group <<= UInt32(6 * padding)
            let spare = UInt32(1) << UInt32(8 * padding) - 1
            // Bits under the padding must be zero, or one value would have several spellings.
            guard group & spare == 0 else { return nil }
            for index in 0..<(3 - padding) {
                bytes.append(UInt8(truncatingIfNeeded: group >> UInt32(16 - 8 * index)))
            }
            group = 0
            digits = 0
        }
        return bytes
    }
}
