package import EscrowTabular

/// Dates and times as vCards write them.
package enum VCardDate {
    /// A birthday as ISO 8601 writes it: `1996-04-15`, `--04-15` without a year, `1996-04`, `1996`; nil for anything else.
    ///
    /// Takes `19960415`, `1996-04-15`, either with a time, and RFC 6350's truncated forms (4.3.1).
    package static func birthday(_ text: ArraySlice<UInt8>, omittedYear: Int?) -> String? {
        var date = text.trimmed
        if let time = date.firstIndex(where: { $0 == UInt8(ascii: "T") || $0 == UInt8(ascii: " ") }) {
            date = date[..<time]
        }
        let yearless = date.starts(with: [0x2D, 0x2D])
        if yearless { date = date.dropFirst(2) }
        let digits = date.filter { $0 != 0x2D }
        // Dashes may stand only where ISO 8601 has them.
        guard
            date.count == digits.count || date.count == digits.count + (yearless || digits.count <= 6 ? 1 : 2)
        else { return nil }
        func number(_ range: Range<Int>) -> Int? { digits[range].decimal }
        if yearless {
            guard digits.count == 4, let month = number(0..<2), let day = number(2..<4),
                isDay(year: 2000, month, day)
            else { return nil }
            return "--" + pad(month, 2) + "-" + pad(day, 2)
        }
        guard digits.count >= 4, let year = number(0..<4) else { return nil }
        switch digits.count {
        case 8:
            guard let month = number(4..<6), let day = number(6..<8), isDay(year: year, month, day) else {
                return nil
            }
            let rest = "-" + pad(month, 2) + "-" + pad(day, 2)
            return year == omittedYear ? "-" + rest : pad(year, 4) + rest
        case 6:
            guard let month = number(4..<6), (1...12).contains(month) else { return nil }
            return pad(year, 4) + "-" + pad(month, 2)
        case 4: return pad(year, 4)
        default: return nil
        }
    }

    /// A revision time: `19951031T222710Z`, `1995-10-31T22:27:10Z`, with a fraction or an offset, or a date alone. Without
    /// an offset it is taken as UTC, as the examples of RFC 2426 mean it.
    package static func revision(_ text: ArraySlice<UInt8>) -> Timestamp? {
        var rest = text.trimmed
        func digits(_ count: Int) -> Int? {
            guard rest.count >= count, let value = rest.prefix(count).decimal else { return nil }
            rest = rest.dropFirst(count)
            return value
        }
        func skip(_ byte: Character) { if rest.first == byte.asciiValue { rest = rest.dropFirst() } }
        guard let year = digits(4) else { return nil }
        skip("-")
        guard let month = digits(2) else { return nil }
        skip("-")
        guard let day = digits(2) else { return nil }
        guard let separator = rest.first else { return Timestamp(year: year, month: month, day: day) }
        guard separator == UInt8(ascii: "T") || separator == UInt8(ascii: " ") else { return nil }
        rest = rest.dropFirst()
        guard let hour = digits(2) else { return nil }
        skip(":")
        let minute = digits(2) ?? 0
        skip(":")
        let second = digits(2) ?? 0
        var microsecond = 0
        if rest.first == UInt8(ascii: ".") || rest.first == UInt8(ascii: ",") {
            rest = rest.dropFirst()
            var scale = 100_000
            while let digit = digits(1) {
                microsecond += digit * scale
                scale /= 10
            }
        }
        var offset = 0
        if let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
            rest = rest.dropFirst()
            guard let hours = digits(2) else { return nil }
            skip(":")
            offset = (hours * 60 + (digits(2) ?? 0)) * (sign == UInt8(ascii: "-") ? -60 : 60)
        } else {
            skip("Z")
        }
        guard rest.isEmpty else { return nil }
        return Timestamp(
            year: year, month: month, day: day, hour: hour, minute: minute, second: second,
            microsecond: microsecond, offsetSeconds: offset)
    }

    private static func isDay(year: Int, _ month: Int, _ day: Int) -> Bool {
        Timestamp(year: year, month: month, day: day) != nil
    }

    private static func pad(_ value: Int, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
