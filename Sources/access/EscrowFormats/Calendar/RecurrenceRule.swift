/// A recurrence rule as a calendar writes it (RFC 5545, 3.3.10).
package struct RecurrenceRule: Sendable {
    /// How often it repeats.
    package enum Frequency: Int, Sendable { case yearly, monthly, weekly, daily, hourly, minutely, secondly }

    /// A day of the week, perhaps only the n-th of the month or year.
    struct Weekday: Hashable, Sendable {
        /// 1 the first, -1 the last, 0 every one.
        var ordinal: Int
        /// 0 for Monday.
        var day: Int
    }

    package var frequency: Frequency
    var interval = 1
    package var count: Int?
    package var until: CalendarTime?
    /// 0 for Monday.
    var weekStart = 0
    package var seconds: [Int] = []
    package var minutes: [Int] = []
    package var hours: [Int] = []
    var weekdays: [Weekday] = []
    var monthDays: [Int] = []
    var yearDays: [Int] = []
    var weekNumbers: [Int] = []
    package var months: [Int] = []
    package var positions: [Int] = []

    /// Reads `FREQ=MONTHLY;BYDAY=-1FR`; nil if a part is unknown, out of its range, or given twice: a rule that is
    /// understood in part would give wrong days.
    package init?(_ text: ArraySlice<UInt8>) {
        var frequency: Frequency?
        var seen: Set<String> = []
        self.frequency = .daily
        for part in text.trimmed.split(separator: UInt8(ascii: ";")) {
            guard let equals = part.firstIndex(of: UInt8(ascii: "=")) else { return nil }
            let name = String(decoding: part[..<equals].prefix(16), as: UTF8.self).uppercased()
            let value = part[(equals + 1)...]
            guard seen.insert(name).inserted else { return nil }
            if name == "FREQ" {
                frequency = Self.frequency(value)
                guard frequency != nil else { return nil }
            } else if !read(name, value) {
                return nil
            }
        }
        guard let frequency, count == nil || until == nil else { return nil }
        self.frequency = frequency
        // An ordinal means nothing within a week or a day (3.3.10); BYWEEKNO belongs to years.
        if frequency != .yearly && frequency != .monthly, weekdays.contains(where: { $0.ordinal != 0 }) {
            return nil
        }
        if frequency != .yearly, !weekNumbers.isEmpty { return nil }
    }

    private mutating func read(_ name: String, _ value: ArraySlice<UInt8>) -> Bool {
        switch name {
        case "INTERVAL":
            guard let number = value.decimal, number >= 1, number <= 100_000 else { return false }
            interval = number
        case "COUNT":
            guard let number = Self.number(value), number != 0 else { return false }
            // Confluence writes -1 for none.
            count = number > 0 ? number : nil
        case "UNTIL":
            until = CalendarTime(value)
            return until != nil
        case "WKST":
            guard let day = Self.day(value) else { return false }
            weekStart = day
        case "BYDAY": return readWeekdays(value)
        case "BYSECOND": return Self.numbers(value, 0...59, signed: false, into: &seconds)
        case "BYMINUTE": return Self.numbers(value, 0...59, signed: false, into: &minutes)
        case "BYHOUR": return Self.numbers(value, 0...23, signed: false, into: &hours)
        case "BYMONTHDAY": return Self.numbers(value, 1...31, signed: true, into: &monthDays)
        case "BYYEARDAY": return Self.numbers(value, 1...366, signed: true, into: &yearDays)
        case "BYWEEKNO": return Self.numbers(value, 1...53, signed: true, into: &weekNumbers)
        case "BYMONTH": return Self.numbers(value, 1...12, signed: false, into: &months)
        case "BYSETPOS": return Self.numbers(value, 1...366, signed: true, into: &positions)
        default: return false
        }
        return true
    }

    private mutating func readWeekdays(_ value: ArraySlice<UInt8>) -> Bool {
        for item in value.split(separator: UInt8(ascii: ",")) {
            guard let day = Self.day(item.suffix(2)) else { return false }
            var ordinal = 0
            let prefix = item.dropLast(2)
            if !prefix.isEmpty {
                guard let number = Self.number(prefix), number != 0, abs(number) <= 53 else { return false }
                ordinal = number
            }
            let entry = Weekday(ordinal: ordinal, day: day)
            if !weekdays.contains(entry) { weekdays.append(entry) }
        }
        return !weekdays.isEmpty
    }

    private static func numbers(
        _ value: ArraySlice<UInt8>, _ range: ClosedRange<Int>, signed: Bool, into list: inout [Int]
    ) -> Bool {
        for item in value.split(separator: UInt8(ascii: ",")) {
            guard let number = number(item), range.contains(signed ? abs(number) : number) else {
                return false
            }
            if !list.contains(number) { list.append(number) }
        }
        list.sort()
        return !list.isEmpty
    }

    private static func number(_ text: ArraySlice<UInt8>) -> Int? {
        switch text.first {
        case UInt8(ascii: "-"): text.dropFirst().decimal.map { -$0 }
        case UInt8(ascii: "+"): text.dropFirst().decimal
        default: text.decimal
        }
    }

    private static func day(_ text: ArraySlice<UInt8>) -> Int? {
        let names: [StaticString] = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
        return names.firstIndex { text.trimmed.equalsIgnoringCase($0) }
    }

    private static func frequency(_ text: ArraySlice<UInt8>) -> Frequency? {
        let names: [StaticString] = [
            "YEARLY", "MONTHLY", "WEEKLY", "DAILY", "HOURLY", "MINUTELY", "SECONDLY",
        ]
        return names.firstIndex { text.trimmed.equalsIgnoringCase($0) }.flatMap(Frequency.init)
    }
}
