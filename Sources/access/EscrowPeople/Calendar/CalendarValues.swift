internal import EscrowFormats
internal import EscrowTableKit
internal import EscrowTabular

/// The values of the event or reminder in hand that all its rows share.
struct CalendarValues {
    private var id: [UInt8] = []
    private var calendarName: [UInt8]?
    private var created: Timestamp?
    private var modified: Timestamp?
    private var completed: Timestamp?
    private var start: Timestamp?
    private var due: Timestamp?
    private var original: Timestamp?
    private var isRecurring = false

    /// Reads what the rows share.
    mutating func prepare(
        _ component: CalendarComponent, _ times: CalendarTimes, _ zones: inout CalendarZones,
        path: String
    ) throws(CalendarTimes.Fault) {
        func time(_ property: CalendarProperty, _ zones: inout CalendarZones) throws(CalendarTimes.Fault)
            -> Timestamp?
        {
            try times.moment(property, &zones).flatMap {
                Timestamp(microseconds: Int64($0.moment) * 1_000_000)
            }
        }
        id = component.text(.uid) ?? Array(StableID.name(path, part: component.ordinal).utf8)
        calendarName = component.calendarName
        // When it was entered is not worth losing an event for.
        created = try? time(.created, &zones)
        modified = try? time(.modified, &zones)
        completed = try? time(.completed, &zones)
        isRecurring = times.isRecurring || component.first(.recurrenceID) != nil
        original = try time(.recurrenceID, &zones)
        guard component.kind == .reminder else { return }
        start = try time(.start, &zones)
        due = try time(.due, &zones)
        if due == nil, let begins = try times.moment(.start, &zones), let line = component.first(.duration),
            let duration = CalendarDuration(component.value(line))
        {
            let end = CalendarLength.nominal(duration).end(
                from: begins.time.civil, start: begins.moment, in: begins.zone)
            due = Timestamp(microseconds: Int64(end) * 1_000_000)
        }
    }

    /// Sets the row of one time of an event.
    func setEvent(
        _ component: CalendarComponent, _ time: CalendarOccurrence, _ isDate: Bool, in row: RowBuilder
    ) {
        typealias Column = CalendarSpec.Event
        let start = Timestamp(microseconds: Int64(time.start) * 1_000_000)
        row.set(Column.startDate, start)
        row.set(Column.endDate, Timestamp(microseconds: Int64(time.end) * 1_000_000))
        row.set(Column.isAllDay, isDate)
        row.set(Column.startDay, time.civil.dateText)
        row.set(Column.id, id[...])
        row.set(Column.calendarName, calendarName?[...])
        func text(_ column: Column, _ property: CalendarProperty) {
            row.set(column, component.text(property)?[...])
        }
        text(.title, .summary)
        text(.location, .location)
        text(.notes, .description)
        text(.url, .url)
        row.set(Column.status, word(.status, of: component))
        row.set(Column.timeZone, zoneName(component))
        let isFree = component.first(.transparency).map {
            component.value($0).trimmed.equalsIgnoringCase("TRANSPARENT")
        }
        row.set(Column.availability, isFree == true ? "free" : "busy")
        row.set(Column.privacy, privacy(component))
        row.set(Column.organizer, organizer(component)?[...])
        row.set(Column.attendeeCount, Int64(component.lines.count { $0.property == .attendee }))
        row.set(Column.categories, categories(component)?[...])
        row.set(Column.isRecurring, isRecurring)
        if isRecurring {
            let moved = time.original.flatMap { Timestamp(microseconds: Int64($0) * 1_000_000) }
            row.set(Column.occurrenceDate, moved ?? original ?? start)
        }
        row.set(Column.creationDate, created)
        row.set(Column.lastModifiedDate, modified)
    }

    func setReminder(_ component: CalendarComponent, in row: RowBuilder) {
        typealias Column = CalendarSpec.Reminder
        row.set(Column.id, id[...])
        row.set(Column.calendarName, calendarName?[...])
        func text(_ column: Column, _ property: CalendarProperty) {
            row.set(column, component.text(property)?[...])
        }
        func number(_ property: CalendarProperty, _ limit: Int) -> Int64? {
            guard let value = component.first(property).flatMap({ component.value($0).trimmed.decimal }),
                value <= limit
            else { return nil }
            return Int64(value)
        }
        text(.title, .summary)
        text(.notes, .description)
        text(.location, .location)
        text(.url, .url)
        row.set(Column.status, word(.status, of: component))
        let isDone =
            completed != nil || number(.percent, 100) == 100
            || component.first(.status).map { component.value($0).trimmed.equalsIgnoringCase("COMPLETED") }
                == true
        row.set(Column.startDate, start)
        row.set(Column.dueDate, due)
        row.set(Column.isCompleted, isDone)
        row.set(Column.completionDate, completed)
        row.set(Column.percentComplete, number(.percent, 100))
        row.set(Column.priority, number(.priority, 9) ?? 0)
        row.set(Column.categories, categories(component)?[...])
        row.set(Column.isRecurring, isRecurring)
        row.set(Column.creationDate, created)
        row.set(Column.lastModifiedDate, modified)
    }

    /// A word of a closed list, in small letters.
    private func word(_ property: CalendarProperty, of component: CalendarComponent) -> String? {
        component.text(property).map { String(decoding: $0, as: UTF8.self).lowercased() }
    }

    private func privacy(_ component: CalendarComponent) -> String {
        guard let line = component.first(.classification) else { return "public" }
        let value = component.value(line).trimmed
        if value.equalsIgnoringCase("PUBLIC") { return "public" }
        // A class that is not known is to be treated as private (RFC 5545, 3.8.1.3).
        return value.equalsIgnoringCase("CONFIDENTIAL") ? "confidential" : "private"
    }

    private func zoneName(_ component: CalendarComponent) -> String? {
        guard let line = component.first(.start) else { return nil }
        if component.value(line).trimmed.last == UInt8(ascii: "Z") { return "UTC" }
        guard let id = component.parameter("TZID", of: line).flatMap({ CalendarText.clean($0) }) else {
            return nil
        }
        return String(decoding: id, as: UTF8.self)
    }

    private func organizer(_ component: CalendarComponent) -> [UInt8]? {
        guard let line = component.first(.organizer) else { return nil }
        var value = component.value(line).trimmed
        if value.prefix(7).equalsIgnoringCase("MAILTO:") { value = value.dropFirst(7) }
        return CalendarText.clean(value)
    }

    private func categories(_ component: CalendarComponent) -> [UInt8]? {
        var joined: [UInt8] = []
        for line in component.lines where line.property == .categories {
            guard let text = CalendarText.clean(component.value(line)) else { continue }
            if !joined.isEmpty { joined.append(UInt8(ascii: ",")) }
            joined += text
        }
        return joined.isEmpty ? nil : joined
    }
}
