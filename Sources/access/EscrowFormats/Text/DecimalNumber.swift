/// Numbers in decimal notation, read without regard to the machine's locale.
package enum DecimalNumber {
    /// The nearest `Double` to a number such as `-12.5` or `1.2e3`; nil for anything else, infinities and
    /// hexadecimal included.
    package static func read(_ text: ArraySlice<UInt8>) -> Double? {
        guard !text.isEmpty, text.count <= 64 else { return nil }
        if let fast = readPlain(text) { return fast }
        for byte in text {
            switch byte {
            case 0x30...0x39, UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "e"),
                UInt8(ascii: "E"):
                continue
            default: return nil
            }
        }
        guard let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite else { return nil }
        return value
    }

    /// Up to 15 digits and a fraction of up to 22: both the digits and the power of ten are exact, so one division gives
    /// the nearest value.
    private static func readPlain(_ text: ArraySlice<UInt8>) -> Double? {
        var digits: Int64 = 0
        var count = 0
        var fraction = -1
        var isNegative = false
        for (position, byte) in text.enumerated() {
            switch byte {
            case UInt8(ascii: "-") where position == 0: isNegative = true
            case UInt8(ascii: ".") where fraction < 0: fraction = 0
            case 0x30...0x39:
                digits = digits * 10 + Int64(byte - 0x30)
                count += 1
                if fraction >= 0 { fraction += 1 }
                if count > 15 { return nil }
            default: return nil
            }
        }
        guard count > 0 else { return nil }
        let value = Double(digits) / powers[max(0, fraction)]
        return isNegative ? -value : value
    }

    private static let powers: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
    ]
}
