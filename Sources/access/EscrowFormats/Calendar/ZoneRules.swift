/// When a time zone changes its offset from UTC.
package struct ZoneRules: Sendable {
    /// The moments of change in seconds since 1970, ascending.
    var transitions: [Int]
    /// Seconds east of UTC after each of them.
    var offsets: [Int]
    /// Seconds east of UTC before the first.
    var initial: Int
    /// What holds after the last, if the zone has a rule for it.
    var rest: PosixZone?

    /// Seconds east of UTC at a moment.
    func offset(at moment: Int) -> Int {
        if let rest, transitions.last.map({ moment >= $0 }) ?? true { return rest.offset(at: moment) }
        // The number of transitions that are not later than the moment.
        var low = 0
        var high = transitions.count
        while low < high {
            let middle = (low + high) / 2
            if transitions[middle] <= moment { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? initial : offsets[low - 1]
    }

    /// The moment at which the zone's clocks show a time. Of a time that comes twice it is the first; a time that is
    /// left out is read with the offset before the gap (RFC 5545, 3.3.5).
    func moment(of civil: CivilTime) -> Int {
        let before = offset(at: civil.seconds - 86_400)
        let after = offset(at: civil.seconds + 86_400)
        let early = civil.seconds - before
        if before == after || offset(at: early) == before { return early }
        let late = civil.seconds - after
        return offset(at: late) == after ? late : early
    }
}

/// The rule of a POSIX `TZ` variable: `CET-1CEST,M3.5.0,M10.5.0/3` (IEEE 1003.1, 8.3; RFC 9636, 3.3).
struct PosixZone: Sendable {
    private struct Day: Sendable {
        enum Kind { case julian, zeroBased, weekday }
        var kind = Kind.weekday
        var month = 1
        var week = 1
        var day = 0
        var time = 7_200
    }

    private var standard = 0
    private var summer: Int?
    private var begins = Day()
    private var ends = Day()

    init?(_ text: ArraySlice<UInt8>) {
        var rest = text
        guard Self.name(&rest), let west = Self.time(&rest) else { return nil }
        standard = -west
        if rest.isEmpty { return }
        guard Self.name(&rest) else { return nil }
        summer = standard + 3_600
        if rest.first != UInt8(ascii: ",") {
            guard let west = Self.time(&rest) else { return nil }
            summer = -west
        }
        guard let first = Self.day(&rest), let second = Self.day(&rest), rest.isEmpty else { return nil }
        begins = first
        ends = second
    }

    func offset(at moment: Int) -> Int {
        guard let summer else { return standard }
        let year = CivilTime(seconds: moment + standard).date.year
        let start = Self.second(begins, year) - standard
        let end = Self.second(ends, year) - summer
        let isSummer = start < end ? moment >= start && moment < end : !(moment >= end && moment < start)
        return isSummer ? summer : standard
    }

    private static func second(_ day: Day, _ year: Int) -> Int {
        func first(_ month: Int) -> Int { CivilTime.day(year, month, 1) }
        switch day.kind {
        case .julian:
            // February 29 is never counted.
            let leap = first(3) - first(2) == 29 && day.day >= 60
            return (first(1) + day.day - (leap ? 0 : 1)) * 86_400 + day.time
        case .zeroBased: return (first(1) + day.day) * 86_400 + day.time
        case .weekday:
            // 0 is Sunday here, and 6 in our count from Monday.
            let wanted = (day.day + 6) % 7
            let start = first(day.month)
            var result = start + (wanted - CivilTime.weekday(ofDay: start) + 7) % 7 + (day.week - 1) * 7
            let next = day.month == 12 ? CivilTime.day(year + 1, 1, 1) : first(day.month + 1)
            while result >= next { result -= 7 }
            return result * 86_400 + day.time
        }
    }

    private static func name(_ rest: inout ArraySlice<UInt8>) -> Bool {
        if rest.first == UInt8(ascii: "<") {
            guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return false }
            rest = rest[(end + 1)...]
            return true
        }
        let letters = rest.prefix { ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A }
        rest = rest[letters.endIndex...]
        return letters.count >= 3
    }

    /// `[+-]hh[:mm[:ss]]` in seconds; hours up to 167.
    private static func time(_ rest: inout ArraySlice<UInt8>) -> Int? {
        var sign = 1
        if let first = rest.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
            sign = first == UInt8(ascii: "-") ? -1 : 1
            rest = rest.dropFirst()
        }
        guard let hours = number(&rest, 167) else { return nil }
        var seconds = hours * 3_600
        for unit in [60, 1] where rest.first == UInt8(ascii: ":") {
            rest = rest.dropFirst()
            guard let part = number(&rest, 59) else { return nil }
            seconds += part * unit
        }
        return sign * seconds
    }

    private static func number(_ rest: inout ArraySlice<UInt8>, _ limit: Int) -> Int? {
        let digits = rest.prefix { $0 >= 0x30 && $0 <= 0x39 }
        rest = rest[digits.endIndex...]
        guard let value = digits.decimal, value <= limit else { return nil }
        return value
    }

    private static func day(_ rest: inout ArraySlice<UInt8>) -> Day? {
        guard rest.first == UInt8(ascii: ",") else { return nil }
        rest = rest.dropFirst()
        var day = Day()
        switch rest.first {
        case UInt8(ascii: "M"):
            rest = rest.dropFirst()
            guard let month = number(&rest, 12), month >= 1, dot(&rest), let week = number(&rest, 5),
                week >= 1,
                dot(&rest), let weekday = number(&rest, 6)
            else { return nil }
            day = Day(kind: .weekday, month: month, week: week, day: weekday)
        case UInt8(ascii: "J"):
            rest = rest.dropFirst()
            guard let number = number(&rest, 365), number >= 1 else { return nil }
            day = Day(kind: .julian, day: number)
        default:
            guard let number = number(&rest, 365) else { return nil }
            day = Day(kind: .zeroBased, day: number)
        }
        if rest.first == UInt8(ascii: "/") {
            rest = rest.dropFirst()
            guard let time = time(&rest) else { return nil }
            day.time = time
        }
        return day
    }

    private static func dot(_ rest: inout ArraySlice<UInt8>) -> Bool {
        guard rest.first == UInt8(ascii: ".") else { return false }
        rest = rest.dropFirst()
        return true
    }
}
