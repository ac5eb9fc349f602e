package import EscrowSourceFiles

/// What must be known of a whole calendar file before its repeating events can be told: the occurrences that were changed
/// one by one, and the zones that it defines. It is read only for files that need it.
package struct CalendarIndex {
    /// The most changed occurrences of one file.
    package static let overrideLimit = 200_000
    /// The most zones that one file defines.
    package static let zoneLimit = 2_000

    /// The most occurrences of one series that change those after them as well, and the most such series.
    package static let futureLimit = 64
    static let masterLimit = 1_000
    /// The most bytes of all these series.
    static let masterBytes = 16 << 20

    /// The RECURRENCE-IDs, by UID.
    private(set) var overrides: [[UInt8]: [Override]] = [:]
    /// Those of them that change all later occurrences too (`RANGE=THISANDFUTURE`).
    package private(set) var futures: [[UInt8]: [Override]] = [:]
    /// The series that those are of.
    private(set) var masters: [[UInt8]: CalendarComponent] = [:]
    package private(set) var zones: [[UInt8]: CalendarZoneDefinition] = [:]
    /// Whether there was more than the limits allow.
    package private(set) var isTooLarge = false

    /// Which occurrence an event stands in for.
    package struct Override: Equatable {
        var time: CalendarTime
        var zoneID: [UInt8]?

        /// What an event says of itself; nil if it is no changed occurrence.
        init?(_ component: CalendarComponent) {
            guard let line = component.first(.recurrenceID), let time = CalendarTime(component.value(line))
            else { return nil }
            self.time = time
            zoneID = component.parameter("TZID", of: line).map(Array.init)
        }
    }

    /// An index of nothing.
    package init() {}

    package init(_ file: consuming Descriptor, size: Int64) {
        // What is wrong with the file was told, or will be, by the reader that serves it.
        var reader = CalendarReader(file, size: size, includesZones: true) { _ in }
        var component = CalendarComponent()
        var count = 0
        while reader.next(into: &component) {
            if component.kind == .zone {
                guard let line = component.first(.zoneID) else { continue }
                if zones.count < Self.zoneLimit {
                    zones[Array(component.value(line).trimmed)] = CalendarZoneDefinition(component)
                } else {
                    isTooLarge = true
                }
            } else if component.kind == .event, let override = Override(component),
                let uid = component.uid
            {
                guard count < Self.overrideLimit else {
                    isTooLarge = true
                    return
                }
                count += 1
                overrides[uid, default: []].append(override)
                if component.changesFuture { addFuture(override, of: uid) }
            }
        }
    }

    private mutating func addFuture(_ override: Override, of uid: [UInt8]) {
        let known = futures[uid]?.count ?? 0
        if known < Self.futureLimit, known > 0 || futures.count < Self.masterLimit {
            futures[uid, default: []].append(override)
        } else {
            isTooLarge = true
        }
    }

    /// Reads the series that ``futures`` are of, which may stand before or behind them.
    package mutating func addMasters(_ file: consuming Descriptor, size: Int64) {
        var reader = CalendarReader(file, size: size) { _ in }
        var component = CalendarComponent()
        var bytes = 0
        while masters.count < futures.count, reader.next(into: &component) {
            guard component.kind == .event, component.first(.recurrenceID) == nil, let uid = component.uid,
                futures[uid] != nil, masters[uid] == nil
            else { continue }
            bytes += component.arena.count
            guard bytes <= Self.masterBytes else {
                isTooLarge = true
                return
            }
            masters[uid] = component
        }
    }
}
