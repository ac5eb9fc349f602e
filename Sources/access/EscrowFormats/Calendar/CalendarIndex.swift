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

    /// The last revision of each series and of each changed occurrence, by UID and RECURRENCE-ID.
    private var latest: [[UInt8]: (sequence: Int, ordinal: Int)] = [:]
    /// The RECURRENCE-IDs, by UID.
    private(set) var overrides: [[UInt8]: [Override]] = [:]
    /// Those of them that change all later occurrences too (`RANGE=THISANDFUTURE`).
    package private(set) var futures: [[UInt8]: [Override]] = [:]
    /// The series that those are of.
    private(set) var masters: [[UInt8]: CalendarComponent] = [:]
    package private(set) var zones: [[UInt8]: CalendarZoneDefinition] = [:]
    /// The changed occurrences that a later revision of their series no longer has, by UID.
    var withdrawn: [[UInt8]: Set<Override>] = [:]
    private var repeated = RepeatedUIDs()
    /// Whether there was more than the limits allow.
    package private(set) var isTooLarge = false

    /// Which occurrence an event stands in for.
    package struct Override: Hashable {
        var time: CalendarTime
        var zoneID: [UInt8]?
        /// How often it was revised.
        var sequence: Int

        /// What an event says of itself; nil if it is no changed occurrence.
        init?(_ component: CalendarComponent) {
            guard let line = component.first(.recurrenceID), let time = CalendarTime(component.value(line))
            else { return nil }
            self.time = time
            zoneID = component.parameter("TZID", of: line).map(Array.init)
            sequence = component.sequence
        }
    }

    /// An index of nothing.
    package init() {}

    /// An index of zones alone.
    init(zones: [[UInt8]: CalendarZoneDefinition]) { self.zones = zones }

    package init(_ file: consuming Descriptor, size: Int64, repeated: RepeatedUIDs = RepeatedUIDs()) {
        self.repeated = repeated
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
            } else if component.kind == .event, let key = key(component), let uid = component.uid {
                guard count < Self.overrideLimit else {
                    isTooLarge = true
                    return
                }
                count += 1
                let own = (sequence: component.sequence, ordinal: component.ordinal)
                if latest[key].map({ $0 <= own }) ?? true { latest[key] = own }
                guard let override = Override(component) else { continue }
                overrides[uid, default: []].append(override)
                if component.changesFuture { addFuture(override, of: uid) }
            }
        }
    }

    /// Whether a later revision of an event or of a changed occurrence stands elsewhere in the file, or a later revision of
    /// a series without that occurrence.
    func isSuperseded(_ component: CalendarComponent) -> Bool {
        if let uid = component.uid, let withdrawn = withdrawn[uid], let override = Override(component),
            withdrawn.contains(override)
        {
            return true
        }
        guard let key = key(component), let last = latest[key] else { return false }
        // Some programs give all their events one UID: events of one number and revision are all told.
        return last.sequence > component.sequence
            || component.first(.recurrenceID) != nil && last.ordinal > component.ordinal
    }

    /// How often a series was revised; nil if it is not in the file.
    func revision(_ uid: [UInt8]) -> Int? { latest[uid]?.sequence }

    /// What revisions of an event, or of one occurrence of a series, have in common; nil for an event that stands alone.
    private func key(_ component: CalendarComponent) -> [UInt8]? {
        guard let uid = component.uid else { return nil }
        if let line = component.first(.recurrenceID) { return uid + [0] + component.value(line).trimmed }
        if repeated.contains(uid) { return uid }
        return component.lines.contains { $0.property == .rule || $0.property == .dates } ? uid : nil
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
                futures[uid] != nil, masters[uid] == nil, !isSuperseded(component)
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
