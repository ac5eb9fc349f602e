import EscrowDiagnostics
import Testing

@testable import EscrowPeople

@Suite("Changed occurrences")
struct CalendarChangesTests {
    private func event(_ lines: String...) -> String {
        "BEGIN:VEVENT\n" + lines.map { $0 + "\n" }.joined() + "END:VEVENT\n"
    }

    /// Changes of the series `u`, a minute apart.
    private func changes(_ count: Int) -> String {
        (0..<count).map { number in
            let time = "19900101T\(10 + number / 60 % 10)\(10 + number % 60 % 50)\(10 + number / 600)"
            return event("UID:u", "RECURRENCE-ID:" + time, "DTSTART:" + time)
        }.joined()
    }

    @Test("each series of a number that many changes have costs as much as there are changes")
    func manySeries() throws {
        let folder = try Folder()
        let series = event("UID:u", "DTSTART:19900102T000000", "RRULE:FREQ=DAILY;COUNT=1")
        func path(_ count: Int) -> String {
            folder.write(
                "a.ics",
                "BEGIN:VCALENDAR\n" + changes(500) + String(repeating: series, count: count)
                    + "END:VCALENDAR\n")
        }
        #expect(try calendar(path(2), stepLimit: 100_000).rows("id").count > 2)
        #expect(throws: Diagnostic(.tooManyRepeats, "")) {
            try calendar(path(50), stepLimit: 100_000).rows("id")
        }
    }

    @Test("what later revisions took out is looked for within a bound; beyond, it is told as it stands")
    func manyRevisions() throws {
        let folder = try Folder()
        let series = event("UID:u", "SEQUENCE:1", "DTSTART:19900102T000000", "RRULE:FREQ=DAILY;COUNT=1")
        let other =
            event("UID:v", "RECURRENCE-ID:19900105T000000", "DTSTART:19900106T000000")
            + event("UID:v", "SEQUENCE:1", "DTSTART:19900102T000000", "RRULE:FREQ=DAILY;COUNT=1")
        func count(_ series: String) throws -> Int {
            let text = "BEGIN:VCALENDAR\n" + changes(2_000) + series + other + "END:VCALENDAR\n"
            return try calendar(folder.write("a.ics", text)).rows("id").count { $0 == ["v"] }
        }
        #expect(try count(series) == 1)
        #expect(try count(String(repeating: series, count: 150)) == 2)
    }
}
