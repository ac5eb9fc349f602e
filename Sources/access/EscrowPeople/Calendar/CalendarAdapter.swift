internal import EscrowFormats
internal import EscrowSchema
internal import EscrowSourceFiles
internal import EscrowTableKit

extension SourceKind {
    /// Calendars and task lists: an iCalendar file, or a folder of them.
    static let calendar = SourceKind(word: "calendar")
}

/// Events and reminders in iCalendar files.
struct CalendarAdapter: SourceAdapter {
    let kind = SourceKind.calendar
    let accepts = "an iCalendar file, a zip archive with some, or a folder of them"
    let nothingFound = "no file .ics"
    let typicalRows = 2_000
    let archiveEndings: Set = ["zip"]
    let specs = [CalendarSpec.events, CalendarSpec.reminders]

    func classify(_ file: FileCandidate) -> UInt8? {
        file.isRoot || ["ics", "ical", "icalendar"].contains(file.ending) ? 0 : nil
    }

    func refusal(_ head: ArraySlice<UInt8>, of file: FileCandidate) -> String? {
        let begins = head.indices.contains { head[$0...].prefix(15).equalsIgnoringCase("BEGIN:VCALENDAR") }
        return begins ? nil : "no line in its first 64 KiB begins a calendar"
    }

    func tables(_ context: SourceContext) -> [any TableSource] {
        [
            CalendarTable(kind: .event, context: context), CalendarTable(kind: .reminder, context: context),
        ]
    }
}
