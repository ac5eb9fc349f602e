package import EscrowSourceFiles

extension CalendarIndex {
    /// The most steps that the rules of one file's revised series and what was changed in them may take here; what is left then is
    /// told as it stands.
    private static let stepLimit = 4_000_000

    /// Whether changed occurrences are older than their series, so that it may no longer have them.
    package var hasOldOverrides: Bool { overrides.contains { !old($0.key).isEmpty } }

    /// Finds the changed occurrences that a later revision of their series took out: by an exception, or by another rule.
    ///
    /// - Parameter horizon: the day after which rules give no times.
    package mutating func addRevisions(
        _ file: consuming Descriptor, size: Int64, machine: LocalZone, horizon: Int
    ) {
        var reader = CalendarReader(file, size: size) { _ in }
        var component = CalendarComponent()
        var zones = CalendarZones(machine: machine)
        var steps = Self.stepLimit
        // The series as it stands, without what was changed one by one.
        let bare = CalendarIndex(zones: self.zones)
        while steps > 0, reader.next(into: &component) {
            guard component.kind == .event, component.first(.recurrenceID) == nil, let uid = component.uid,
                !isSuperseded(component)
            else { continue }
            let old = old(uid)
            steps -= (overrides[uid]?.count ?? 0) * CalendarOccurrences.changeSteps
            let times = CalendarTimes(component: component, index: { bare }, horizon: horizon)
            guard !old.isEmpty, var series = try? times.occurrences(&zones) else { continue }
            let kept = Self.kept(old, &series, component, &zones, bare)
            steps -= series.stepsTaken
            guard !series.isCutOff else { continue }
            // Some programs give several series one number: one of them may have what another has not.
            withdrawn[uid] = (withdrawn[uid] ?? Set(old)).subtracting(kept)
        }
    }

    /// The changed occurrences of a series that are older than it.
    private func old(_ uid: [UInt8]) -> [Override] {
        guard let revision = revision(uid) else { return [] }
        return (overrides[uid] ?? []).filter { $0.sequence < revision }
    }

    /// Those that the series has.
    private static func kept(
        _ overrides: [Override], _ series: inout CalendarOccurrences, _ component: CalendarComponent,
        _ zones: inout CalendarZones, _ index: CalendarIndex
    ) -> [Override] {
        var byMoment: [Int: [Override]] = [:]
        var byDay: [Int: [Override]] = [:]
        var last = Int.min
        for override in overrides {
            let zone = zones.zone(
                override.time, id: override.zoneID?[...], own: component.calendarZone?[...],
                definitions: { index.zones })
            let moment = zone.moment(of: override.time.civil)
            // A day on the wall may begin a day earlier or later elsewhere.
            last = max(last, moment + 86_400)
            if series.isDate || override.time.isDate {
                byDay[override.time.civil.day, default: []].append(override)
            } else {
                byMoment[moment, default: []].append(override)
            }
        }
        var kept: [Override] = []
        while let time = series.next(), time.start <= last {
            kept += byMoment[time.start] ?? []
            kept += byDay[time.civil.day] ?? []
        }
        return kept
    }
}
