/// Reads when an event takes place.
package struct CalendarTimes {
    /// The most rules of one event; more than one is against RFC 5545 but not against its predecessor.
    private static let ruleLimit = 8
    /// The most dates and exceptions that one event names.
    private static let dateLimit = 200_000

    /// Why an event cannot be told.
    package enum Fault: Error {
        case noStart, badTime, badRule, tooManyDates

        package var reason: String {
            switch self {
            case .noStart: "an event without a start was left out"
            case .badTime: "an event with a time that cannot be read was left out"
            case .badRule: "an event with a rule of repetition that cannot be read was left out"
            case .tooManyDates: "an event that names more than \(CalendarTimes.dateLimit) dates was left out"
            }
        }
    }

    package let component: CalendarComponent
    package let index: () -> CalendarIndex
    /// Rules give no times after this day.
    package let horizon: Int
    /// Whether the event's number stands elsewhere in its file as well.
    private let isRepeated: Bool

    package init(
        component: CalendarComponent, index: @escaping () -> CalendarIndex, horizon: Int,
        isRepeated: Bool = false
    ) {
        self.component = component
        self.index = index
        self.horizon = horizon
        self.isRepeated = isRepeated
    }

    /// The zone of a property's times.
    private func zone(
        _ time: CalendarTime, _ line: CalendarComponent.Line, _ zones: inout CalendarZones
    ) -> CalendarZone {
        zone(time, component.parameter("TZID", of: line), &zones)
    }

    private func zone(
        _ time: CalendarTime, _ id: ArraySlice<UInt8>?, _ zones: inout CalendarZones
    ) -> CalendarZone {
        zones.zone(time, id: id, own: component.calendarZone?[...], definitions: { index().zones })
    }

    /// The moment and zone of a property; nil if it is not there.
    package func moment(
        _ property: CalendarProperty, _ zones: inout CalendarZones
    ) throws(Fault) -> (time: CalendarTime, zone: CalendarZone, moment: Int)? {
        guard let line = component.first(property) else { return nil }
        guard let time = CalendarTime(component.value(line)) else { throw .badTime }
        let zone = zone(time, line, &zones)
        return (time, zone, zone.moment(of: time.civil))
    }

    /// The times of an event.
    package func occurrences(_ zones: inout CalendarZones) throws(Fault) -> CalendarOccurrences {
        guard var start = try moment(.start, &zones) else { throw .noStart }
        if isRepeated || component.first(.recurrenceID) != nil || isRecurring,
            index().isSuperseded(component)
        {
            return .none
        }
        var length = try length(start, &zones)
        // Some programs swap start and end.
        if case .seconds(let seconds) = length, seconds < 0, !isRecurring, let end = try moment(.end, &zones)
        {
            start = end
            length = .seconds(-seconds)
        }
        // A changed occurrence does not repeat, even with a rule of its own.
        if component.first(.recurrenceID) != nil || !isRecurring {
            if let later = try later(start, length, &zones) { return later }
            return CalendarOccurrences(
                start: start.time.civil, zone: start.zone, isDate: start.time.isDate, length: length)
        }
        var series = try series(start, length, &zones)
        series.before = series.before ?? changes(after: nil, &zones)
        return series
    }

    /// The times of the series without changes to later ones.
    private func series(
        _ start: (time: CalendarTime, zone: CalendarZone, moment: Int), _ length: CalendarLength,
        _ zones: inout CalendarZones
    ) throws(Fault) -> CalendarOccurrences {
        var rules: [RecurrenceIterator] = []
        var hasEnded = !component.lines.contains { $0.property == .dates }
        for line in component.lines where isRule(line) {
            guard let rule = RecurrenceRule(component.value(line)), rules.count < Self.ruleLimit else {
                throw .badRule
            }
            var end = CivilTime(day: horizon)
            if let until = rule.until {
                let limit =
                    until.isUTC && !start.time.isDate
                    ? start.zone.civil(at: until.civil.seconds) : until.limit
                end = min(end, limit)
            }
            if end >= start.time.civil { hasEnded = false }
            rules.append(
                RecurrenceIterator(rule, start: start.time.civil, isDate: start.time.isDate, end: end))
        }
        // Programs end a series before its start to delete it.
        if hasEnded { return .none }
        return CalendarOccurrences(
            start: start.time.civil, zone: start.zone, isDate: start.time.isDate, length: length,
            rules: rules, extras: try extras(start, &zones),
            exceptions: try exceptions(areDays: start.time.isDate, &zones), changes: changed.count)
    }

    /// The times of a changed occurrence that changes those after it as well: its own, then those of the series, moved by as
    /// much as it was and as long as it is, up to the next one of its kind. Nil for any other event.
    private func later(
        _ start: (time: CalendarTime, zone: CalendarZone, moment: Int), _ length: CalendarLength,
        _ zones: inout CalendarZones
    ) throws(Fault) -> CalendarOccurrences? {
        guard component.changesFuture, let uid = component.uid, let own = CalendarIndex.Override(component),
            index().futures[uid]?.contains(own) == true, let master = index().masters[uid],
            let original = try moment(.recurrenceID, &zones)
        else { return nil }
        let times = CalendarTimes(component: master, index: index, horizon: horizon)
        guard times.isRecurring, let first = try times.moment(.start, &zones) else { return nil }
        var series = try times.series(first, try times.length(first, &zones), &zones)
        let wall = original.time.isDate ? original.time.civil : start.zone.civil(at: original.moment)
        series.change = CalendarOccurrences.Change(
            start: start.time.civil, zone: start.zone, isDate: start.time.isDate, length: length,
            original: original.moment, shift: start.time.civil.seconds - wall.seconds)
        series.before = changes(after: original.moment, &zones)
        return series
    }

    /// When the first occurrence after a moment is that changes those after it.
    private func changes(after moment: Int?, _ zones: inout CalendarZones) -> Int? {
        guard let uid = component.uid else { return nil }
        let moments = (index().futures[uid] ?? []).map { override in
            zone(override.time, override.zoneID?[...], &zones).moment(of: override.time.civil)
        }
        return moments.filter { moment == nil || $0 > moment! }.min()
    }

    /// Whether the event has more times than its first.
    package var isRecurring: Bool {
        component.lines.contains { isRule($0) || $0.property == .dates }
    }

    /// Whether a line is a rule; an empty one is none.
    private func isRule(_ line: CalendarComponent.Line) -> Bool {
        line.property == .rule && !component.value(line).trimmed.isEmpty
    }

    private func length(
        _ start: (time: CalendarTime, zone: CalendarZone, moment: Int), _ zones: inout CalendarZones
    ) throws(Fault) -> CalendarLength {
        if let end = try moment(.end, &zones) {
            if start.time.isDate, end.time.isDate {
                return .nominal(CalendarDuration(days: max(0, end.time.civil.day - start.time.civil.day)))
            }
            return .seconds(end.moment - start.moment)
        }
        if let line = component.first(.duration) {
            guard let duration = CalendarDuration(component.value(line)) else { throw .badTime }
            return .nominal(duration)
        }
        // RFC 5545, 3.6.1: a date alone is a whole day, a time alone has no length.
        return start.time.isDate ? .nominal(CalendarDuration(days: 1)) : .seconds(0)
    }

    private func extras(
        _ start: (time: CalendarTime, zone: CalendarZone, moment: Int), _ zones: inout CalendarZones
    ) throws(Fault) -> [CalendarOccurrences.Extra] {
        var extras: [CalendarOccurrences.Extra] = []
        for line in component.lines where line.property == .dates {
            for item in component.value(line).split(separator: UInt8(ascii: ",")) {
                guard extras.count < Self.dateLimit else { throw .tooManyDates }
                let parts = item.split(separator: UInt8(ascii: "/"), maxSplits: 1)
                guard let text = parts.first, let time = CalendarTime(text) else { throw .badTime }
                let zone = zone(time, line, &zones)
                let moment = zone.moment(of: time.civil)
                let civil = time.isDate ? time.civil : start.zone.civil(at: moment)
                var length: CalendarLength?
                if parts.count == 2 {
                    if let duration = CalendarDuration(parts[1]) {
                        length = .nominal(duration)
                    } else if let end = CalendarTime(parts[1]) {
                        length = .seconds(zone.moment(of: end.civil) - moment)
                    } else {
                        throw .badTime
                    }
                }
                extras.append(CalendarOccurrences.Extra(civil: civil, length: length))
            }
        }
        return extras
    }

    /// The occurrences of the series that the file changes one by one.
    private var changed: [CalendarIndex.Override] { component.uid.flatMap { index().overrides[$0] } ?? [] }

    /// - Parameter areDays: whether the event takes whole days. Outlook names them by their midnight all the same.
    private func exceptions(
        areDays: Bool, _ zones: inout CalendarZones
    ) throws(Fault) -> Set<CalendarOccurrences.Exception> {
        var exceptions: Set<CalendarOccurrences.Exception> = []
        func insert(_ time: CalendarTime, _ zone: CalendarZone) {
            exceptions.insert(
                time.isDate || areDays ? .day(time.civil.day) : .moment(zone.moment(of: time.civil)))
        }
        for line in component.lines where line.property == .exceptions {
            for item in component.value(line).split(separator: UInt8(ascii: ",")) {
                guard exceptions.count < Self.dateLimit else { throw .tooManyDates }
                guard let time = CalendarTime(item) else { throw .badTime }
                insert(time, zone(time, line, &zones))
            }
        }
        for override in changed {
            insert(override.time, zone(override.time, override.zoneID?[...], &zones))
        }
        return exceptions
    }
}
