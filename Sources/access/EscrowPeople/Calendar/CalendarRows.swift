internal import EscrowDiagnostics
internal import EscrowFormats
internal import EscrowSchema
internal import EscrowSourceFiles
internal import EscrowTableKit
internal import EscrowTabular

final class CalendarRows: FileRows, RowReader {
    private let window: CalendarWindow
    private let table: CalendarTable
    private let files: ListedFiles
    private let horizon: Int
    private var opener = FileOpener()
    private var file = 0
    private var reader: CalendarReader?
    private var component = CalendarComponent()
    private var zones: CalendarZones
    private var index: CalendarIndex?
    private var repeated = RepeatedUIDs()
    private var series: CalendarOccurrences?
    private var steps: Int
    private var values = CalendarValues()

    init(_ request: ScanRequest, _ files: ListedFiles, of table: CalendarTable) {
        self.files = files
        self.table = table
        window = CalendarWindow(
            RowFilter(table.kind == .event ? request.predicates : [], spec: table.spec))
        zones = CalendarZones(machine: table.zone)
        steps = table.stepLimit
        horizon = table.horizon
    }

    func open(_ file: Int, done: Int) -> (any RowReader)? {
        self.file = file
        index = nil
        zones = CalendarZones(machine: table.zone)
        switch opener.open(file, of: files.listing) {
        case .problem(let problem):
            tell(problem)
            return nil
        case .opened(let descriptor):
            if table.kind == .event, case .opened(let again) = opener.open(file, of: files.listing) {
                repeated = RepeatedUIDs(again, size: files.listing.files[file].size)
            }
            let (context, path) = (files.context, files.listing.path(file))
            reader = CalendarReader(descriptor, size: files.listing.files[file].size) {
                context.onSkip(path, $0)
            }
            return self
        }
    }

    func next(_ row: RowBuilder) throws(Diagnostic) -> Bool {
        while true {
            if let occurrence = try nextOccurrence() {
                values.setEvent(component, occurrence, series?.isDate ?? false, in: row)
                row.place = Int64(component.ordinal) << 24 | Int64(occurrence.ordinal)
                return true
            }
            guard reader!.next(into: &component) else {
                reader = nil
                return false
            }
            if component.kind == table.kind, begin(row) { return true }
        }
    }

    /// Takes up the event or reminder that was read; false if its rows are yet to come.
    private func begin(_ row: RowBuilder) -> Bool {
        let times = CalendarTimes(
            component: component, index: fileIndex, horizon: horizon,
            isRepeated: component.uid.map(repeated.contains) ?? false)
        zones.hasGuessed = false
        defer { if zones.hasGuessed { tell(.unknownZone(line: component.line)) } }
        do throws(CalendarTimes.Fault) {
            try values.prepare(component, times, &zones, path: files.listing.path(file))
            guard component.kind == .event else {
                values.setReminder(component, in: row)
                row.place = Int64(component.ordinal)
                return true
            }
            series = try times.occurrences(&zones)
            steps -= series!.stepsTaken
        } catch {
            tell(FileProblem(error.reason, line: component.line, partial: true))
        }
        return false
    }

    /// The next time of the event in hand, within the window.
    private func nextOccurrence() throws(Diagnostic) -> CalendarOccurrence? {
        guard series != nil else { return nil }
        let before = series!.stepsTaken
        let found = series!.next()
        steps -= series!.stepsTaken - before
        guard steps > 0 else {
            throw .calendarTooBusy(files.listing.path(file), table.stepLimit)
        }
        if let found, found.start <= window.latest,
            Timestamp(microseconds: Int64(found.end) * 1_000_000) != nil,
            Timestamp(microseconds: Int64(found.start) * 1_000_000) != nil
        {
            return found
        }
        if series!.isCutOff {
            tell(
                FileProblem(
                    "an event repeats more often than can be told; the later times were left out",
                    line: component.line, partial: true))
        }
        series = nil
        return nil
    }

    /// What the whole file says, read when first needed.
    private func fileIndex() -> CalendarIndex {
        if let index { return index }
        var made = CalendarIndex()
        switch opener.open(file, of: files.listing) {
        case .problem(let problem): tell(problem)
        case .opened(let descriptor):
            made = CalendarIndex(descriptor, size: files.listing.files[file].size, repeated: repeated)
        }
        if made.hasOldOverrides, case .opened(let descriptor) = opener.open(file, of: files.listing) {
            made.addRevisions(
                descriptor, size: files.listing.files[file].size, machine: table.zone, horizon: horizon)
        }
        if !made.futures.isEmpty, case .opened(let descriptor) = opener.open(file, of: files.listing) {
            made.addMasters(descriptor, size: files.listing.files[file].size)
        }
        if made.isTooLarge {
            tell(
                FileProblem(
                    "it changes more than \(CalendarIndex.overrideLimit) single times or \(CalendarIndex.futureLimit) "
                        + "times of one series with those after them, or defines more than "
                        + "\(CalendarIndex.zoneLimit) time zones; the rest was left out", partial: true))
        }
        index = made
        return made
    }

    private func tell(_ problem: FileProblem) { files.tell(file, problem) }
}

extension FileProblem {
    /// An event or reminder whose time zone is a mere name.
    fileprivate static func unknownZone(line: Int) -> FileProblem {
        FileProblem(
            "a time in a time zone that is not known was read as a time without a zone", line: line,
            partial: true)
    }
}

extension Diagnostic {
    static func calendarTooBusy(_ path: String, _ limit: Int) -> Diagnostic {
        Diagnostic(
            .tooManyRepeats, "the calendar '\(path)' repeats its events too often to be read",
            notes: ["its rules and what was changed in them took more than \(limit) steps"],
            help: "`escrow source check` tells which events; mend the file, or take it out of the source")
    }
}
