internal import EscrowTabular
internal import Glibc

/// The time zone of times that do not name theirs.
struct LocalZone: Sendable {
    /// Seconds east of UTC at a local civil time; nil if that cannot be told.
    let offset:
        @Sendable (_ year: Int, _ month: Int, _ day: Int, _ hour: Int, _ minute: Int, _ second: Int) -> Int?

    /// This machine's zone.
    static let machine = LocalZone { year, month, day, hour, minute, second in
        var parts = tm()
        parts.tm_year = Int32(year - 1900)
        parts.tm_mon = Int32(month - 1)
        parts.tm_mday = Int32(day)
        parts.tm_hour = Int32(hour)
        parts.tm_min = Int32(minute)
        parts.tm_sec = Int32(second)
        parts.tm_isdst = -1
        let moment = mktime(&parts)
        // mktime says -1 for an error, and for the last second of 1969; nobody took a digital photo then.
        guard moment != -1 else { return nil }
        return Int(parts.tm_gmtoff)
    }

    /// A zone that is always the same number of seconds east of UTC.
    static func fixed(_ seconds: Int) -> LocalZone { LocalZone { _, _, _, _, _, _ in seconds } }
}

/// Times as EXIF writes them.
enum ExifTime {
    /// Reads `2026:03:01 12:00:00` (any separators, as cameras differ), its `+01:00` and its fraction of a second.
    static func read(
        _ date: ArraySlice<UInt8>, offset: ArraySlice<UInt8>?, fraction: ArraySlice<UInt8>?, zone: LocalZone
    ) -> Timestamp? {
        func number(_ at: Int, _ length: Int) -> Int? { date.part(at, length)?.decimal }
        guard let year = number(0, 4), let month = number(5, 2), let day = number(8, 2),
            let hour = number(11, 2),
            let minute = number(14, 2), let second = number(17, 2), year > 0
        else { return nil }
        var microsecond = 0
        var scale = 100_000
        for digit in fraction ?? [] {
            guard digit >= 0x30, digit <= 0x39 else { break }
            microsecond += Int(digit - 0x30) * scale
            scale /= 10
        }
        // A date out of range must not reach mktime, which would make another date of it.
        guard
            Timestamp(year: year, month: month, day: day, hour: hour, minute: minute, second: second) != nil,
            let east = offset.flatMap(seconds) ?? zone.offset(year, month, day, hour, minute, second)
        else { return nil }
        return Timestamp(
            year: year, month: month, day: day, hour: hour, minute: minute, second: second,
            microsecond: microsecond, offsetSeconds: east)
    }

    /// `+01:00`, `-0530` or `Z` as seconds east of UTC.
    static func seconds(_ text: ArraySlice<UInt8>) -> Int? {
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
