package import EscrowFormats
internal import EscrowSourceFiles
package import EscrowTabular
internal import Glibc

/// Times as EXIF writes them.
package enum ExifTime {
    /// Reads `2026:03:01 12:00:00` (any separators, as cameras differ), its `+01:00` and its fraction of a second, which may stand
    /// in the text itself.
    package static func read(
        _ date: ArraySlice<UInt8>, offset: ArraySlice<UInt8>?, fraction: ArraySlice<UInt8>?, zone: LocalZone
    ) -> Timestamp? {
        func number(_ at: Int, _ length: Int) -> Int? { date.part(at, length)?.decimal }
        guard let year = number(0, 4), let month = number(5, 2), let day = number(8, 2),
            let hour = number(11, 2),
            let minute = number(14, 2), let second = number(17, 2), year > 0
        else { return nil }
        // Some programs write ISO 8601, with a fraction and a zone behind it.
        var rest = date.dropFirst(19)
        var microsecond = 0
        var scale = 100_000
        var digits = fraction ?? []
        if rest.first == UInt8(ascii: ".") {
            digits = rest.dropFirst().prefix { (0x30...0x39).contains($0) }
            rest = rest.dropFirst(digits.count + 1)
        }
        for digit in digits {
            guard digit >= 0x30, digit <= 0x39 else { break }
            microsecond += Int(digit - 0x30) * scale
            scale /= 10
        }
        // A date out of range must not reach mktime, which would make another date of it.
        guard
            Timestamp(year: year, month: month, day: day, hour: hour, minute: minute, second: second) != nil,
            let east = offset.flatMap(seconds) ?? seconds(rest)
                ?? zone.offset(year, month, day, hour, minute, second)
        else { return nil }
        return Timestamp(
            year: year, month: month, day: day, hour: hour, minute: minute, second: second,
            microsecond: microsecond, offsetSeconds: east)
    }

    /// `+01:00`, `-0530` or `Z` as seconds east of UTC.
    package static func seconds(_ text: ArraySlice<UInt8>) -> Int? {
        let text = text.prefix { $0 != 0 }.trimmed
        if text.elementsEqual("Z".utf8) { return 0 }
        guard let sign = text.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else {
            return nil
        }
        let digits = text.dropFirst().filter { $0 != UInt8(ascii: ":") }
        guard digits.count == 4, let hours = digits[..<2].decimal, let minutes = digits[2...].decimal,
            hours <= 14,
            minutes < 60
        else { return nil }
        return (hours * 60 + minutes) * (sign == UInt8(ascii: "-") ? -60 : 60)
    }
}
