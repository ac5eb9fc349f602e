internal import EscrowTabular

/// The times of a recurrence rule, one after the other and no further than they are asked for.
///
/// Nothing is kept but one period's days, so a rule without end costs no memory. Every step is paid from a budget: a rule
/// such as `FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30` steps for ever and never yields.
package struct RecurrenceIterator {
    /// The last year that is looked at; times are written with four digits.
    static let lastYear = 9_998

    private let rule: RecurrenceRule
    private let start: CivilTime
    private let end: CivilTime?
    private let taken: RecurrenceDays
    /// Seconds since midnight (or since the hour, or the minute) that a day (or hour, or minute) yields, ascending.
    private var times: [Int]
    /// The number of periods looked at.
    private var period = 0
    /// The days, or the one hour or minute, of the current period, in seconds on the wall.
    private var bases: [Int] = []
    private var days: [Int] = []
    /// The positions of the current period still to come, last first, if BYSETPOS chooses; else counted by `next`.
    private var chosen: [Int] = []
    private var next = 0
    private var yielded = 0
    /// The last day that was checked, and whether the rule takes it.
    private var checked: (day: Int, isTaken: Bool)?
    private var isDone = false

    /// Begins at `start`, which is a date alone if `isDate`; no time is later than `end` on the same wall.
    package init(_ rule: RecurrenceRule, start: CivilTime, isDate: Bool, end: CivilTime?) {
        self.rule = rule
        self.start = start
        self.end = end
        taken = RecurrenceDays(rule, start: start)
        let second = start.secondOfDay
        let isDaily = rule.frequency.rawValue <= RecurrenceRule.Frequency.daily.rawValue
        let seconds =
            rule.frequency == .secondly ? [0] : rule.seconds.isEmpty || isDate ? [second % 60] : rule.seconds
        let minutes =
            rule.frequency.rawValue >= RecurrenceRule.Frequency.minutely.rawValue
            ? [0] : rule.minutes.isEmpty || isDate ? [second / 60 % 60] : rule.minutes
        let hours = !isDaily ? [0] : rule.hours.isEmpty || isDate ? [second / 3_600] : rule.hours
        times = []
        times.reserveCapacity(hours.count * minutes.count * seconds.count)
        for hour in hours {
            for minute in minutes {
                for second in seconds { times.append(hour * 3_600 + minute * 60 + second) }
            }
        }
    }

    /// The next time on the wall; nil when there are no more, or the budget is spent (it is then negative).
    package mutating func next(_ budget: inout Int) -> CivilTime? {
        while !isDone {
            while let time = takeFromPeriod() {
                budget -= 1
                guard budget >= 0 else { return nil }
                guard time >= start else { continue }
                // Times ascend, so the first one past the end is the end.
                if let end, time > end { return finish() }
                // The first day counts as the first occurrence even if the rule does not give it (RFC 5545, 3.3.10).
                if yielded == 0, time != start { yielded = 1 }
                if rule.count == 1, yielded == 1 { return finish() }
                yielded += 1
                if yielded == rule.count { isDone = true }
                return time
            }
            advance(&budget)
            if budget < 0 { return nil }
        }
        return nil
    }

    private mutating func takeFromPeriod() -> CivilTime? {
        let index: Int
        if rule.positions.isEmpty {
            guard next < bases.count * times.count else { return nil }
            index = next
            next += 1
        } else {
            guard let last = chosen.popLast() else { return nil }
            index = last
        }
        return CivilTime(seconds: bases[index / times.count] + times[index % times.count])
    }

    /// Goes to the next period that may hold anything.
    private mutating func advance(_ budget: inout Int) {
        bases.removeAll(keepingCapacity: true)
        days.removeAll(keepingCapacity: true)
        next = 0
        let step = period * rule.interval
        let date = start.date
        switch rule.frequency {
        case .yearly:
            guard date.year + step <= Self.lastYear else { return stop() }
            taken.append(year: date.year + step, to: &days)
            budget -= rule.months.isEmpty ? 366 : 31 * rule.months.count
        case .monthly:
            let month = date.year * 12 + date.month - 1 + step
            guard month / 12 <= Self.lastYear else { return stop() }
            taken.append(year: month / 12, month: month % 12 + 1, to: &days)
            budget -= 31
        case .weekly:
            let back = (CivilTime.weekday(ofDay: start.day) - rule.weekStart + 7) % 7
            let first = start.day - back + step * 7
            guard isInRange(first) else { return stop() }
            for day in first..<first + 7 where taken.contains(day) { days.append(day) }
            budget -= 7
        case .daily:
            guard isInRange(start.day + step) else { return stop() }
            if taken.contains(start.day + step) { days.append(start.day + step) }
            budget -= 1
        case .hourly, .minutely, .secondly:
            advanceWithinDay(&budget)
        }
        if isDone { return }
        for day in days { bases.append(day * 86_400) }
        period += 1
        choose()
    }

    private mutating func advanceWithinDay(_ budget: inout Int) {
        let unit = rule.frequency == .hourly ? 3_600 : rule.frequency == .minutely ? 60 : 1
        let first = start.seconds - (start.secondOfDay % unit)
        let base = CivilTime(seconds: first + period * rule.interval * unit)
        guard isInRange(base.day) else { return stop() }
        budget -= 1
        if checked?.day != base.day { checked = (base.day, taken.contains(base.day)) }
        guard checked?.isTaken == true else {
            // None of this day's hours: on to the first step of the next day, in one go.
            let stride = rule.interval * unit
            period = max(period, ((base.day + 1) * 86_400 - first + stride - 1) / stride - 1)
            return
        }
        let second = base.secondOfDay
        guard rule.hours.isEmpty || rule.hours.contains(second / 3_600),
            unit > 60 || rule.minutes.isEmpty || rule.minutes.contains(second / 60 % 60),
            unit > 1 || rule.seconds.isEmpty || rule.seconds.contains(second % 60)
        else { return }
        bases.append(base.seconds)
    }

    /// What BYSETPOS takes of the period.
    private mutating func choose() {
        guard !rule.positions.isEmpty else { return }
        let total = bases.count * times.count
        let indices = rule.positions.map { $0 > 0 ? $0 - 1 : total + $0 }
        chosen = Set(indices.filter { $0 >= 0 && $0 < total }).sorted(by: >)
    }

    private func isInRange(_ day: Int) -> Bool { day < Self.endDay }

    private mutating func stop() { isDone = true }

    private mutating func finish() -> CivilTime? {
        stop()
        return nil
    }

    private static let endDay = Timestamp.daysFromCivil(lastYear + 1, 1, 1)
}
