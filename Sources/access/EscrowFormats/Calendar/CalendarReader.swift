package import EscrowSourceFiles

/// Reads an iCalendar file (RFC 5545) one event or reminder at a time, in bounded memory.
package struct CalendarReader: ~Copyable {
    /// The most bytes of known properties in one event.
    static let componentLimit = 4 << 20
    /// The most known properties in one event.
    static let propertyLimit = 100_000
    /// The most events and reminders of one file; row ids keep 20 bits for them.
    static let ordinalLimit = 1 << 20

    private enum State { case outside, inside, tooLarge }

    /// The calendar's own name, as far as it has been read.
    private var calendarName: [UInt8]?
    private var calendarZone: [UInt8]?
    private var lines: FoldedLines
    private let includesZones: Bool
    private let onProblem: (FileProblem) -> Void
    private var state = State.outside
    /// How many parts deep within the event (alarms), or within a part that is not read (journals).
    private var nesting = 0
    private var isInCalendar = false
    private var sawCalendar = false
    private var ordinal = 0

    package init(
        _ file: consuming Descriptor, size: Int64, includesZones: Bool = false,
        onProblem: @escaping (FileProblem) -> Void
    ) {
        lines = FoldedLines(file, size: size)
        self.includesZones = includesZones
        self.onProblem = onProblem
    }

    /// Reads the next whole event, reminder or (if asked for) time zone; false at the end of the file.
    package mutating func next(into component: inout CalendarComponent) -> Bool {
        if lines.looksUTF16 {
            onProblem(FileProblem("the file is UTF-16; convert it with iconv -f UTF-16 -t UTF-8"))
            return false
        }
        while lines.next() {
            guard let parts = CalendarLine(lines.line) else { continue }
            let name = lines.line[parts.name]
            if name.equalsIgnoringCase("BEGIN") {
                guard begin(lines.line[parts.value].trimmed, &component) else { return false }
            } else if name.equalsIgnoringCase("END") {
                if end(lines.line[parts.value].trimmed, &component) { return true }
            } else if lines.isTooLong {
                if state != .outside, CalendarProperty(name) != nil {
                    onProblem(
                        FileProblem(
                            "a property of more than \(lines.limit) bytes was left out", line: lines.number,
                            partial: true))
                }
            } else if state == .inside {
                take(name, parts, &component)
            } else if isInCalendar, nesting == 0, !header(name, parts) {
                return false
            }
        }
        finish(component)
        return false
    }

    private mutating func finish(_ component: CalendarComponent) {
        if let failure = lines.failure { onProblem(.unreadable(errno: failure)) }
        if state != .outside {
            onProblem(FileProblem("an event that does not end", line: component.line, partial: true))
        } else if !sawCalendar {
            onProblem(FileProblem("it holds no calendar"))
        }
        state = .outside
        sawCalendar = true
    }

    /// Takes a property of the calendar itself; false if the file is of a version that is not read.
    private mutating func header(_ name: ArraySlice<UInt8>, _ parts: CalendarLine) -> Bool {
        let value = lines.line[parts.value]
        if name.equalsIgnoringCase("X-WR-CALNAME") { calendarName = CalendarText.clean(value) }
        if name.equalsIgnoringCase("X-WR-TIMEZONE") { calendarZone = CalendarText.clean(value) }
        if name.equalsIgnoringCase("VERSION"), value.trimmed.equalsIgnoringCase("1.0") {
            onProblem(FileProblem("vCalendar 1.0 is not read; export it as iCalendar 2.0"))
            return false
        }
        return true
    }

    /// Takes a BEGIN line; false if the file holds too many events.
    private mutating func begin(_ what: ArraySlice<UInt8>, _ component: inout CalendarComponent) -> Bool {
        if state != .outside {
            if component.kind == .zone, nesting == 0,
                what.equalsIgnoringCase("STANDARD") || what.equalsIgnoringCase("DAYLIGHT")
            {
                component.appendObservance()
                return true
            }
            // An event within an event: the first one lacks its end.
            guard what.equalsIgnoringCase("VEVENT") || what.equalsIgnoringCase("VTODO") else {
                nesting += 1
                return true
            }
            onProblem(FileProblem("an event that does not end", line: component.line, partial: true))
            state = .outside
            nesting = 0
        }
        if what.equalsIgnoringCase("VCALENDAR") {
            isInCalendar = true
            sawCalendar = true
            calendarName = nil
            calendarZone = nil
            nesting = 0
            return true
        }
        let kind: CalendarComponent.Kind
        if what.equalsIgnoringCase("VEVENT") {
            kind = .event
        } else if what.equalsIgnoringCase("VTODO") {
            kind = .reminder
        } else if includesZones, what.equalsIgnoringCase("VTIMEZONE") {
            kind = .zone
        } else {
            nesting += 1
            return true
        }
        component.reset(kind)
        component.line = lines.number
        component.calendarName = calendarName
        component.calendarZone = calendarZone
        state = .inside
        nesting = 0
        sawCalendar = true
        guard kind != .zone else { return true }
        guard ordinal < Self.ordinalLimit else {
            onProblem(FileProblem("only the first \(Self.ordinalLimit) events were read", partial: true))
            return false
        }
        component.ordinal = ordinal
        ordinal += 1
        return true
    }

    /// Takes an END line; true if a component is complete.
    private mutating func end(_ what: ArraySlice<UInt8>, _ component: inout CalendarComponent) -> Bool {
        if what.equalsIgnoringCase("VCALENDAR") {
            if state != .outside {
                onProblem(FileProblem("an event that does not end", line: component.line, partial: true))
            }
            state = .outside
            isInCalendar = false
            nesting = 0
            return false
        }
        let ends =
            switch component.kind {
            case .event: what.equalsIgnoringCase("VEVENT")
            case .reminder: what.equalsIgnoringCase("VTODO")
            case .zone: what.equalsIgnoringCase("VTIMEZONE")
            }
        guard state != .outside, ends else {
            if nesting > 0 { nesting -= 1 }
            return false
        }
        let isWhole = state == .inside
        state = .outside
        nesting = 0
        if !isWhole {
            onProblem(
                FileProblem(
                    "an event of more than \(Self.componentLimit) bytes was left out", line: component.line,
                    partial: true))
        }
        return isWhole
    }

    private mutating func take(
        _ name: ArraySlice<UInt8>, _ parts: CalendarLine, _ component: inout CalendarComponent
    ) {
        guard nesting == 0, let property = CalendarProperty(name) else { return }
        component.append(property, parts, of: lines.line)
        if component.arena.count > Self.componentLimit || component.lines.count > Self.propertyLimit {
            component.reset(component.kind)
            state = .tooLarge
        }
    }
}
