internal import EscrowTabular

/// Which days a rule takes of a year, a month, a week or a day (the table of RFC 5545, 3.3.10).
struct RecurrenceDays: Sendable {
    private let rule: RecurrenceRule
    /// Whether `2MO` counts within the year, and not within its month.
    private let countsInYear: Bool
    private let weekdayBits: UInt8
    private let hasOrdinals: Bool

    /// Takes what the rule leaves out from the first day.
    init(_ given: RecurrenceRule, start: CivilTime) {
        var rule = given
        let date = start.date
        if rule.yearDays.isEmpty, rule.monthDays.isEmpty, rule.weekdays.isEmpty {
            let weekday = RecurrenceRule.Weekday(ordinal: 0, day: CivilTime.weekday(ofDay: start.day))
            switch rule.frequency {
            case .yearly where rule.weekNumbers.isEmpty:
                if rule.months.isEmpty { rule.months = [date.month] }
                rule.monthDays = [date.day]
            case .yearly: rule.weekdays = [weekday]
            case .monthly: rule.monthDays = [date.day]
            case .weekly: rule.weekdays = [weekday]
            default: break
            }
        }
        countsInYear = rule.frequency == .yearly && rule.months.isEmpty
        weekdayBits = rule.weekdays.reduce(0) { $1.ordinal == 0 ? $0 | 1 << UInt8($1.day) : $0 }
        hasOrdinals = rule.weekdays.contains { $0.ordinal != 0 }
        self.rule = rule
    }

    /// Appends the days of a year.
    func append(year: Int, to days: inout [Int]) {
        if rule.months.isEmpty {
            for month in 1...12 { append(year: year, month: month, to: &days) }
        } else {
            for month in rule.months { append(year: year, month: month, to: &days) }
        }
    }

    /// Appends the days of a month.
    func append(year: Int, month: Int, to days: inout [Int]) {
        guard rule.months.isEmpty || rule.months.contains(month) else { return }
        let first = Timestamp.daysFromCivil(year, month, 1)
        for index in 0..<Timestamp.days(inMonth: month, year: year)
        where holds(first + index, year: year, month: month, dayOfMonth: index + 1) {
            days.append(first + index)
        }
    }

    /// Whether a single day is taken.
    func contains(_ day: Int) -> Bool {
        let date = Timestamp.civilFromDays(day)
        guard rule.months.isEmpty || rule.months.contains(date.month) else { return false }
        return holds(day, year: date.year, month: date.month, dayOfMonth: date.day)
    }

    private func holds(_ day: Int, year: Int, month: Int, dayOfMonth: Int) -> Bool {
        if !rule.monthDays.isEmpty {
            let fromEnd = dayOfMonth - Timestamp.days(inMonth: month, year: year) - 1
            guard rule.monthDays.contains(dayOfMonth) || rule.monthDays.contains(fromEnd) else {
                return false
            }
        }
        if !rule.yearDays.isEmpty {
            let index = day - Timestamp.daysFromCivil(year, 1, 1)
            let length = Self.length(ofYear: year)
            guard rule.yearDays.contains(index + 1) || rule.yearDays.contains(index - length) else {
                return false
            }
        }
        if !rule.weekNumbers.isEmpty {
            let week = weekNumber(day)
            guard
                rule.weekNumbers.contains(week.number)
                    || rule.weekNumbers.contains(week.number - week.total - 1)
            else { return false }
        }
        guard !rule.weekdays.isEmpty else { return true }
        let weekday = CivilTime.weekday(ofDay: day)
        if weekdayBits & (1 << UInt8(weekday)) != 0 { return true }
        guard hasOrdinals else { return false }
        let index = countsInYear ? day - Timestamp.daysFromCivil(year, 1, 1) : dayOfMonth - 1
        let length = countsInYear ? Self.length(ofYear: year) : Timestamp.days(inMonth: month, year: year)
        let fromStart = index / 7 + 1
        let fromEnd = -((length - 1 - index) / 7 + 1)
        return rule.weekdays.contains {
            $0.day == weekday && ($0.ordinal == fromStart || $0.ordinal == fromEnd)
        }
    }

    /// The week of a day, and how many its year has: weeks begin on WKST, and the first has four days in the year.
    private func weekNumber(_ day: Int) -> (number: Int, total: Int) {
        func middle(_ day: Int) -> Int { day - (CivilTime.weekday(ofDay: day) - rule.weekStart + 7) % 7 + 3 }
        let year = Timestamp.civilFromDays(middle(day)).year
        let first = Timestamp.daysFromCivil(year, 1, 1)
        // December 28 always lies in the last week of its year.
        let last = middle(Timestamp.daysFromCivil(year, 12, 28))
        return ((middle(day) - first) / 7 + 1, (last - first) / 7 + 1)
    }

    private static func length(ofYear year: Int) -> Int {
        Timestamp.daysFromCivil(year + 1, 1, 1) - Timestamp.daysFromCivil(year, 1, 1)
    }
}
