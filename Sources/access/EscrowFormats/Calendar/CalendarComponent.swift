/// The properties of an event or reminder that are read; the raw value is the name (RFC 5545, 3.8).
package enum CalendarProperty: String, Sendable {
    case uid = "UID"
    case summary = "SUMMARY"
    case start = "DTSTART"
    case end = "DTEND"
    case due = "DUE"
    case duration = "DURATION"
    case rule = "RRULE"
    case dates = "RDATE"
    case exceptions = "EXDATE"
    case recurrenceID = "RECURRENCE-ID"
    case sequence = "SEQUENCE"
    case location = "LOCATION"
    case description = "DESCRIPTION"
    case url = "URL"
    case status = "STATUS"
    case organizer = "ORGANIZER"
    case attendee = "ATTENDEE"
    case categories = "CATEGORIES"
    case transparency = "TRANSP"
    case classification = "CLASS"
    case created = "CREATED"
    case modified = "LAST-MODIFIED"
    case completed = "COMPLETED"
    case percent = "PERCENT-COMPLETE"
    case priority = "PRIORITY"
    case zoneID = "TZID"
    case offsetFrom = "TZOFFSETFROM"
    case offsetTo = "TZOFFSETTO"
    case zoneLocation = "X-LIC-LOCATION"
    /// No property: where a STANDARD or DAYLIGHT part of a time zone begins.
    case observance = ""

    package init?(_ name: ArraySlice<UInt8>) {
        guard !name.isEmpty, name.count <= 16 else { return nil }
        self.init(rawValue: String(decoding: name, as: UTF8.self).uppercased())
    }
}

/// One event, reminder or time zone as it was read, not yet decoded. Reused from one to the next.
package struct CalendarComponent {
    /// What it is.
    package enum Kind: Sendable { case event, reminder, zone }

    /// One property.
    package struct Line {
        package var property: CalendarProperty
        /// Between the name and the colon, with its leading `;`.
        package var parameters: Range<Int>
        package var value: Range<Int>
    }

    package var kind = Kind.event
    /// Its number among the events and reminders of its file, from 0.
    package var ordinal = 0
    /// The line on which it begins, from 1.
    package var line = 0
    /// The name of the calendar that it is in, if that was told before.
    package var calendarName: [UInt8]?
    /// The calendar's zone for times without one (`X-WR-TIMEZONE`), if that was told before.
    var calendarZone: [UInt8]?
    package private(set) var lines: [Line] = []
    package private(set) var arena: [UInt8] = []

    package init() {}

    mutating func reset(_ kind: Kind) {
        self.kind = kind
        lines.removeAll(keepingCapacity: lines.capacity <= 4_096)
        arena.removeAll(keepingCapacity: arena.capacity <= 1 << 20)
    }

    package mutating func append(_ property: CalendarProperty, _ line: CalendarLine, of bytes: [UInt8]) {
        let start = arena.count
        arena.append(contentsOf: bytes[line.parameters.lowerBound...])
        let shift = start - line.parameters.lowerBound
        lines.append(
            Line(
                property: property,
                parameters: line.parameters.lowerBound + shift..<line.parameters.upperBound + shift,
                value: line.value.lowerBound + shift..<arena.count))
    }

    mutating func appendObservance() {
        lines.append(Line(property: .observance, parameters: 0..<0, value: 0..<0))
    }

    package func first(_ property: CalendarProperty) -> Line? { lines.first { $0.property == property } }

    /// The UID as it stands; nil if there is none.
    package var uid: [UInt8]? { first(.uid).map { Array(value($0).trimmed) } }

    /// How often it was revised; 0 unless it says so.
    var sequence: Int { first(.sequence).flatMap { value($0).trimmed.decimal } ?? 0 }

    /// Whether it is a changed occurrence that changes all later ones too (RFC 5545, 3.2.13). It must be a date as the
    /// series is, or a time as the series is, so that it tells by how much they move.
    package var changesFuture: Bool {
        guard let line = first(.recurrenceID),
            parameter("RANGE", of: line)?.equalsIgnoringCase("THISANDFUTURE") == true,
            let original = CalendarTime(value(line)),
            let start = first(.start).flatMap({ CalendarTime(value($0)) })
        else { return false }
        return original.isDate == start.isDate
    }

    package func value(_ line: Line) -> ArraySlice<UInt8> { arena[line.value] }

    /// The value of a parameter, without its quotes; nil if it is not there.
    package func parameter(_ name: StaticString, of line: Line) -> ArraySlice<UInt8>? {
        CalendarLine.parameter(name, in: arena[line.parameters])
    }

    /// A text value without its escapes, as clean UTF-8; nil if there is none.
    package func text(_ property: CalendarProperty) -> [UInt8]? {
        first(property).flatMap { CalendarText.clean(value($0)) }
    }
}

/// Where the parts of a property's line are: `DTSTART;TZID=Europe/Oslo:20260301T090000`.
package struct CalendarLine {
    var name: Range<Int>
    var parameters: Range<Int>
    var value: Range<Int>

    /// Finds the parts; nil if no colon ends the name and its parameters.
    init?(_ bytes: [UInt8]) {
        var nameEnd: Int?
        var quoted = false
        for index in bytes.indices {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") {
                quoted.toggle()
            } else if !quoted, byte == UInt8(ascii: ";") || byte == UInt8(ascii: ":") {
                if nameEnd == nil { nameEnd = index }
                if byte == UInt8(ascii: ":") {
                    name = 0..<(nameEnd ?? index)
                    parameters = name.upperBound..<index
                    value = index + 1..<bytes.count
                    return
                }
            }
        }
        return nil
    }

    static func parameter(_ name: StaticString, in parameters: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var start = parameters.startIndex
        var quoted = false
        for index in parameters.indices {
            if parameters[index] == UInt8(ascii: "\"") { quoted.toggle() }
            let isLast = index + 1 == parameters.endIndex
            guard isLast || (parameters[index + 1] == UInt8(ascii: ";") && !quoted) else { continue }
            let part = parameters[start...index].drop { $0 == UInt8(ascii: ";") }
            if let equals = part.firstIndex(of: UInt8(ascii: "=")), part[..<equals].equalsIgnoringCase(name) {
                return part[(equals + 1)...].unquoted
            }
            start = index + 1
        }
        return nil
    }
}

/// Text values (RFC 5545, 3.3.11).
package enum CalendarText {
    /// Undoes the escapes, trims white space and mends the encoding; nil if nothing is left.
    package static func clean(_ value: ArraySlice<UInt8>) -> [UInt8]? {
        var plain: [UInt8] = []
        plain.reserveCapacity(value.count)
        var index = value.startIndex
        while index < value.endIndex {
            let byte = value[index]
            index += 1
            guard byte == UInt8(ascii: "\\"), index < value.endIndex else {
                plain.append(byte)
                continue
            }
            switch value[index] {
            case UInt8(ascii: "n"), UInt8(ascii: "N"): plain.append(0x0A)
            case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\\"), UInt8(ascii: ":"):
                plain.append(value[index])
            default:
                plain.append(byte)
                continue
            }
            index += 1
        }
        var clean: [UInt8] = []
        TextRepair.append(plain[...].trimmed, to: &clean)
        return clean.isEmpty ? nil : clean
    }
}
