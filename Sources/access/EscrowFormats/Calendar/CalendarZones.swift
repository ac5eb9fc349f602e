/// The zone in which a time is told.
package enum CalendarZone: Sendable {
    case utc
    /// The machine's own, for times without a zone (RFC 5545, 3.3.5).
    case machine(LocalZone)
    case rules(ZoneRules)

    /// The moment, in seconds since 1970, at which clocks there show a time.
    package func moment(of civil: CivilTime) -> Int {
        switch self {
        case .utc: return civil.seconds
        case .rules(let rules): return rules.moment(of: civil)
        case .machine(let zone): return civil.seconds - Self.offset(zone, civil)
        }
    }

    /// What clocks there show at a moment.
    package func civil(at moment: Int) -> CivilTime {
        switch self {
        case .utc: return CivilTime(seconds: moment)
        case .rules(let rules): return CivilTime(seconds: moment + rules.offset(at: moment))
        case .machine(let zone):
            // The zone is asked by its own clock; one step suffices but within hours of a change.
            let first = moment + Self.offset(zone, CivilTime(seconds: moment))
            return CivilTime(seconds: moment + Self.offset(zone, CivilTime(seconds: first)))
        }
    }

    private static func offset(_ zone: LocalZone, _ civil: CivilTime) -> Int {
        let date = civil.date
        let second = civil.secondOfDay
        return zone.offset(date.year, date.month, date.day, second / 3_600, second / 60 % 60, second % 60)
            ?? 0
    }
}

/// Finds the zones that a file's times name.
package struct CalendarZones {
    /// The most names that are remembered; a file names a few.
    private static let nameLimit = 1_000
    private let machine: CalendarZone
    private var known: [[UInt8]: CalendarZone?] = [:]
    /// Whether a time was in a zone that is not known, since this was last set to false.
    package var hasGuessed = false

    package init(machine: LocalZone) { self.machine = .machine(machine) }

    /// The zone of a time with a TZID.
    ///
    /// The machine's own rules win over those in the file, which are often a copy from years ago. A time in a zone that neither
    /// knows, such as one of an author's own, is taken as a time without a zone: better an hour off than lost.
    ///
    /// - Parameter own: the calendar's zone for times without one.
    package mutating func zone(
        _ time: CalendarTime, id: ArraySlice<UInt8>?, own: ArraySlice<UInt8>?,
        definitions: () -> [[UInt8]: CalendarZoneDefinition]
    ) -> CalendarZone {
        if time.isUTC { return .utc }
        guard !time.isDate else { return machine }
        if let id, !id.isEmpty {
            if let zone = zone(id, definitions) { return zone }
            hasGuessed = true
        }
        return own.flatMap { zone($0, definitions) } ?? machine
    }

    private mutating func zone(
        _ id: ArraySlice<UInt8>, _ definitions: () -> [[UInt8]: CalendarZoneDefinition]
    ) -> CalendarZone? {
        let key = Array(id)
        if let found = known[key] { return found }
        let found = find(key, definitions)
        if known.count >= Self.nameLimit { known.removeAll() }
        known[key] = .some(found)
        return found
    }

    private func find(_ key: [UInt8], _ definitions: () -> [[UInt8]: CalendarZoneDefinition]) -> CalendarZone?
    {
        let name = String(decoding: key, as: UTF8.self)
        if let rules = Self.system(WindowsZones.places[name] ?? name) { return .rules(rules) }
        // Outlook ends the names of its zones with a colon in one place and not in the other.
        let definitions = definitions()
        guard let definition = definitions[key] ?? definitions[key + [UInt8(ascii: ":")]] else { return nil }
        if let place = definition.place, let rules = Self.system(place) { return .rules(rules) }
        return definition.rules.map(CalendarZone.rules)
    }

    /// The machine's zone of that name, or of the last parts of it: `/mozilla.org/20070129_1/Europe/Oslo`.
    private static func system(_ name: String) -> ZoneRules? {
        if let rules = ZoneFile.load(name) { return rules }
        let parts = name.split(separator: "/")
        for count in [3, 2] where parts.count > count || (parts.count == count && name.hasPrefix("/")) {
            if let rules = ZoneFile.load(parts.suffix(count).joined(separator: "/")) { return rules }
        }
        return nil
    }
}

/// A time zone that a calendar file defines itself (VTIMEZONE; RFC 5545, 3.6.5).
package struct CalendarZoneDefinition: Sendable {
    /// The name that libical gives: `X-LIC-LOCATION`.
    package var place: String?
    /// Its own rules, up to the year 2100; nil if they cannot be read.
    package var rules: ZoneRules?

    private static let stepLimit = 200_000
    private static let lastYear = 2_100

    package init(_ component: CalendarComponent) {
        place = component.text(.zoneLocation).map { String(decoding: $0, as: UTF8.self) }
        var changes: [(moment: Int, offset: Int, before: Int)] = []
        var budget = Self.stepLimit
        var index = 0
        while index < component.lines.count {
            guard component.lines[index].property == .observance else {
                index += 1
                continue
            }
            let end = component.lines[(index + 1)...].firstIndex { $0.property == .observance }
            let lines = component.lines[index + 1..<(end ?? component.lines.count)]
            guard Self.append(lines, of: component, to: &changes, &budget) else { return }
            index = lines.endIndex
        }
        changes.sort { $0.moment < $1.moment }
        guard let first = changes.first else { return }
        rules = ZoneRules(
            transitions: changes.map(\.moment), offsets: changes.map(\.offset), initial: first.before)
    }

    /// Appends the moments at which an observance begins; false if it cannot be read.
    private static func append(
        _ lines: ArraySlice<CalendarComponent.Line>, of component: CalendarComponent,
        to changes: inout [(moment: Int, offset: Int, before: Int)], _ budget: inout Int
    ) -> Bool {
        func value(_ property: CalendarProperty) -> ArraySlice<UInt8>? {
            lines.first { $0.property == property }.map(component.value)
        }
        guard let start = value(.start).flatMap({ CalendarTime($0) }),
            let from = value(.offsetFrom).flatMap(offset),
            let to = value(.offsetTo).flatMap(offset)
        else { return false }
        var civil = [start.civil]
        if let text = value(.rule) {
            guard let rule = RecurrenceRule(text) else { return false }
            let last = CivilTime(day: CivilTime.day(lastYear + 1, 1, 1))
            let until = rule.until.map { $0.isUTC ? CivilTime(seconds: $0.civil.seconds + from) : $0.limit }
            var iterator = RecurrenceIterator(
                rule, start: start.civil, isDate: false, end: until.map { min($0, last) } ?? last)
            while let next = iterator.next(&budget) { civil.append(next) }
            guard budget >= 0 else { return false }
        }
        for line in lines where line.property == .dates {
            for item in component.value(line).split(separator: UInt8(ascii: ",")) {
                guard let time = CalendarTime(item) else { return false }
                civil.append(time.civil)
            }
        }
        // The moment is told by the clock before the change.
        for time in Set(civil) { changes.append((time.seconds - from, to, from)) }
        return true
    }

    /// `+0100` or `-013000` in seconds.
    private static func offset(_ text: ArraySlice<UInt8>) -> Int? {
        let text = text.trimmed
        guard let sign = text.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
            text.count == 5 || text.count == 7, let digits = text.dropFirst().decimal
        else { return nil }
        let value = text.count == 5 ? digits * 100 : digits
        let seconds = value / 10_000 * 3_600 + value / 100 % 100 * 60 + value % 100
        guard seconds < 86_400 else { return nil }
        return sign == UInt8(ascii: "-") ? -seconds : seconds
    }
}
