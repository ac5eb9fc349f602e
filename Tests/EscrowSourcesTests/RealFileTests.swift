import EscrowSchema
import EscrowTabular
import Glibc
import Testing

@testable import EscrowPeople
@testable import EscrowPlaces

@Suite("Files that others wrote")
struct RealFileTests {
    /// Whole files against `recurring-ical-events`: every time that every event takes place, over thirty years.
    @Test("icalendar's own calendars have the events that recurring-ical-events finds in them")
    func calendars() throws {
        guard let others = RealFiles.paths(of: "icalendar", ".ics") else { return }
        let folder = try Folder()
        let paths = others + [folder.write("moved.ics", CalendarTests.moved)]
        guard let told = try peer("recurring_ical_events", Self.calendarOracle, paths) else { return }
        var same = 0
        for path in paths {
            guard let times = told[path[...]] else { continue }
            let log = ProblemLog()
            let rows = try calendar(path, log: log).rows("id", "startDate", "endDate")
            let own = rows.compactMap { row -> String? in
                guard case .text(let id) = row[0], case .text(let start) = row[1],
                    case .text(let end) = row[2],
                    start >= "1995", start < "2027"
                else { return nil }
                // Our name for an event without a UID.
                let isNamed = id.utf8.count != 32 || id.contains { !$0.isHexDigit }
                return "\(isNamed ? id : "None")|\(start.prefix(19))|\(end.prefix(19))"
            }
            if log.problems.isEmpty {
                #expect(own.sorted() == times.sorted(), "\(path)")
                same += 1
            } else {
                // What is left out is told: a zone that nobody knows, a start that cannot be read.
                #expect(Set(own).isSubset(of: times), "\(path)")
            }
        }
        #expect(same >= 70)
    }

    /// Prints `path|uid|start|end` in UTC; a file with an event that the peer cannot read is left out.
    private static let calendarOracle = """
        import sys, datetime, icalendar, recurring_ical_events
        def moment(value):
            if not isinstance(value, datetime.datetime):
                value = datetime.datetime(value.year, value.month, value.day)
            if value.tzinfo is None: value = value.replace(tzinfo=datetime.timezone.utc)
            return value.astimezone(datetime.timezone.utc).strftime('%Y-%m-%dT%H:%M:%S')
        for path in open(sys.argv[1]).read().split('\\n'):
            try:
                lines = []
                for calendar in icalendar.Calendar.from_ical(open(path, 'rb').read(), multiple=True):
                    if calendar.name != 'VCALENDAR': raise ValueError()
                    for event in recurring_ical_events.of(calendar).between((1995, 1, 1), (2027, 1, 1)):
                        if moment(event.start) < '1995': continue
                        lines.append(f"{event.get('UID')}|{moment(event.start)}|{moment(event.end)}")
            except Exception: continue
            print('\\n'.join(f'{path}|{line}' for line in lines or ['']))
        """

    @Test("gpxpy's own tracks have the points that gpxpy finds in them")
    func tracks() throws {
        guard let paths = RealFiles.paths(of: "gpxpy", ".gpx"),
            let told = try peer("gpxpy", Self.trackOracle, paths)
        else { return }
        var points = 0
        for path in paths {
            guard let lines = told[path[...]] else { continue }
            let rows = try Table("Location", .location, path).rows(
                "kind", "latitude", "longitude", "altitude", "timestamp")
            let own = rows.map { row in row.map(Self.word).joined(separator: "|") }
            // Spelled by Swift, as ours are, and zero without a sign.
            let others = lines.map { line in
                line.split(separator: "|", omittingEmptySubsequences: false).map { word in
                    Double(word).map { "\($0 + 0)" } ?? String(word)
                }.joined(separator: "|")
            }
            #expect(own.sorted() == others.sorted(), "\(path)")
            points += own.count
        }
        #expect(points > 2_000)
    }

    @Test("khard's own cards have the names, numbers and addresses that vobject finds in them")
    func cards() throws {
        guard let paths = RealFiles.paths(of: "khard", ".vcf"),
            let told = try peer("vobject", Self.cardOracle, paths)
        else { return }
        var cards = 0
        for path in paths {
            guard let lines = told[path[...]] else { continue }
            let own = try cardLines(path)
            #expect(own.sorted() == lines.sorted(), "\(path)")
            cards += own.count { $0.hasPrefix("n|") }
        }
        #expect(cards >= 15)
    }

    /// What is told of a card: its name, each number, each address, as the oracle prints them.
    private func cardLines(_ path: String) throws -> [String] {
        let names = try Table("Contacts", .contacts, path).rows("familyName", "givenName")
        let numbers = try Table("ContactPhoneNumbers", .contacts, path).rows("phoneNumber")
        let addresses = try Table("ContactEmailAddresses", .contacts, path).rows("emailAddress")
        return names.map { "n|" + $0.map(Self.word).joined(separator: "|") }
            + numbers.map { "tel|" + Self.word($0[0]) } + addresses.map { "email|" + Self.word($0[0]) }
    }

    /// Evolution's own tests of its migrations hold an address book of each version from 3.2 on.
    @Test("Evolution's own address books have the cards that sqlite3 and vobject find in them")
    func books() throws {
        guard let paths = RealFiles.paths(of: "evolution", "contacts.db"),
            let told = try peer("vobject", Self.bookOracle, paths)
        else { return }
        var cards = 0
        for path in paths {
            let lines = try #require(told[path[...]], "\(path)")
            #expect(try cardLines(path).sorted() == lines.sorted(), "\(path)")
            cards += lines.count { $0.hasPrefix("n|") }
            // Before 3.8 the cards lay in a file of Berkeley DB, and the database told of them only.
            let log = ProblemLog()
            _ = try Table("Contacts", .contacts, path, log: log).rows("id")
            #expect(log.reasons == (lines.isEmpty ? ["20 cards without a vCard"] : []), "\(path)")
        }
        #expect(paths.count >= 7 && cards >= 80)
    }

    private static func word(_ cell: Cell) -> String {
        switch cell {
        case .text(let text): text
        case .real(let value): "\(value)"
        case .integer(let value): "\(value)"
        default: ""
        }
    }

    /// What a peer prints of each file that it can read: `path|…`.
    private func peer(_ package: String, _ script: String, _ paths: [String]) throws -> [Substring: [String]]?
    {
        let folder = try Folder()
        let list = folder.write("list", paths.joined(separator: "\n"))
        let path = folder.write("oracle.py", script)
        guard let text = Python.run("'\(path)' '\(list)'", needs: package) else { return nil }
        var told: [Substring: [String]] = [:]
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
            told[parts[0], default: []] += parts[1].isEmpty ? [] : [String(parts[1])]
        }
        return told
    }

    /// Prints `path|kind|latitude|longitude|altitude|time`.
    private static let trackOracle = """
        import sys, datetime, gpxpy
        def show(kind, point):
            time = point.time
            if time is not None:
                if time.tzinfo is None: time = time.replace(tzinfo=datetime.timezone.utc)
                time = time.astimezone(datetime.timezone.utc)
                time = time.strftime('%Y-%m-%dT%H:%M:%S.') + f'{time.microsecond // 1000:03d}Z'
            height = '' if point.elevation is None else float(point.elevation)
            return f"{kind}|{float(point.latitude)}|{float(point.longitude)}|{height}|{time or ''}"
        for path in open(sys.argv[1]).read().split('\\n'):
            try:
                gpx = gpxpy.parse(open(path, 'rb'))
                lines = [show('waypoint', p) for p in gpx.waypoints]
                lines += [show('route', p) for r in gpx.routes for p in r.points]
                lines += [show('track', p) for t in gpx.tracks for s in t.segments for p in s.points]
            except Exception: continue
            print('\\n'.join(f'{path}|{line}' for line in lines or ['']))
        """

    /// The same of the cards in a database of Evolution.
    private static let bookOracle =
        "import sqlite3\ndef card_text(path):\n"
        + "    rows = sqlite3.connect(f'file:{path}?mode=ro', uri=True).execute('SELECT vcard FROM folder_id')\n"
        + "    return '\\n'.join(row[0].replace('\\r\\n', '\\n') for row in rows if row[0])\n"
        + cardOracle.replacing("open(path, encoding='utf-8').read()", with: "card_text(path)")

    /// Prints `path|n|family|given`, `path|tel|number` and `path|email|address`.
    private static let cardOracle = """
        import sys, vobject
        def text(value): return ' '.join(value) if isinstance(value, list) else value
        for path in open(sys.argv[1]).read().split('\\n'):
            try:
                lines = []
                for card in vobject.readComponents(open(path, encoding='utf-8').read()):
                    n = card.n.value if hasattr(card, 'n') else None
                    lines.append(f"n|{text(n.family).strip() if n else ''}|{text(n.given).strip() if n else ''}")
                    for item in card.contents.get('tel', []): lines.append('tel|' + item.value.removeprefix('tel:'))
                    for item in card.contents.get('email', []): lines.append('email|' + item.value)
            except Exception: continue
            print('\\n'.join(f'{path}|{line}' for line in lines or ['']))
        """
}
