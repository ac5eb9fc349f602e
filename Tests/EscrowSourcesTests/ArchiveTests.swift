import EscrowDiagnostics
import EscrowSchema
import EscrowTabular
import Glibc
import Testing

@testable import EscrowMedia
@testable import EscrowPlaces
@testable import EscrowSourceFiles
@testable import EscrowSources
@testable import EscrowTableKit

extension SourceKind {
    fileprivate static let health = SourceKind(rawValue: "health")!
    fileprivate static let exposure = SourceKind(rawValue: "exposure")!
    fileprivate static let calendar = SourceKind(rawValue: "calendar")!
    fileprivate static let contacts = SourceKind(rawValue: "contacts")!
    fileprivate static let mail = SourceKind(rawValue: "mail")!
}

@Suite("Archives, for every kind that reads them")
struct ArchiveTests {
    private static let calendar = """
        BEGIN:VCALENDAR\r
        VERSION:2.0\r
        BEGIN:VEVENT\r
        UID:a@example.org\r
        DTSTART:20260301T120000Z\r
        DTEND:20260301T130000Z\r
        RRULE:FREQ=DAILY;COUNT=3\r
        SUMMARY:Lunch\r
        END:VEVENT\r
        BEGIN:VEVENT\r
        UID:a@example.org\r
        RECURRENCE-ID:20260302T120000Z\r
        DTSTART:20260302T140000Z\r
        SUMMARY:Late lunch\r
        END:VEVENT\r
        END:VCALENDAR\r

        """
    private static let cards = (1...3).map {
        "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:\($0)\r\nFN:Ada \($0)\r\nTEL;TYPE=cell:+47 \($0)\r\nEND:VCARD\r\n"
    }.joined()
    private static let mail = """
        From 1@xxx Sun Mar 01 12:00:00 +0000 2026
        X-GM-THRID: 1
        Message-ID: <1@example.org>
        From: Ada <ada@example.org>
        To: bob@example.org
        Subject: one

        From here on

        From 2@xxx Sun Mar 01 12:00:01 +0000 2026
        Message-ID: <2@example.org>
        From: Bob <bob@example.org>
        Subject: two

        text

        """

    /// What Google writes, as far as it matters here.
    private static let takeout: [(name: String, bytes: [UInt8])] = [
        ("Takeout/archive_browser.html", Array("<html>".utf8)),
        ("Takeout/Calendar/ada@example.org.ics", Array(calendar.utf8)),
        ("Takeout/Calendar/Days off.ics", Array(calendar.replacing("a@ex", with: "b@ex").utf8)),
        ("Takeout/Contacts/All Contacts/All Contacts.vcf", Array(cards.utf8)),
        ("Takeout/Mail/All mail Including Spam and Trash.mbox", Array(mail.utf8)),
        ("Takeout/Location History/Records.json", Array(#"{"locations":[{"latitudeE7":603900000,"#.utf8)),
    ]

    /// Packs files as Python's zipfile does, and unpacks them again below `unpacked`; false, after a word, without Python.
    private static func pack(
        _ files: [(name: String, bytes: [UInt8])], in folder: Folder, as archive: String
    ) -> Bool {
        for (name, bytes) in files {
            var path = ""
            for part in "files/\(name)".split(separator: "/").dropLast() {
                path += path.isEmpty ? "\(part)" : "/\(part)"
                mkdir(folder.path + "/" + path, 0o700)
            }
            folder.write("files/" + name, bytes)
        }
        let script = """
            import os, sys, zipfile
            top = sys.argv[1]
            with zipfile.ZipFile(top + "/" + sys.argv[2], "w", zipfile.ZIP_DEFLATED) as z:
                for folder, names, files in os.walk(top + "/files"):
                    z.write(folder, os.path.relpath(folder, top + "/files") + "/")
                    for name in files:
                        path = folder + "/" + name
                        z.write(path, os.path.relpath(path, top + "/files"))
            with zipfile.ZipFile(top + "/" + sys.argv[2]) as z: z.extractall(top + "/unpacked")
            """
        guard run("python3 -c '\(script)' '\(folder.path)' '\(archive)'") != nil else {
            print("SKIP: python3 is not installed")
            return false
        }
        return true
    }

    @Test(
        "an archive serves what the same files serve when Python has unpacked them",
        arguments: [
            ("CalendarEvents", "calendar", ["calendarName", "title", "startDate", "endDate", "filename"], 6),
            ("Contacts", "contacts", ["givenName", "familyName", "phoneNumber"], 3),
            ("ContactPhoneNumbers", "contacts", ["value", "position"], 3),
            ("Messages", "mail", ["id", "folder", "subject", "size", "timestamp", "fromAddress"], 2),
            ("MessageRecipients", "mail", ["folder", "address"], 1),
        ])
    func takeout(_ name: String, _ kind: String, _ columns: [String], _ count: Int) throws {
        let folder = try Folder()
        guard Self.pack(Self.takeout, in: folder, as: "takeout-20260301T120000Z-001.zip") else { return }
        let known = SourceAdapters[SourceKind(rawValue: kind)!]!.specs.first { $0.name == name }!
        let asked = columns.filter { known.column(named: $0) != nil }
        func rows(_ path: String, _ log: ProblemLog) throws -> [[Cell]] {
            let table = Table(name, SourceKind(rawValue: kind)!, path, log: log)
            let request = ScanRequest(columns: ColumnMask(asked.map { table.column($0) }))
            let scan = try table.source.snapshot(assets: AssetTable()).scan(request)
            let chunk = ColumnChunk(spec: table.source.spec)
            var rows: [[Cell]] = []
            while try scan.next(into: chunk) {
                for row in 0..<chunk.rowCount {
                    rows.append(asked.map { chunk.cell(row: row, column: table.column($0)) })
                }
            }
            return rows
        }
        let log = ProblemLog()
        let packed = try rows(folder.path + "/takeout-20260301T120000Z-001.zip", log)
        #expect(packed == (try rows(folder.path + "/unpacked", ProblemLog())))
        #expect(packed.count == count && log.reasons == [])
    }

    @Test("an archive among the files of a folder is a folder with its name; ids and row ids stay apart")
    func amongFiles() throws {
        let folder = try Folder()
        let archive = ZipMaker.archive([("Takeout/Mail/Sent.mbox", Self.mail, 0)])
        folder.write("mail/a.zip", archive)
        folder.write("mail/b.zip", archive)
        folder.write("mail/c.mbox", Self.mail)
        folder.write("mail/notes.zip", ZipMaker.archive([("notes.txt", "secret", 0)]))
        let log = ProblemLog()
        let table = Table("Messages", .mail, folder.path + "/mail", log: log)
        let rows = try table.rows("folder", "subject")
        #expect(
            rows == [
                ["a.zip/Takeout/Mail/Sent", "one"], ["a.zip/Takeout/Mail/Sent", "two"],
                ["b.zip/Takeout/Mail/Sent", "one"], ["b.zip/Takeout/Mail/Sent", "two"],
                ["c", "one"], ["c", "two"],
            ])
        #expect(Set(try table.ids()).count == 6)
        #expect(log.reasons == [])
    }

    @Test("KMZ, Apple's export.zip and the archives of key servers are read in place")
    func formats() throws {
        let folder = try Folder()
        let kml = """
            <?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document><Placemark><name>Home</name>
            <Point><coordinates>5.32,60.39,12</coordinates></Point></Placemark></Document></kml>
            """
        folder.write("tour.kmz", ZipMaker.archive([("doc.kml", kml, 0), ("files/icon.png", "PNG", 0)]))
        let log = ProblemLog()
        #expect(
            try Table("Location", .location, folder.path + "/tour.kmz", log: log)
                .rows("latitude", "longitude", "altitude", "kind", "trackName", "filename")
                == [[60.39, 5.32, 12.0, "waypoint", "Home", "doc.kml"]])

        let export = try String(decoding: bytes(AppleHealthTests.export), as: UTF8.self)
        let health = folder.write(
            "export.zip",
            ZipMaker.archive([
                ("apple_health_export/export.xml", export, 0),
                ("apple_health_export/export_cda.xml", "<ClinicalDocument/>", 0),
                ("apple_health_export/workout-routes/route_2026-03-01.gpx", ZipMaker.track, 0),
            ]))
        for name in ["HealthSamples", "Workouts"] {
            let columns = name == "Workouts" ? "activity" : "kind"
            let plain = try Table(name, .health, AppleHealthTests.export).rows(columns, "startDate")
            #expect(try Table(name, .health, health, log: log).rows(columns, "startDate") == plain)
            #expect(!plain.isEmpty)
        }
        #expect(
            try Table("Location", .location, health, log: log).rows("latitude", "filename") == [
                [60.5, "route_2026-03-01.gpx"], [60.6, "route_2026-03-01.gpx"],
            ])
        #expect(log.reasons == [])

        let keys = folder.write(
            "keys.zip",
            ZipMaker.archive([
                ZipMaker.Entry(name: "export.bin", stored: ExposureTests.export),
                ZipMaker.Entry(name: "export.sig", stored: [0x0A, 0]),
            ]))
        #expect(
            try Table("KeyTable", .exposure, keys, log: log).rows("data", "origin").map { $0[1] } == [
                "server", "server",
            ])
        #expect(log.reasons == ["1 keys that are not 16 bytes"])
    }

    @Test("music in an archive has the tags and lengths that it has in its folder")
    func music() throws {
        let folder = try Folder()
        let script = """
            import os, sys, zipfile
            with zipfile.ZipFile(sys.argv[2], "w", zipfile.ZIP_DEFLATED) as z:
                for place, _, names in os.walk(sys.argv[1]):
                    for name in names: z.write(place + "/" + name, os.path.relpath(place + "/" + name, sys.argv[1]))
            """
        let (music, path) = (Repository.samples + "/music", folder.path + "/album.zip")
        guard run("python3 -c '\(script)' '\(music)' '\(path)'") != nil else {
            print("SKIP: python3 is not installed")
            return
        }
        let log = ProblemLog()
        func rows(_ path: String) throws -> [String] {
            try Table("Tracks", .music, path, log: log).rows(
                "filename", "title", "artist", "album", "duration", "year", "fileSize", "mimeType"
            ).map { "\($0)" }
        }
        let packed = try rows(path)
        #expect(try packed.sorted() == rows(music).sorted())
        #expect(packed.count > 5 && log.reasons == [])
        let table = Table("Tracks", .music, path)
        guard case .text(let handle) = try table.rows("asset")[0][0] else {
            Issue.record("no handle")
            return
        }
        #expect(table.assets.deliver(handle))
        let raw = table.assets.delivered(handle)?.open() ?? -1
        #expect(raw >= 0)
        close(raw)
    }

    @Test("what is wrong with a member is told under its own path, and the others are served")
    func problems() throws {
        let folder = try Folder()
        var damaged = ZipMaker.Entry(name: "Calendar/a.ics", stored: Array(Self.calendar.utf8))
        damaged.sum ^= 1
        let path = folder.write(
            "takeout.zip",
            ZipMaker.archive([
                damaged, ZipMaker.Entry(name: "Calendar/b.ics", stored: Array(Self.calendar.utf8)),
            ]))
        let log = ProblemLog()
        let rows = try Table("CalendarEvents", .calendar, path, log: log).rows("filename")
        #expect(rows.count == 3 && rows.allSatisfy { $0 == ["b.ics"] })
        #expect(Set(log.problems.map(\.path)) == [path + "/Calendar/a.ics"])
        #expect(Set(log.reasons) == ["a damaged or incomplete zip archive"])
        let report = SourceChecker(
            SourceEntry(kind: .calendar, path: path, added: Timestamp(year: 2026, month: 3, day: 1)!)
        ).report()
        #expect(report.files.map(\.path) == ["Calendar/a.ics", "Calendar/b.ics"])
        #expect(report.files.map(\.rowCount) == [0, 3])
        #expect(report.files.map(\.isSkipped) == [true, false])
    }

    @Test("an archive that changes after it was listed is told, not read")
    func changed() throws {
        let folder = try Folder()
        let path = folder.write("a.zip", ZipMaker.archive([("a.vcf", Self.cards, 0)]))
        let log = ProblemLog()
        let table = Table("Contacts", .contacts, path, log: log)
        let snapshot = try table.source.snapshot(assets: AssetTable())
        folder.write("a.zip", ZipMaker.archive([("a.vcf", Self.cards + Self.cards, 0)]))
        let scan = try snapshot.scan(ScanRequest(columns: ColumnMask([0])))
        #expect(try !scan.next(into: ColumnChunk(spec: table.source.spec)))
        #expect(log.problems.map(\.problem) == [.changed])
    }

    @Test("adding an archive says what is missing in it, or wrong with it")
    func adding() throws {
        let folder = try Folder()
        func reason(_ kind: String, _ path: String) throws -> String {
            var registry = try SourceRegistry.load(directory: folder.path)
            do throws(Diagnostic) {
                try registry.add(kind: kind, path: path)
                return ""
            } catch {
                return "\(error.code.rawValue) \(error.notes.joined(separator: " "))"
            }
        }
        let cards = folder.write("cards.zip", ZipMaker.archive([("a/b.vcf", Self.cards, 0)]))
        #expect(try reason("contacts", cards) == "")
        #expect(try reason("calendar", cards).hasSuffix("it is a zip archive without a file of this kind"))
        let whole = ZipMaker.archive([("a/b.vcf", Self.cards, 0)])
        let cut = folder.write("cut.zip", whole.dropLast(9))
        #expect(try reason("contacts", cut).hasSuffix("it is a damaged or incomplete zip archive"))
        let unnamed = folder.write("cards.bin", whole)
        #expect(
            try reason("contacts", unnamed).hasSuffix("it is a zip archive; give it a name that ends in .zip")
        )
        mkdir(folder.path + "/empty", 0o700)
        folder.write("empty/notes.zip", ZipMaker.archive([("notes.txt", "", 0)]))
        #expect(
            try reason("contacts", folder.path + "/empty").hasSuffix(
                "no file .vcf or .vcard, no abook.sqlite and no contacts.db"))
    }

    @Test(
        "tar archives are not read: adding one says what to do, an export among others is told in every query"
    )
    func tar() throws {
        let folder = try Folder()
        folder.write("files/Mail/a.mbox", Self.mail)
        guard run("tar -C '\(folder.path)/files' -czf '\(folder.path)/takeout-1-001.tgz' Mail") != nil else {
            print("SKIP: tar is not installed")
            return
        }
        #expect(run("cp '\(folder.path)/takeout-1-001.tgz' '\(folder.path)/other.tar.gz'") == "")
        let log = ProblemLog()
        let table = Table("Messages", .mail, folder.path, log: log)
        #expect(try table.rows("subject") == [["one"], ["two"]])
        #expect(log.problems.map(\.path) == [folder.path + "/takeout-1-001.tgz"])
        #expect(log.reasons == [ListedArchive.tarReason])
        var registry = try SourceRegistry.load(directory: folder.path)
        for name in ["takeout-1-001.tgz", "other.tar.gz"] {
            do throws(Diagnostic) {
                try registry.add(kind: "mail", path: folder.path + "/" + name)
                Issue.record("it was added")
            } catch {
                #expect(error.code.rawValue == "E0804")
                #expect(error.notes.contains { $0.hasSuffix("it is \(ListedArchive.tarReason)") })
            }
        }
    }

    @Test("what an archive's directory says of folders and names is bounded")
    func bounds() throws {
        func told(_ entries: [(name: String, text: String, method: Int)]) throws -> [String] {
            let folder = try Folder()
            let path = folder.write("a.zip", ZipMaker.archive(entries))
            let log = ProblemLog()
            _ = try Table("Contacts", .contacts, path, log: log).rows("givenName")
            return log.reasons
        }
        let deep = String(repeating: "a/", count: 40) + "a.vcf"
        #expect(try told([(deep, Self.cards, 0)]) == ["a zip archive without a file of this kind"])
        let long = String(repeating: "a", count: 1_100) + "/a.vcf"
        #expect(try told([(long, Self.cards, 0)]) == ["a zip archive without a file of this kind"])
        #expect(
            try told([("a.vcf", Self.cards, 0), ("a.vcf", Self.cards, 0)]) == [
                "a zip archive with two files of one name"
            ])
        // 9,000 members of eight folders each, of which none is another's.
        let many = (0..<9_000).map { number in
            (name: (0..<8).map { "\(number)-\($0)/" }.joined() + "a.vcf", text: "", method: 0)
        }
        #expect(try told(many) == ["a zip archive with too many folders"])
        // The same number of members in few folders are read.
        let few = (0..<9_000).map { (name: "a/b/\($0).vcf", text: "", method: 0) }
        #expect(try told(few) == [])
    }

    @Test("the directory of an archive is remembered until the archive changes")
    func remembered() async throws {
        let folder = try Folder()
        let path = folder.write("a.zip", ZipMaker.archive([("a.vcf", Self.cards, 0)]))
        var times = [
            timespec(tv_sec: 1_772_366_400, tv_nsec: 0), timespec(tv_sec: 1_772_366_400, tv_nsec: 0),
        ]
        utimensat(AT_FDCWD, path, &times, 0)
        try await folder.settle()
        let adapter = SourceAdapters[.contacts]!
        let memory = ArchiveMemory()
        func listed() throws -> FileListing {
            ArchiveListing(choice: adapter, memory: memory) { _, _ in }
                .expanded(try adapter.walk { _, _ in }.list([path]))
        }
        #expect(try listed().files.count == 1)
        var status = stat()
        stat(path, &status)
        #expect(memory.members("contacts", path, FileStatus(status))?.count == 1)
        folder.write("a.zip", ZipMaker.archive([("a.vcf", Self.cards, 0), ("b.vcf", Self.cards, 0)]))
        #expect(try listed().files.count == 2)
    }

    private func bytes(_ path: String) throws -> [UInt8] {
        let file = try #require(fopen(path, "r"))
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        bytes.removeSubrange(fread(&bytes, 1, bytes.count, file)...)
        return bytes
    }
}
