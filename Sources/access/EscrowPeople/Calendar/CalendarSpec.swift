internal import EscrowFormats
internal import EscrowSchema
internal import EscrowTableKit
internal import EscrowTabular

/// The tables that calendars serve.
enum CalendarSpec {
    /// The positions of the columns of `CalendarEvents`.
    enum Event: Int, CaseIterable {
        case id, calendarName, title, startDate, endDate, isAllDay, startDay, timeZone, location, notes, url
        case status, availability, privacy, organizer, attendeeCount, categories, isRecurring
        case occurrenceDate, creationDate, lastModifiedDate, filename
    }

    /// The positions of the columns of `Reminders`.
    enum Reminder: Int, CaseIterable {
        case id, calendarName, title, notes, startDate, dueDate, isCompleted, completionDate, percentComplete
        case priority, status, location, url, categories, isRecurring, creationDate, lastModifiedDate,
            filename
    }

    static func listed(_ kind: CalendarComponent.Kind) -> ListedColumns {
        kind == .event ? .init([Event.filename: .filename]) : .init([Reminder.filename: .filename])
    }

    static let events = TableSpec(
        name: "CalendarEvents", sourceKind: "calendar",
        summary: "One row is one time that an event takes place; an event that repeats has a row for each.",
        columns: [
            ColumnSpec(
                "id", .text, nullable: false,
                "The event's UID, the same for all its rows; without one, a name made of its place in the file."
            ),
            ColumnSpec("calendarName", .text, "The calendar's own name, if its file says."),
            ColumnSpec("title", .text, "What it is about."),
            ColumnSpec(
                "startDate", .timestamp, nullable: false,
                "When it begins; of a whole day, its midnight on this machine's clock."),
            ColumnSpec(
                "endDate", .timestamp, nullable: false, "When it is over; of a whole day, the next midnight."),
            ColumnSpec("isAllDay", .boolean, nullable: false, "Whether it takes whole days."),
            ColumnSpec(
                "startDay", .text, nullable: false,
                "The date on which it begins, in its own time zone, for example `2026-03-01`."),
            ColumnSpec(
                "timeZone", .text,
                "The time zone that it is told in, as the file names it; null for the machine's."),
            ColumnSpec("location", .text, "Where it takes place, in the person's words."),
            ColumnSpec("notes", .text, "The description."),
            ColumnSpec("url", .text, "An address that belongs to it."),
            ColumnSpec("status", .text, "`confirmed`, `tentative` or `cancelled`, if the file says."),
            ColumnSpec("availability", .text, nullable: false, "`busy`, or `free` if it takes up no time."),
            ColumnSpec(
                "privacy", .text, nullable: false,
                "`public`, `private` or `confidential`, as the calendar marks it."),
            ColumnSpec("organizer", .text, "Who invites, mostly a mail address."),
            ColumnSpec("attendeeCount", .integer, nullable: false, "How many are invited."),
            ColumnSpec("categories", .text, "The person's own keywords, with commas between."),
            ColumnSpec("isRecurring", .boolean, nullable: false, "Whether it is one of a series."),
            ColumnSpec(
                "occurrenceDate", .timestamp,
                "When this one of a series was to begin before it was moved or changed; null outside a series."
            ),
            ColumnSpec("creationDate", .timestamp, "When it was entered."),
            ColumnSpec("lastModifiedDate", .timestamp, "When it was last changed."),
            ColumnSpec(
                "filename", .text, nullable: false, cost: .free, "The name of the file that it is from."),
        ],
        examples: [
            "SELECT title, startDate, location FROM CalendarEvents "
                + "WHERE startDate >= '2026-03-01' AND startDate < '2026-03-08' ORDER BY startDate",
            "SELECT count(*) FROM CalendarEvents WHERE isAllDay = 1 AND startDay LIKE '2026-%'",
            "SELECT min(startDate) AS busyFrom, max(endDate) AS busyUntil FROM CalendarEvents "
                + "WHERE availability = 'busy' AND startDay = '2026-03-02'",
        ])

    static let reminders = TableSpec(
        name: "Reminders", sourceKind: "calendar",
        summary: "One row is one reminder or task; one that repeats has a single row.",
        columns: [
            ColumnSpec(
                "id", .text, nullable: false,
                "The task's UID; without one, a name made of its place in the file."),
            ColumnSpec("calendarName", .text, "The list's own name, if its file says."),
            ColumnSpec("title", .text, "What is to be done."),
            ColumnSpec("notes", .text, "The description."),
            ColumnSpec("startDate", .timestamp, "When it can be begun."),
            ColumnSpec("dueDate", .timestamp, "When it is to be done by."),
            ColumnSpec("isCompleted", .boolean, nullable: false, "Whether it is done."),
            ColumnSpec("completionDate", .timestamp, "When it was done."),
            ColumnSpec("percentComplete", .integer, "How much of it is done, 0 to 100."),
            ColumnSpec(
                "priority", .integer, nullable: false, "1 is the highest, 9 the lowest, 0 means none."),
            ColumnSpec(
                "status", .text, "`needs-action`, `in-process`, `completed` or `cancelled`, if the file says."
            ),
            ColumnSpec("location", .text, "Where it is to be done, in the person's words."),
            ColumnSpec("url", .text, "An address that belongs to it."),
            ColumnSpec("categories", .text, "The person's own keywords, with commas between."),
            ColumnSpec("isRecurring", .boolean, nullable: false, "Whether it repeats."),
            ColumnSpec("creationDate", .timestamp, "When it was entered."),
            ColumnSpec("lastModifiedDate", .timestamp, "When it was last changed."),
            ColumnSpec(
                "filename", .text, nullable: false, cost: .free, "The name of the file that it is from."),
        ],
        examples: [
            "SELECT title, dueDate FROM Reminders WHERE isCompleted = 0 ORDER BY dueDate",
            "SELECT count(*) FROM Reminders WHERE isCompleted = 0 AND dueDate < '2026-03-01'",
        ])
}
