internal import EscrowDiagnostics
internal import EscrowFormats
internal import EscrowSchema
internal import EscrowSourceFiles
internal import EscrowTableKit
internal import EscrowTabular

/// `CalendarEvents` or `Reminders`, served from iCalendar files.
struct CalendarTable: TableSource {
    let kind: CalendarComponent.Kind
    let context: SourceContext
    /// The zone of times that name none.
    var zone = LocalZone.machine
    /// The time now, from which it follows how far ahead rules are unrolled.
    var now = Timestamp.currentTime
    /// The most steps of rules in one scan, a second's worth or so: a file can hold many rules that never give a time.
    var stepLimit = 20_000_000

    /// Rules are unrolled to the end of the tenth year after this one.
    static let yearsAhead = 10

    var spec: TableSpec { kind == .reminder ? CalendarSpec.reminders : CalendarSpec.events }

    /// Terms spare the building of rows, and an upper bound on when an event begins or ends spares the unrolling of rules
    /// beyond it. Rows come in the order of the files only.
    func offer(for request: ScanRequest) -> ScanOffer {
        context.offerInFileOrder(request, spec: spec)
    }

    func snapshot(assets: AssetTable) throws(Diagnostic) -> any TableSnapshot {
        CalendarSnapshot(self, ListedFiles(try context.list(bytesPerRow: 100), context, assets))
    }

    /// The first day on which rules give no more times.
    var horizon: Int { CivilTime.day(min(now.civil.year + Self.yearsAhead + 1, 9_999), 1, 1) - 1 }
}

/// The calendar files as they stood when a statement began.
private final class CalendarSnapshot: TableSnapshot {
    private let table: CalendarTable
    private let files: ListedFiles

    init(_ table: CalendarTable, _ files: ListedFiles) {
        self.table = table
        self.files = files
    }

    func scan(_ request: ScanRequest) throws(Diagnostic) -> any TableScan {
        let rows = CalendarRows(request, files, of: table)
        return FileScan(request, table.spec, files, CalendarSpec.listed(table.kind), rows: rows)
    }
}

/// The last moment that the terms of a query leave open for an event to begin.
struct CalendarWindow {
    /// Seconds since 1970; an event that begins later meets no term.
    private(set) var latest = Int.max

    init(_ filter: RowFilter) {
        for term in filter.terms
        where term.column == CalendarSpec.Event.startDate.rawValue
            || term.column == CalendarSpec.Event.endDate.rawValue
        {
            switch term.operation {
            case .less, .lessOrEqual, .equal, .is: bound(term.values)
            case .in: bound(term.values)
            default: break
            }
        }
    }

    /// No later than the largest of some texts. An event does not end before it begins, so a bound on its end is one on its
    /// start.
    private mutating func bound(_ values: [Cell]) {
        var largest = Int.min
        for value in values {
            guard case .text(let text) = value else { continue }
            // The date in front says enough: what begins two days after it is greater than the text, whatever follows.
            let bytes = Array(text.utf8)
            guard bytes.count >= 10, bytes[4] == 0x2D, bytes[7] == 0x2D, let year = bytes[..<4].decimal,
                let month = bytes[5..<7].decimal, let day = bytes[8..<10].decimal, (1...12).contains(month),
                (1...31).contains(day)
            else { return }
            largest = max(largest, (CivilTime.day(year, month, 1) + day + 1) * 86_400)
        }
        if largest > Int.min { latest = min(latest, largest) }
    }
}
