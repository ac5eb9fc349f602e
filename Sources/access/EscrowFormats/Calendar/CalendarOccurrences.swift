/// One time that an event takes place.
package struct CalendarOccurrence {
    /// On the wall of the event's zone.
    package var civil: CivilTime
    /// Seconds since 1970.
    package var start: Int
    package var end: Int
    /// Its number in the series, from 0; exceptions count.
    package var ordinal: Int
    /// When the series has it, where an earlier occurrence moved it.
    package var original: Int?
}

/// How long an event lasts.
package enum CalendarLength {
    /// An exact time, from DTEND (RFC 5545, 3.8.5.3).
    case seconds(Int)
    /// Days on the wall, then hours on the clock.
    case nominal(CalendarDuration)

    /// When what begins at `civil`, the moment `start`, ends. No event ends before it begins.
    package func end(from civil: CivilTime, start: Int, in zone: CalendarZone) -> Int {
        switch self {
        case .seconds(let seconds): return max(start, start + seconds)
        case .nominal(let duration):
            let day =
                duration.days == 0
                ? start : zone.moment(of: CivilTime(seconds: civil.seconds + duration.days * 86_400))
            return max(start, day + duration.seconds)
        }
    }
}

/// The times of one event, one after the other and no further than they are asked for.
package struct CalendarOccurrences {
    /// A date that the file names itself.
    package struct Extra {
        package var civil: CivilTime
        package var length: CalendarLength?
    }

    /// What is taken out: a moment, or a whole day on the wall.
    package enum Exception: Hashable {
        case moment(Int)
        case day(Int)
    }

    /// What a changed occurrence says of itself and of those after it.
    package struct Change {
        package var start: CivilTime
        package var zone: CalendarZone
        package var isDate: Bool
        package var length: CalendarLength
        /// When the series has the occurrence, in seconds since 1970.
        package var original: Int
        /// By how many seconds on the wall it was moved.
        package var shift: Int
    }

    /// The most steps of one event's rules: daily for a thousand years, or hourly for forty.
    package static let stepLimit = 400_000
    /// The steps that a changed occurrence counts for: each event of its number looks at it anew.
    static let changeSteps = 16

    package let zone: CalendarZone
    private let isDateItself: Bool
    private let length: CalendarLength
    private let exceptions: Set<Exception>
    /// The dates that the file names, the last first.
    private var extras: [Extra]
    private var rules: [RecurrenceIterator]
    private var pending: [CivilTime?]
    /// The changed occurrence from which on the series is told, with its change.
    package var change: Change?
    /// The moment before which the series ends: another event tells the rest.
    package var before: Int?
    private var hasBegun = false
    private var ordinal = 0
    private var last: CivilTime?
    private var steps = Self.stepLimit
    /// The steps that it took to find out what was changed.
    private let firstSteps: Int

    package init(
        start: CivilTime, zone: CalendarZone, isDate: Bool, length: CalendarLength,
        rules: [RecurrenceIterator] = [],
        extras: [Extra] = [], exceptions: Set<Exception> = [], changes: Int = 0
    ) {
        firstSteps = changes * Self.changeSteps
        self.zone = zone
        isDateItself = isDate
        self.length = length
        self.exceptions = exceptions
        self.rules = rules
        self.extras = (extras + [Extra(civil: start)]).sorted { $0.civil > $1.civil }
        pending = []
    }

    /// No time at all.
    static var none: CalendarOccurrences {
        var none = CalendarOccurrences(
            start: CivilTime(seconds: 0), zone: .utc, isDate: false, length: .seconds(0))
        none.before = .min
        return none
    }

    /// Whether the times are whole days.
    package var isDate: Bool { change?.isDate ?? isDateItself }
    /// Whether a rule had to be cut off.
    package var isCutOff: Bool { steps < 0 }
    /// The steps that the rules and the changed occurrences have taken.
    package var stepsTaken: Int { firstSteps + Self.stepLimit - max(0, steps) }

    /// The next time; nil when there are no more.
    package mutating func next() -> CalendarOccurrence? {
        if let change, !hasBegun {
            hasBegun = true
            let start = change.zone.moment(of: change.start)
            return CalendarOccurrence(
                civil: change.start, start: start,
                end: change.length.end(from: change.start, start: start, in: change.zone), ordinal: 0)
        }
        if pending.isEmpty, !rules.isEmpty { pending = rules.indices.map { rules[$0].next(&steps) } }
        while let (civil, own) = take() {
            // Two rules, or a rule and a date, may give the same time.
            if civil == last { continue }
            last = civil
            ordinal += 1
            let start = zone.moment(of: civil)
            if let before, start >= before { return nil }
            if exceptions.contains(.moment(start)) || exceptions.contains(.day(civil.day)) { continue }
            if let change {
                if start > change.original { return moved(civil, start, by: change) }
                continue
            }
            return CalendarOccurrence(
                civil: civil, start: start, end: (own ?? length).end(from: civil, start: start, in: zone),
                ordinal: ordinal - 1)
        }
        return nil
    }

    /// A time of the series as an earlier occurrence changed it. Its number is one more, since that occurrence has the first.
    private func moved(_ civil: CivilTime, _ original: Int, by change: Change) -> CalendarOccurrence {
        let wall = isDateItself ? civil : change.zone.civil(at: original)
        let moved = CivilTime(seconds: wall.seconds + change.shift)
        let start = change.zone.moment(of: moved)
        return CalendarOccurrence(
            civil: moved, start: start, end: change.length.end(from: moved, start: start, in: change.zone),
            ordinal: ordinal, original: original)
    }

    /// Takes the earliest of what waits.
    private mutating func take() -> (civil: CivilTime, length: CalendarLength?)? {
        var best: (index: Int, civil: CivilTime)?
        for (index, time) in pending.enumerated() {
            if let time, best.map({ time < $0.civil }) ?? true { best = (index, time) }
        }
        if let extra = extras.last, best.map({ extra.civil <= $0.civil }) ?? true {
            extras.removeLast()
            return (extra.civil, extra.length)
        }
        guard let best else { return nil }
        pending[best.index] = rules[best.index].next(&steps)
        return (best.civil, nil)
    }
}
