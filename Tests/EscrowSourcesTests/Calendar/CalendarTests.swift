import EscrowDiagnostics
import EscrowSchema
import EscrowTabular
import Glibc
import Testing

@testable import EscrowFormats
@testable import EscrowPeople
@testable import EscrowTableKit

/// A calendar table whose machine lives in UTC, in March 2026.
func calendar(
    _ path: String, _ kind: CalendarComponent.Kind = .event, log: ProblemLog = ProblemLog(),
    zone: LocalZone = .fixed(0),
    stepLimit: Int = 20_000_000
) -> Table {
    let context = SourceContext(CalendarAdapter(), roots: [path]) { log.add($0, $1) }
    return Table(
        CalendarTable(
            kind: kind, context: context, zone: zone, now: Timestamp(year: 2026, month: 3, day: 1)!,
            stepLimit: stepLimit))
}

@Suite("Calendars")
struct CalendarTests {
    static let year = Repository.root + "/Tests/Vectors/calendar/year.ics"

    /// A calendar of one event with the given lines.
    private func event(_ lines: String, in folder: Folder, name: String = "a.ics") -> String {
        folder.write(
            name, "BEGIN:VCALENDAR\nVERSION:2.0\nBEGIN:VEVENT\nUID:u\n\(lines)\nEND:VEVENT\nEND:VCALENDAR\n")
    }

    private func starts(_ lines: String, zone: LocalZone = .fixed(0)) throws -> [String] {
        let folder = try Folder()
        return try calendar(event(lines, in: folder), zone: zone).rows("startDate").map { row in
            guard case .text(let text) = row[0] else { return "" }
            return String(text.prefix(16))
        }
    }

    @Test("an event is a row with all that it says, and nothing of its alarm")
    func event() throws {
        let log = ProblemLog()
        let rows = try calendar(Self.year, log: log).rows()
        #expect(log.reasons == [])
        #expect(
            rows.first == [
                "single", "Ada, private", "Dentist; bring the card, please", "2026-03-02T08:00:00.000Z",
                "2026-03-02T09:30:00.000Z", 0, "2026-03-02", "Europe/Oslo", "Storgata 1\nOslo",
                "Line one\nLine two", nil, "confirmed", "busy", "public", "jane@example.org", 2,
                "HEALTH,BODY",
                0, nil, "2026-01-01T12:00:00.000Z", "2026-01-02T12:00:00.000Z", "year.ics",
            ])
    }

    @Test("whole days begin at the machine's midnight and end with the day named as their end")
    func allDay() throws {
        let rows = try calendar(Self.year, zone: .fixed(3_600)).rows(
            "id", "startDate", "endDate", "isAllDay", "startDay", "timeZone", "availability", "privacy")
        #expect(
            rows.first { $0[0] == "holiday" } == [
                "holiday", "2026-07-09T23:00:00.000Z", "2026-07-24T23:00:00.000Z", 1, "2026-07-10", nil,
                "free",
                "private",
            ])
    }

    @Test(
        "a series keeps its time on the wall, leaves out what was taken out, and one that moved stands alone")
    func series() throws {
        let rows = try calendar(Self.year).rows("id", "title", "startDate", "endDate", "occurrenceDate")
            .filter { $0[0] == "standup" }
        #expect(
            rows.map { $0[2] } == [
                "2026-03-05T14:15:00.000Z", "2026-03-09T13:15:00.000Z", "2026-03-12T13:15:00.000Z",
                "2026-03-23T13:15:00.000Z", "2026-03-26T13:15:00.000Z", "2026-03-30T13:15:00.000Z",
                "2026-04-02T13:15:00.000Z", "2026-03-19T18:00:00.000Z",
            ])
        #expect(
            rows.last == [
                "standup", "Stand-up, moved", "2026-03-19T18:00:00.000Z", "2026-03-19T18:30:00.000Z",
                "2026-03-19T13:15:00.000Z",
            ])
        #expect(rows[0][4] == rows[0][2])
    }

    /// A daily series that was moved from its third day on, and again from its sixth on.
    private static let moved = Repository.root + "/Tests/Vectors/calendar/moved.ics"

    @Test("an occurrence that changes those after it moves them, up to the next one of its kind")
    func thisAndFuture() throws {
        let folder = try Folder()
        let log = ProblemLog()
        let table = calendar(Self.moved, log: log)
        let rows = try table.rows("startDate", "endDate", "title", "occurrenceDate")
        func at(_ day: Int, _ time: String) -> Cell {
            let (month, day) = day > 31 ? ("04", day - 31) : ("03", day)
            return .text("2026-\(month)-\(day < 10 ? "0" : "")\(day)T\(time):00.000Z")
        }
        // Clocks go forward in the night to the 29th.
        #expect(
            rows == [
                [at(28, "09:30"), at(28, "10:00"), "Later", at(28, "08:00")],
                [at(29, "08:30"), at(29, "09:00"), "Later", at(29, "07:00")],
                [at(26, "08:00"), at(26, "09:00"), "Early", at(26, "08:00")],
                [at(27, "08:00"), at(27, "09:00"), "Early", at(27, "08:00")],
                [at(32, "18:00"), at(32, "19:00"), "Once", at(32, "07:00")],
                [at(30, "06:00"), at(30, "07:00"), "A day before", at(31, "07:00")],
                [at(32, "06:00"), at(32, "07:00"), "A day before", at(33, "07:00")],
            ])
        #expect(log.reasons == [])
        #expect(Set(try table.ids()).count == rows.count)
        let early = Predicate(column: table.column("startDate"), operation: .less, values: ["2026-03-29"])
        #expect(try table.ids(where: [early]) == [0, 2, 3].map { try table.ids()[$0] })
    }

    @Test("rules with positions, leap days, zones of the file's own, and dates besides")
    func rules() throws {
        let rows = try calendar(Self.year).rows("id", "startDay", "startDate", "endDate")
        func days(_ id: Cell) -> [Cell] { rows.filter { $0[0] == id }.map { $0[1] } }
        #expect(
            days("payday") == [
                "2026-01-30", "2026-02-27", "2026-03-31", "2026-04-30", "2026-05-29", "2026-06-30",
            ])
        #expect(days("leap") == ["2024-02-29", "2028-02-29", "2032-02-29"])
        #expect(
            rows.filter { $0[0] == "moon" }.map { [$0[2], $0[3]] } == [
                // Four hours by the clock: the night lost one.
                ["2026-03-28T22:30:00.000Z", "2026-03-29T02:30:00.000Z"],
                ["2026-04-01T10:00:00.000Z", "2026-04-01T14:00:00.000Z"],
                ["2026-04-04T21:30:00.000Z", "2026-04-05T01:30:00.000Z"],
                ["2026-04-11T21:30:00.000Z", "2026-04-12T01:30:00.000Z"],
            ])
    }

    @Test(
        "habits of programs: what they write is read as they mean it",
        arguments: [
            ("DTSTART:20260301T100000Z\nDTEND:20260301T090000Z", ["2026-03-01T09:00"]),
            ("DTSTART:20260301T100000Z\nRRULE:", ["2026-03-01T10:00"]),
            (
                "DTSTART:20260301T100000Z\nRRULE:FREQ=DAILY;UNTIL=20260302T235959Z;COUNT=-1",
                ["2026-03-01T10:00", "2026-03-02T10:00"]
            ),
            ("DTSTART:20260301T100000Z\nRRULE:FREQ=DAILY;UNTIL=20260228T000000Z", []),
            ("DTSTART\n\n :20260301T100000Z", ["2026-03-01T10:00"]),
            (
                "DTSTART;VALUE=DATE:20260301\nRRULE:FREQ=DAILY;COUNT=2\nEXDATE;TZID=Europe/Oslo:20260301T000000",
                ["2026-03-02T00:00"]
            ),
            (
                "DTSTART:20260301T100000Z\nRRULE:FREQ=DAILY;COUNT=2\nEND:VEVENT\nBEGIN:VEVENT\n"
                    + "UID:u\nSEQUENCE:1\nDTSTART:20260301T110000Z\nRRULE:FREQ=DAILY;COUNT=1",
                ["2026-03-01T11:00"]
            ),
        ])
    func habits(_ lines: String, _ expected: [String]) throws {
        #expect(try starts(lines) == expected)
    }

    @Test("a time without a zone is in the calendar's own, if it names one")
    func calendarZone() throws {
        let folder = try Folder()
        let path = folder.write(
            "a.ics",
            """
            BEGIN:VCALENDAR
            X-WR-TIMEZONE:Europe/Oslo
            BEGIN:VEVENT
            DTSTART:20260301T100000
            END:VEVENT
            BEGIN:VEVENT
            DTSTART;VALUE=DATE:20260302
            DTEND:20260303T040000
            END:VEVENT
            END:VCALENDAR
            """)
        #expect(
            try calendar(path).rows("startDate", "endDate") == [
                ["2026-03-01T09:00:00.000Z", "2026-03-01T09:00:00.000Z"],
                ["2026-03-02T00:00:00.000Z", "2026-03-03T03:00:00.000Z"],
            ])
    }

    @Test(
        "a time in a zone that nobody knows is one without a zone, and told without its name",
        arguments: ["Secret/Place", "../../etc/passwd", "Western/Central Europe"])
    func unknownZone(_ name: String) throws {
        let folder = try Folder()
        let log = ProblemLog()
        let event = "BEGIN:VEVENT\nDTSTART;TZID=\(name):20260701T120000\nEND:VEVENT\nEND:VCALENDAR\n"
        let reason = "a time in a time zone that is not known was read as a time without a zone"
        let path = folder.write("a.ics", "BEGIN:VCALENDAR\n" + event)
        let rows = try calendar(path, log: log, zone: .fixed(7_200)).rows("startDate")
        #expect(rows == [["2026-07-01T10:00:00.000Z"]])
        #expect(log.reasons == ["line 2: " + reason])
        let own = folder.write("b.ics", "BEGIN:VCALENDAR\nX-WR-TIMEZONE:Asia/Tokyo\n" + event)
        #expect(try calendar(own).rows("startDate") == [["2026-07-01T03:00:00.000Z"]])
    }

    @Test("the names that Windows gives to zones are those of the Unicode CLDR, and the machine has them all")
    func windowsZones() throws {
        #expect(
            try starts("DTSTART;TZID=\"W. Europe Standard Time\":20260701T120000") == ["2026-07-01T10:00"])
        #expect(WindowsZones.places.count == 139)
        for (name, place) in WindowsZones.places where ZoneFile.load(place) == nil {
            Issue.record("\(name): \(place)")
        }
        let script = """
            from icalendar.timezone.windows_to_olson import WINDOWS_TO_OLSON as w
            print('\\n'.join(f'{k}\\t{v}' for k, v in w.items()))
            """
        guard let told = Python.run("-c \"\(script)\"", needs: "icalendar") else { return }
        let theirs = told.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
        #expect(theirs.count >= 139)
        // Unicode adds names and renames places; none that is here may be gone.
        let others = Dictionary(theirs.map { ($0[0], $0[1]) }, uniquingKeysWith: { first, _ in first })
        #expect(WindowsZones.places.keys.filter { others[$0] == nil } == [])
    }

    /// An event of number `u` with the given lines.
    private func revision(_ sequence: Int, _ lines: String) -> String {
        "BEGIN:VEVENT\nUID:u\nSEQUENCE:\(sequence)\n\(lines)\nEND:VEVENT\n"
    }

    @Test("a later revision stands for the one before it, wherever it stands in the file")
    func revisions() throws {
        let folder = try Folder()
        func days(_ revisions: [String]) throws -> [Cell] {
            let orders = try [revisions, revisions.reversed()].map { order in
                let path = folder.write("a.ics", "BEGIN:VCALENDAR\n\(order.joined())END:VCALENDAR\n")
                return try calendar(path).rows("startDay").map { $0[0] }.sorted { "\($0)" < "\($1)" }
            }
            #expect(orders[0] == orders[1])
            return orders[0]
        }
        let once = (1...3).map { "DTSTART;VALUE=DATE:2026030\($0)" }
        #expect(
            try days([revision(0, once[0]), revision(2, once[1]), revision(1, once[2])]) == ["2026-03-02"])
        // Some programs give all their events one number.
        #expect(try days(once.map { revision(1, $0) }).count == 3)
        let weekly = "DTSTART;VALUE=DATE:20260302\nRRULE:FREQ=WEEKLY;COUNT=3"
        let moved = "DTSTART;VALUE=DATE:20260310\nRECURRENCE-ID;VALUE=DATE:20260309"
        let asMoved: [Cell] = ["2026-03-02", "2026-03-10", "2026-03-16"]
        #expect(try days([revision(1, weekly), revision(1, moved)]) == asMoved)
        // A later revision that still has the time keeps the change; one that has it no longer takes it out.
        #expect(try days([revision(2, weekly), revision(1, moved)]) == asMoved)
        #expect(
            try days([revision(2, weekly + "\nEXDATE;VALUE=DATE:20260309"), revision(1, moved)])
                == ["2026-03-02", "2026-03-16"])
        let shorter = "DTSTART;VALUE=DATE:20260302\nRRULE:FREQ=WEEKLY;COUNT=1"
        #expect(try days([revision(2, shorter), revision(1, moved)]) == ["2026-03-02"])
        #expect(try days([revision(1, shorter), revision(2, moved)]) == ["2026-03-02", "2026-03-10"])
        // The series became one event.
        #expect(
            try days([revision(1, weekly), revision(2, once[0]), revision(1, moved)]) == ["2026-03-01"])
    }

    @Test("reminders are rows of their own table, once each")
    func reminders() throws {
        let rows = try calendar(Self.year, .reminder).rows(
            "id", "title", "startDate", "dueDate", "isCompleted", "completionDate", "percentComplete",
            "priority",
            "status", "isRecurring")
        #expect(
            rows == [
                ["taxes", "Taxes", nil, "2026-04-30T00:00:00.000Z", 0, nil, 20, 1, "needs-action", 0],
                [
                    "plants", "Water the plants", "2026-03-01T08:00:00.000Z", "2026-03-02T10:00:00.000Z", 1,
                    "2026-03-01T09:00:00.000Z", nil, 0, "completed", 1,
                ],
            ])
    }

    @Test(
        "a rule without end gives times to the end of the tenth year from now, a window fewer, never others")
    func window() throws {
        let folder = try Folder()
        let path = event("DTSTART:20200106T080000Z\nDTEND:20200106T090000Z\nRRULE:FREQ=WEEKLY", in: folder)
        let table = calendar(path)
        let all = try table.rows("startDate")
        #expect(all.first == ["2020-01-06T08:00:00.000Z"])
        #expect(all.last == ["2036-12-29T08:00:00.000Z"])
        #expect(all.count == 887)
        let terms: [(Predicate.Operation, String, String)] = [
            (.less, "startDate", "2026-03-09"), (.lessOrEqual, "endDate", "2026-03-09T09:00:00.000Z"),
            (.equal, "startDate", "2026-03-09T08:00:00.000Z"), (.less, "startDate", "x"),
            (.less, "startDate", "2026"),
            (.greaterOrEqual, "startDate", "2036-01-01"), (.less, "endDate", "2026-13-01"),
        ]
        for (operation, column, value) in terms {
            let term = Predicate(column: table.column(column), operation: operation, values: [.text(value)])
            let some = try table.rows("startDate", "endDate", where: [term])
            let place = column == "startDate" ? 0 : 1
            let expected = try table.rows("startDate", "endDate").filter { row in
                guard case .text(let text) = row[place] else { return false }
                switch operation {
                case .less: return text < value
                case .lessOrEqual: return text <= value
                case .equal: return text == value
                default: return text >= value
                }
            }
            #expect(Set(some).isSuperset(of: expected), "\(operation) \(value)")
            #expect(Set(try table.ids(where: [term])).isSubset(of: try table.ids()), "\(value)")
        }
        #expect(Set(try table.ids()).count == 887)
    }

    @Test("a time that a clock leaves out, or shows twice")
    func clockChanges() throws {
        #expect(try starts("DTSTART;TZID=Europe/Oslo:20260329T023000") == ["2026-03-29T01:30"])
        #expect(try starts("DTSTART;TZID=Europe/Oslo:20261025T023000") == ["2026-10-25T00:30"])
        // Beyond the table of the zone's file, by its rule.
        #expect(try starts("DTSTART;TZID=Europe/Oslo:20600701T120000") == ["2060-07-01T10:00"])
        #expect(try starts("DTSTART;TZID=Europe/Oslo:20601225T120000") == ["2060-12-25T11:00"])
        #expect(try starts("DTSTART;TZID=Australia/Sydney:20600101T120000") == ["2060-01-01T01:00"])
        #expect(
            try starts("DTSTART;TZID=\"/mozilla.org/20070129_1/Europe/Oslo\":20260701T120000") == [
                "2026-07-01T10:00"
            ])
        #expect(try starts("DTSTART:20260701T120000", zone: .fixed(7_200)) == ["2026-07-01T10:00"])
    }

    @Test(
        "what cannot be read is left out and told without a word of it",
        arguments: [
            ("SUMMARY:secret", "an event without a start was left out"),
            ("DTSTART:20260230T000000", "an event with a time that cannot be read was left out"),
            ("DTSTART:secret", "an event with a time that cannot be read was left out"),
            (
                "DTSTART:20260301T000000\nRRULE:FREQ=DAILY;BYEASTER=1",
                "an event with a rule of repetition that cannot be read was left out"
            ),
            (
                "DTSTART:20260301T000000\nRRULE:FREQ=WEEKLY;BYDAY=2MO",
                "an event with a rule of repetition that cannot be read was left out"
            ),
            ("DTSTART:20260301\nRDATE:secret", "an event with a time that cannot be read was left out"),
        ])
    func faults(_ lines: String, _ reason: String) throws {
        let folder = try Folder()
        let log = ProblemLog()
        let path = folder.write(
            "a.ics",
            "BEGIN:VCALENDAR\nBEGIN:VEVENT\n\(lines)\nEND:VEVENT\nBEGIN:VEVENT\nUID:b\nDTSTART:20260301T000000Z\n"
                + "END:VEVENT\nEND:VCALENDAR\n")
        #expect(try calendar(path, log: log).rows("id") == [["b"]])
        #expect(log.reasons == ["line 2: " + reason])
    }

    @Test("a rule that never gives a time comes to an end, and many of them are an error")
    func endless() throws {
        let folder = try Folder()
        let log = ProblemLog()
        let never = "DTSTART:20260101T000000Z\nRRULE:FREQ=SECONDLY;BYMONTH=1;BYMINUTE=1;BYSECOND=1;BYHOUR=1"
        #expect(try calendar(event(never, in: folder), log: log).rows("id").count <= 5_000)
        let often = "DTSTART:20260101T000000Z\nRRULE:FREQ=SECONDLY;INTERVAL=60;BYSECOND=1"
        #expect(try calendar(event(often, in: folder), log: log).rows("id").count == 1)
        #expect(
            log.reasons.last
                == "line 3: an event repeats more often than can be told; the later times were left out")
        let one = "BEGIN:VEVENT\nUID:u\n\(often)\nEND:VEVENT\n"
        let path = folder.write(
            "b.ics", "BEGIN:VCALENDAR\n" + String(repeating: one, count: 3) + "END:VCALENDAR\n")
        let error = #expect(throws: Diagnostic.self) { try calendar(path, stepLimit: 500_000).rows("id") }
        #expect(
            error?.description == """
                error[E0820]: the calendar '\(path)' repeats its events too often to be read
                note: its rules and what was changed in them took more than 500000 steps
                help: `escrow source check` tells which events; mend the file, or take it out of the source
                """)
    }

    @Test("damaged files: what stands before the damage is served")
    func damaged() throws {
        let folder = try Folder()
        let whole = "BEGIN:VEVENT\nUID:a\nDTSTART:20260301T000000Z\nEND:VEVENT\n"
        let files: [(String, Int, [String])] = [
            (
                "BEGIN:VCALENDAR\n" + whole + "BEGIN:VEVENT\nUID:b\nDTSTART:2026", 1,
                ["line 6: an event that does not end"]
            ),
            ("BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:b\n" + whole, 1, ["line 2: an event that does not end"]),
            ("nothing", 0, ["it holds no calendar"]),
            (
                "BEGIN:VCALENDAR\nVERSION:1.0\n" + whole, 0,
                ["vCalendar 1.0 is not read; export it as iCalendar 2.0"]
            ),
            (
                "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20260301\nSUMMARY:"
                    + String(repeating: "x", count: 1 << 20)
                    + "\nEND:VEVENT\n", 1, ["line 4: a property of more than 1048576 bytes was left out"]
            ),
            ("\u{FEFF}BEGIN:VCALENDAR\r\n" + whole, 1, []),
        ]
        for (text, ids, reasons) in files {
            let log = ProblemLog()
            #expect(try calendar(folder.write("a.ics", text), log: log).rows("id").count == ids)
            #expect(log.reasons == reasons)
        }
    }

    @Test("memory does not depend on the length of a line or the number of events")
    func memory() throws {
        let folder = try Folder()
        var text = "BEGIN:VCALENDAR\n"
        for index in 0..<20_000 {
            text += "BEGIN:VEVENT\nUID:\(index)\nDTSTART:20260301T000000Z\nEND:VEVENT\n"
        }
        let table = calendar(folder.write("a.ics", text))
        #expect(Set(try table.ids()).count == 20_000)
        #expect(try table.rows("id", chunkRows: 7).last == ["19999"])
    }
}
