import Glibc

/// A moment in UTC to the millisecond, as `2026-11-21T01:40:11.120Z`.
public struct LedgerTime: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// Milliseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
    public let milliseconds: Int64

    /// Takes milliseconds since 1970; what lies outside the years 1970 to 9999 becomes the nearest that does not.
    public init(milliseconds: Int64) {
        self.milliseconds = min(max(milliseconds, 0), 253_402_300_799_999)
    }

    /// The wall clock, which may be wrong. Corresponds to clock_gettime(2) with CLOCK_REALTIME.
    public static func now() -> LedgerTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return LedgerTime(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// Reads exactly the spelling that `description` writes; nil for any other.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        let shape = Array("dddd-dd-ddTdd:dd:dd.dddZ".utf8)
        guard bytes.count == shape.count else { return nil }
        for (byte, expected) in zip(bytes, shape) {
            let isRight = expected == UInt8(ascii: "d") ? (0x30...0x39).contains(byte) : byte == expected
            guard isRight else { return nil }
        }
        func number(_ range: Range<Int>) -> Int64 {
            bytes[range].reduce(0) { $0 * 10 + Int64($1 - 0x30) }
        }
        let days = Self.days(year: number(0..<4), month: number(5..<7), day: number(8..<10))
        let seconds = days * 86_400 + number(11..<13) * 3600 + number(14..<16) * 60 + number(17..<19)
        self.init(milliseconds: seconds * 1000 + number(20..<23))
        // A 31st of February, a 25th hour or a year before 1970 comes out as another moment.
        guard description == text else { return nil }
    }

    public static func < (left: LedgerTime, right: LedgerTime) -> Bool {
        left.milliseconds < right.milliseconds
    }

    public var description: String {
        let seconds = milliseconds / 1000
        let (year, month, day) = Self.date(days: seconds / 86_400)
        func padded(_ value: Int64, _ width: Int) -> String {
            let digits = String(value)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        let clock = [seconds % 86_400 / 3600, seconds % 3600 / 60, seconds % 60].map { padded($0, 2) }
        let date = "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
        return "\(date)T\(clock.joined(separator: ":")).\(padded(milliseconds % 1000, 3))Z"
    }

    /// Days since 1970-01-01 in the proleptic Gregorian calendar, counted in eras of 400 years that begin in March, so
    /// that the leap day is the last of its year.
    private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func date(days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }
}
