internal import EscrowSourceFiles
internal import EscrowTabular

/// A date and time of day as a clock on the wall shows it, in no time zone.
package struct CivilTime: Hashable, Comparable, Sendable {
    /// Seconds since 1970-01-01T00:00:00 on that wall.
    package var seconds: Int

    package init(seconds: Int) { self.seconds = seconds }

    package init(day: Int, second: Int = 0) { seconds = day * 86_400 + second }

    /// Days since 1970-01-01.
    package var day: Int { seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400 }
    /// Seconds since midnight.
    var secondOfDay: Int { seconds - day * 86_400 }
    package var date: (year: Int, month: Int, day: Int) { Timestamp.civilFromDays(day) }

    package static func < (left: CivilTime, right: CivilTime) -> Bool { left.seconds < right.seconds }

    /// Days from 1970-01-01 to a date.
    package static func day(_ year: Int, _ month: Int, _ day: Int) -> Int {
        Timestamp.daysFromCivil(year, month, day)
    }

    /// Days since 1970-01-01 to the day of the week, 0 for Monday.
    static func weekday(ofDay day: Int) -> Int { ((day + 3) % 7 + 7) % 7 }

    /// The date as `2026-03-01`.
    package var dateText: String {
        let (year, month, day) = date
        func pad(_ value: Int, _ width: Int) -> String {
            let digits = String(value)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return pad(year, 4) + "-" + pad(month, 2) + "-" + pad(day, 2)
    }
}

/// A date, or a date and time, as a property of a calendar writes it (RFC 5545, 3.3.4 and 3.3.5).
package struct CalendarTime: Hashable, Sendable {
    package var civil: CivilTime
    /// A date without a time.
    package var isDate: Bool
    /// Whether it ends in `Z`.
    package var isUTC: Bool

    /// Reads `20260301`, `20260301T090000` or `20260301T090000Z`; nil for anything else.
    package init?(_ text: ArraySlice<UInt8>) {
        let text = text.trimmed
        func number(_ from: Int, _ count: Int) -> Int? { text.part(from, count)?.decimal }
        guard let year = number(0, 4), let month = number(4, 2), let day = number(6, 2),
            (1...12).contains(month), day >= 1, day <= Timestamp.days(inMonth: month, year: year)
        else { return nil }
        let days = Timestamp.daysFromCivil(year, month, day)
        if text.count == 8 {
            civil = CivilTime(day: days)
            isDate = true
            isUTC = false
            return
        }
        guard text.count == 15 || (text.count == 16 && text.last == UInt8(ascii: "Z")),
            text.part(8, 1)?.first == UInt8(ascii: "T"), let hour = number(9, 2), hour < 24,
            let minute = number(11, 2), minute < 60, let second = number(13, 2), second <= 60
        else { return nil }
        // A leap second counts as the second before it, as no clock of ours has one.
        civil = CivilTime(day: days, second: hour * 3_600 + minute * 60 + min(second, 59))
        isDate = false
        isUTC = text.count == 16
    }
}

extension CalendarTime {
    /// The last moment on the wall that a rule with this UNTIL may have: a date means its whole day.
    package var limit: CivilTime { isDate ? CivilTime(day: civil.day, second: 86_399) : civil }
}

/// A length of time (RFC 5545, 3.3.6): days are counted on the wall, hours on the clock.
package struct CalendarDuration: Hashable, Sendable {
    package var days = 0
    package var seconds = 0

    /// Reads `P1D`, `PT1H30M`, `-P2W`; nil for anything else.
    package init?(_ text: ArraySlice<UInt8>) {
        var rest = text.trimmed
        var sign = 1
        if let first = rest.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
            sign = first == UInt8(ascii: "-") ? -1 : 1
            rest = rest.dropFirst()
        }
        guard rest.first == UInt8(ascii: "P") else { return nil }
        rest = rest.dropFirst()
        var inTime = false
        var parts = 0
        while let first = rest.first {
            if first == UInt8(ascii: "T") {
                guard !inTime else { return nil }
                inTime = true
                rest = rest.dropFirst()
                continue
            }
            let digits = rest.prefix { $0 >= 0x30 && $0 <= 0x39 }
            rest = rest[digits.endIndex...]
            guard digits.count <= 8, let value = digits.decimal, let unit = rest.first else { return nil }
            rest = rest.dropFirst()
            switch (unit, inTime) {
            case (UInt8(ascii: "W"), false): days += value * 7
            case (UInt8(ascii: "D"), false): days += value
            case (UInt8(ascii: "H"), true): seconds += value * 3_600
            case (UInt8(ascii: "M"), true): seconds += value * 60
            case (UInt8(ascii: "S"), true): seconds += value
            default: return nil
            }
            parts += 1
            guard parts <= 8 else { return nil }
        }
        guard parts > 0 else { return nil }
        days *= sign
        seconds *= sign
    }

    package init(days: Int = 0, seconds: Int = 0) {
        self.days = days
        self.seconds = seconds
    }
}
