internal import EscrowDiagnostics
internal import EscrowFormats
internal import EscrowSchema
internal import EscrowSourceFiles
internal import EscrowTableKit
internal import EscrowTabular

/// One pass over all calendar files.
final class CalendarScan: TableScan {
    private let request: ScanRequest
    private let filter: RowFilter
    private let window: CalendarWindow
    private let snapshot: CalendarSnapshot
    private var opener = FileOpener()
    private var reader: CalendarReader?
    private var nextFile = 0
    private var component = CalendarComponent()
    private var zones: CalendarZones
    private var index: CalendarIndex?
    private var series: CalendarOccurrences?
    private var steps: Int
    private var values: CalendarValues
    private var row: RowBuilder?

    init(_ request: ScanRequest, of snapshot: CalendarSnapshot) {
        self.request = request
        self.snapshot = snapshot
        let filter = RowFilter(request.predicates, spec: snapshot.table.spec)
        self.filter = filter
        window =
            snapshot.table.kind == .event
            ? CalendarWindow(filter) : CalendarWindow(RowFilter([], spec: snapshot.table.spec))
        zones = CalendarZones(machine: snapshot.table.zone)
        values = CalendarValues()
        steps = snapshot.table.stepLimit
    }

    func next(into chunk: ColumnChunk) throws(Diagnostic) -> Bool {
        chunk.removeAll()
        let row = RowBuilder.aim(&row, at: chunk, request, filter, spec: snapshot.table.spec)
        while !chunk.isFull {
            if let occurrence = try nextOccurrence() {
                values.setEvent(component, occurrence, series?.isDate ?? false, in: row)
                row.place = Int64(component.ordinal) << 24 | Int64(occurrence.ordinal)
                row.end(file: nextFile - 1)
                continue
            }
            guard reader != nil || openNext() else { break }
            guard reader!.next(into: &component) else {
                reader = nil
                continue
            }
            guard component.kind == snapshot.table.kind else { continue }
            begin(row)
        }
        return chunk.rowCount > 0
    }

    /// Takes up the event or reminder that was read.
    private func begin(_ row: RowBuilder) {
        let file = nextFile - 1
        let times = CalendarTimes(
            component: component, index: { self.fileIndex(file) }, horizon: snapshot.horizon)
        do throws(CalendarTimes.Fault) {
            try values.prepare(
                component, times, &zones, path: snapshot.listing.path(file),
                filename: snapshot.listing.nameBytes(file))
            if component.kind == .event {
                series = try times.occurrences(&zones)
            } else {
                values.setReminder(component, in: row)
                row.place = Int64(component.ordinal)
                row.end(file: file)
            }
        } catch {
            tell(FileProblem(error.reason, line: component.line, partial: true))
        }
    }

    /// The next time of the event in hand, within the window.
    private func nextOccurrence() throws(Diagnostic) -> CalendarOccurrence? {
        guard series != nil else { return nil }
        let before = series!.stepsTaken
        let found = series!.next()
        steps -= series!.stepsTaken - before
        guard steps > 0 else {
            throw .calendarTooBusy(snapshot.listing.path(nextFile - 1), snapshot.table.stepLimit)
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

    private func openNext() -> Bool {
        while nextFile < snapshot.listing.files.count {
            let file = nextFile
            nextFile += 1
            index = nil
            zones = CalendarZones(machine: snapshot.table.zone)
            let column =
                snapshot.table.kind == .event
                ? CalendarSpec.Event.filename.rawValue : CalendarSpec.Reminder.filename.rawValue
            guard filter.admits(column, text: snapshot.listing.nameBytes(file)) else { continue }
            switch opener.open(file, of: snapshot.listing) {
            case .problem(let problem): tell(problem)
            case .opened(let descriptor):
                let (context, listing) = (snapshot.table.context, snapshot.listing)
                reader = CalendarReader(descriptor, size: listing.files[file].size) { problem in
                    context.onSkip(listing.path(file), problem)
                }
                return true
            }
        }
        return false
    }

    /// What the whole file says, read when first needed.
    private func fileIndex(_ file: Int) -> CalendarIndex {
        if let index { return index }
        var made = CalendarIndex()
        switch opener.open(file, of: snapshot.listing) {
        case .problem(let problem): tell(problem)
        case .opened(let descriptor):
            made = CalendarIndex(descriptor, size: snapshot.listing.files[file].size)
        }
        if !made.futures.isEmpty, case .opened(let descriptor) = opener.open(file, of: snapshot.listing) {
            made.addMasters(descriptor, size: snapshot.listing.files[file].size)
        }
        if made.isTooLarge {
            tell(
                FileProblem(
                    "it changes more than \(CalendarIndex.overrideLimit) single times or \(CalendarIndex.futureLimit) "
                        + "times of one series with those after them, or defines more than "
                        + "\(CalendarIndex.zoneLimit) time zones; the rest was not heeded", partial: true))
        }
        index = made
        return made
    }

    private func tell(_ problem: FileProblem) {
        snapshot.table.context.onSkip(snapshot.listing.path(nextFile - 1), problem)
    }
}

extension Diagnostic {
    static func calendarTooBusy(_ path: String, _ limit: Int) -> Diagnostic {
        Diagnostic(
            .tooManyRepeats, "the calendar '\(path)' repeats its events too often to be read",
            notes: ["its rules took more than \(limit) steps"],
            help: "`escrow source check` tells which events; mend the file, or take it out of the source")
    }
}
