/// What must be known of a whole calendar file before its repeating events can be told: the occurrences that were changed
/// one by one, and the zones that it defines. It is read only for files that need it.
struct CalendarIndex {
    /// The most changed occurrences of one file.
    static let overrideLimit = 200_000
    /// The most zones that one file defines.
    static let zoneLimit = 2_000

    /// The RECURRENCE-IDs, by UID.
    private(set) var overrides: [[UInt8]: [Override]] = [:]
    private(set) var zones: [[UInt8]: CalendarZoneDefinition] = [:]
    /// Whether there was more than the limits allow.
    private(set) var isTooLarge = false

    /// Which occurrence an event stands in for.
    struct Override {
        var time: CalendarTime
        var zoneID: [UInt8]?
    }

    /// An index of nothing.
    init() {}

    init(_ file: consuming Descriptor, size: Int64) {
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
            } else if component.kind == .event, let line = component.first(.recurrenceID),
                let time = CalendarTime(component.value(line)), let uid = component.first(.uid)
            {
                guard count < Self.overrideLimit else {
                    isTooLarge = true
                    return
                }
                count += 1
                overrides[Array(component.value(uid).trimmed), default: []].append(
                    Override(time: time, zoneID: component.parameter("TZID", of: line).map(Array.init)))
            }
        }
    }
}
