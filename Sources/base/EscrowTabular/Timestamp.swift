/// A moment in UTC, in microseconds since 1970-01-01T00:00:00Z, without leap seconds (as POSIX and Arrow count).
///
/// In SQL a moment is text of fixed width, `2026-03-01T12:00:00.000Z`: it sorts as time, compares with
/// `'2026-03-01'`, and SQLite's `date()` and `strftime()` understand it.
public struct Timestamp: Sendable, Hashable, Comparable {
    /// Microseconds since the epoch, within the years 0000 to 9999.
    public let microseconds: Int64

    /// Takes microseconds since the epoch; nil outside the years 0000 to 9999, which the text form cannot spell.
    public init?(microseconds: Int64) {
        guard microseconds >= Self.earliest, microseconds <= Self.latest else { return nil }
        self.microseconds = microseconds
    }

    /// Builds a moment from a civil date and time at an offset from UTC in seconds; nil if any part is out of its
    /// range. `second` may be 60 (a leap second), which counts as the next minute's first second.
    public init?(
        year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0,
        microsecond: Int = 0,
        offsetSeconds: Int = 0
    ) {
        guard (0...9999).contains(year), (1...12).contains(month), (0...23).contains(hour),
            day >= 1, day <= Self.days(inMonth: month, year: year),
            (0...59).contains(minute), (0...60).contains(second), (0...999_999).contains(microsecond),
            (-86_399...86_399).contains(offsetSeconds)
        else { return nil }
        let seconds =
            Self.daysFromCivil(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second
            - offsetSeconds
        self.init(microseconds: Int64(seconds) * 1_000_000 + Int64(microsecond))
    }

    /// The text form used in SQL: UTC, milliseconds, always 24 characters.
    public var iso8601: String { String(decoding: iso8601Bytes, as: UTF8.self) }

    /// Its bytes; ``TimestampText`` spells many without an array each.
    public var iso8601Bytes: [UInt8] {
        var text = TimestampText()
        return text.spell(self) { Array($0) }
    }

    /// Reads RFC 3339 text (`2026-03-01T12:00:00Z`, with any number of fraction digits, `Z` or `+01:00`; a space may
    /// stand for the `T`); nil for anything else, a missing zone included.
    public init?(iso8601 text: String) {
        var text = text
        guard let moment = text.withUTF8({ Timestamp(iso8601: UnsafeRawBufferPointer($0)) }) else {
            return nil
        }
        self = moment
    }

    /// Reads the same from bytes, without a string in between.
    public init?(iso8601 bytes: UnsafeRawBufferPointer) {
        if let moment = Self(canonical: bytes) {
            self = moment
            return
        }
        self.init(general: bytes)
    }

    /// Reads text as ``iso8601`` spells it, 24 characters in UTC, eight at a time; nil for any other. The fast path for
    /// columns of moments.
    private init?(canonical bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 24 else { return nil }
        // 0 to 9 where there are digits, 0 where the other characters are as they should be; nil for anything else. A
        // byte above its greatest value sets its highest bit in the sum, or has it set already.
        func digits(_ at: Int, _ pattern: UInt64, _ room: UInt64) -> UInt64? {
            let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self))
            let value = word ^ pattern
            return (value | (value &+ room)) & 0x8080_8080_8080_8080 == 0 ? value : nil
        }
        // "0000-00-", "00T00:00", ":00.000Z", each from its last character to its first.
        guard let date = digits(0, 0x2D30_302D_3030_3030, 0x7F76_767F_7676_7676),
            let middle = digits(8, 0x3030_3A30_3054_3030, 0x7676_7F76_767F_7676),
            let end = digits(16, 0x5A30_3030_2E30_303A, 0x7F76_7676_7F76_767F)
        else { return nil }
        func digit(_ word: UInt64, _ at: Int) -> Int { Int(word >> UInt64(at * 8) & 0x0F) }
        func pair(_ word: UInt64, _ at: Int) -> Int { digit(word, at) * 10 + digit(word, at + 1) }
        self.init(
            year: pair(date, 0) * 100 + pair(date, 2), month: pair(date, 5), day: pair(middle, 0),
            hour: pair(middle, 3), minute: pair(middle, 6), second: pair(end, 1),
            microsecond: (pair(end, 4) * 10 + digit(end, 6)) * 1_000)
    }

    /// Reads any text that is allowed, character by character.
    init?(general bytes: UnsafeRawBufferPointer) {
        var at = 0
        func number(_ width: Int) -> Int? {
            guard bytes.count - at >= width else { return nil }
            var value = 0
            for index in at..<at + width {
                let byte = bytes[index]
                guard byte >= 0x30, byte <= 0x39 else { return nil }
                value = value * 10 + Int(byte - 0x30)
            }
            at += width
            return value
        }
        func take(_ allowed: UInt8...) -> UInt8? {
            guard at < bytes.count, allowed.contains(bytes[at]) else { return nil }
            at += 1
            return bytes[at - 1]
        }
        let dash = UInt8(ascii: "-")
        let colon = UInt8(ascii: ":")
        guard let year = number(4), take(dash) != nil, let month = number(2), take(dash) != nil,
            let day = number(2), take(UInt8(ascii: "T"), UInt8(ascii: "t"), UInt8(ascii: " ")) != nil,
            let hour = number(2), take(colon) != nil, let minute = number(2), take(colon) != nil,
            let second = number(2)
        else { return nil }
        var microsecond = 0
        if take(UInt8(ascii: ".")) != nil {
            var scale = 100_000
            var digits = 0
            while let digit = number(1) {
                microsecond += digit * scale
                scale /= 10
                digits += 1
            }
            guard digits > 0 else { return nil }
        }
        var offset = 0
        guard let zone = take(UInt8(ascii: "Z"), UInt8(ascii: "z"), UInt8(ascii: "+"), dash) else {
            return nil
        }
        if zone == UInt8(ascii: "+") || zone == dash {
            guard let hours = number(2), take(colon) != nil, let minutes = number(2), hours < 24, minutes < 60
            else { return nil }
            offset = (hours * 3_600 + minutes * 60) * (zone == dash ? -1 : 1)
        }
        guard at == bytes.count else { return nil }
        self.init(
            year: year, month: month, day: day, hour: hour, minute: minute, second: second,
            microsecond: microsecond, offsetSeconds: offset)
    }

    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.microseconds < right.microseconds
    }

    /// The parts of the moment in UTC.
    public var civil: (year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int, millisecond: Int)
    {
        let day = Int((microseconds >= 0 ? microseconds : microseconds - 86_399_999_999) / 86_400_000_000)
        let rest = Int(microseconds - Int64(day) * 86_400_000_000)
        let date = Self.civilFromDays(day)
        let seconds = rest / 1_000_000
        return (
            date.year, date.month, date.day, seconds / 3_600, seconds / 60 % 60, seconds % 60,
            rest % 1_000_000 / 1_000
        )
    }

    private static let earliest: Int64 = -62_167_219_200_000_000
    private static let latest: Int64 = 253_402_300_799_999_999

    /// The number of days of a month of the Gregorian calendar; `month` is 1 to 12.
    public static func days(inMonth month: Int, year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    // Howard Hinnant's days_from_civil and civil_from_days: the proleptic Gregorian calendar in eras of 400 years.
    /// The number of days from 1970-01-01 to a date of the proleptic Gregorian calendar.
    public static func daysFromCivil(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The date that many days after 1970-01-01.
    public static func civilFromDays(_ days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthIndex = (5 * dayOfYear + 2) / 153
        let month = monthIndex < 10 ? monthIndex + 3 : monthIndex - 9
        return (
            yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * monthIndex + 2) / 5 + 1
        )
    }
}
