import EscrowDiagnostics
import EscrowSchema
import Glibc
import Testing

@testable import EscrowDesktop
@testable import EscrowMedia
@testable import EscrowPeople
@testable import EscrowPlaces
@testable import EscrowSources
@testable import EscrowTableKit

@Suite("The list of sources")
struct RegistryTests {
    @Test("what is added is there after loading, in order, and what is removed is not")
    func roundTrip() throws {
        let home = try Folder()
        var registry = try SourceRegistry.load(directory: home.path)
        #expect(registry.entries.isEmpty)
        try registry.add(kind: "contacts", path: Repository.samples + "/./contacts.vcf")
        try registry.add(kind: "photos", path: Repository.samples + "/photos/")
        try registry.add(kind: "location", path: Repository.samples + "/tracks")
        try registry.save()
        var loaded = try SourceRegistry.load(directory: home.path)
        #expect(loaded.entries == registry.entries)
        #expect(
            loaded.entries.map(\.path)
                == ["/contacts.vcf", "/photos", "/tracks"].map { Repository.samples + $0 })
        try loaded.remove(kind: "photos", path: Repository.samples + "/photos")
        #expect(loaded.entries.map(\.kind) == [.contacts, .location])
        #expect(throws: Diagnostic(.noSuchSource, "")) { try loaded.remove(kind: "photos", path: "/x") }
    }

    @Test("what does not look like the kind is refused, with its code")
    func refusals() throws {
        let folder = try Folder()
        folder.write("text.vcf", "no card")
        folder.write("empty/readme.txt", "x")
        var registry = try SourceRegistry.load(directory: folder.path)
        for (kind, path, code) in [
            ("pictures", "/tmp", Diagnostic.Code.unknownKind),
            ("contacts", folder.path + "/gone", Diagnostic.Code.pathNotOpened),
            ("contacts", folder.path + "/text.vcf", Diagnostic.Code.pathUnlikeKind),
            ("photos", folder.path + "/text.vcf", Diagnostic.Code.pathUnlikeKind),
            ("photos", folder.path + "/empty", Diagnostic.Code.pathUnlikeKind),
            ("location", folder.path + "/text.vcf", Diagnostic.Code.pathUnlikeKind),
            ("contacts", "/dev/null", Diagnostic.Code.pathUnlikeKind),
        ] {
            #expect(throws: Diagnostic(code, ""), "\(kind) \(path)") {
                try registry.add(kind: kind, path: path)
            }
        }
        #expect(registry.entries.isEmpty)
    }

    @Test("sources of a kind do not overlap, links included")
    func overlap() throws {
        let folder = try Folder()
        symlink(Repository.samples + "/photos", folder.path + "/link")
        var registry = try SourceRegistry.load(directory: folder.path)
        try registry.add(kind: "photos", path: Repository.samples + "/photos")
        for path in [
            Repository.samples + "/photos", Repository.samples + "/photos/Garden", Repository.samples,
            folder.path + "/link",
        ] {
            #expect(throws: Diagnostic(.sourcesOverlap, "")) { try registry.add(kind: "photos", path: path) }
        }
        try registry.add(kind: "contacts", path: Repository.samples)
    }

    @Test(
        "a damaged list is an error and is not overwritten",
        arguments: [
            "", "{}", "{\"sources\":[{}]}", "{\"sources\":[],\"x\":1}",
            "{\"sources\":[{\"kind\":\"photos\",\"path\":\"rel\",\"added\":\"2026-01-01T00:00:00Z\"}]}",
            "{\"sources\":[{\"kind\":\"pictures\",\"path\":\"/\",\"added\":\"2026-01-01T00:00:00Z\"}]}",
            "{\"sources\":[{\"kind\":\"photos\",\"path\":\"/\",\"added\":\"now\"}]}",
        ])
    func damaged(_ text: String) throws {
        let home = try Folder()
        home.write("sources.json", text)
        #expect(throws: Diagnostic(.sourceListDamaged, "")) { try SourceRegistry.load(directory: home.path) }
    }

    @Test("the messages say what to type next")
    func messages() throws {
        #expect(
            Diagnostic.noSource(.contacts).description
                == "error[E0801]: no contacts source\nhelp: add one with `escrow source add contacts PATH`")
        #expect(Diagnostic.noSource(.photos).exitStatus == .sourceMissing)
    }

    @Test("a check tells file by file what was read and what was left out")
    func check() throws {
        let folder = try Folder()
        folder.write("a.vcf", "BEGIN:VCARD\nFN:a\nEND:VCARD\nBEGIN:VCARD\nFN:cut\n")
        folder.write("b.vcf", [0xFF, 0xFE, 0, 0])
        folder.write("note.txt", "x")
        var registry = try SourceRegistry.load(directory: folder.path)
        try registry.add(kind: "contacts", path: folder.path)
        let report = registry.check()[0]
        #expect(report.failure == nil && !report.isClean)
        #expect(report.rowCount == 1)
        #expect(report.files.map(\.path) == ["a.vcf", "b.vcf", "note.txt"])
        #expect(report.files.map(\.isSkipped) == [false, true, false])
        #expect(report.files.map(\.isOther) == [false, false, true])
        #expect(report.files[0].problems.map(\.line) == [4])
        var samples = try SourceRegistry.load(directory: folder.path)
        try samples.add(kind: "photos", path: Repository.samples + "/photos")
        try samples.add(kind: "location", path: Repository.samples + "/tracks")
        let reports = samples.check()
        #expect(reports.map(\.rowCount) == [12, 757])
        #expect(!reports.contains { !$0.isClean })
    }

    @Test("a check of many files tells reasons and the first faults, and with all of them file by file")
    func checkText() throws {
        let folder = try Folder()
        for number in 100..<122 {
            folder.write("\(number).vcf", "BEGIN:VCARD\nFN:a\nEND:VCARD\nBEGIN:VCARD\n")
        }
        folder.write("good\n  read.vcf", "BEGIN:VCARD\nFN:a\nEND:VCARD\n")
        folder.write("x.vcf", [0xFF, 0xFE, 0, 0])
        for number in 0..<3 { folder.write("\(number).txt", "x") }
        var registry = try SourceRegistry.load(directory: folder.path)
        try registry.add(kind: "contacts", path: folder.path)
        var report = registry.check()[0]
        let heading =
            "contacts  \(folder.path): 23 rows, 1 of 24 files skipped; beside them 3 files of other kinds"
        let faults = (100..<120).map { "    \($0).vcf, line 4: a card that does not end" }
        let expected =
            [
                heading, "  files by reason:", "    22  a card that does not end",
                "     1  the file is UTF-16; convert it with iconv -f UTF-16 -t UTF-8", "  faults:",
            ] + faults + ["    and 3 more; --all shows them"]
        #expect(report.lines(all: false) == expected)
        let all = report.lines(all: true)
        #expect(all.count == 1 + 2 * 22 + 1 + 2 + 3)
        let first = [heading, "  read     100.vcf  1 row", "             line 4: a card that does not end"]
        #expect(Array(all.prefix(3)) == first)
        #expect(all.contains("  read     good\\u{a}  read.vcf  1 row"))
        #expect(Array(all.suffix(2)) == ["  other    1.txt", "  other    2.txt"])
        report.unlistedCount = 1
        #expect(report.lines(all: false).last == "  and 1 problem more, which no list holds")
        #expect(!report.isClean)
        report.unlistedCount = 0
        report.files = [.init(path: "a.vcf", rowCount: 2)]
        #expect(report.lines(all: false) == ["contacts  \(folder.path): 2 rows, 0 of 1 file skipped"])
        #expect(report.isClean)
    }

    @Test("every table is documented, and no message or summary is left empty")
    func specs() throws {
        #expect(
            SourceRegistry.allSpecs.map(\.name).prefix(10) == [
                "Contacts", "ContactPhoneNumbers", "ContactEmailAddresses", "ContactPostalAddresses",
                "ContactGroups", "ContactGroupMembers", "ContactContainers", "ContactContainerMembers",
                "Photos", "Location",
            ])
        for spec in SourceRegistry.allSpecs {
            #expect(spec.examples.count >= 2)
            #expect(Set(spec.columns.map(\.name)).count == spec.columns.count)
            for column in spec.columns {
                #expect(column.summary.hasSuffix("."), "\(spec.name).\(column.name)")
            }
        }
        let registry = try SourceRegistry.load(directory: try Folder().path + "/gone")
        #expect(registry.tables().map(\.spec.name) == SourceRegistry.allSpecs.map(\.name))
    }

    @Test("readers and specs list the same columns in the same order")
    func sameColumns() {
        func check<Column: CaseIterable>(_ spec: TableSpec, _: Column.Type) {
            #expect(spec.columns.map(\.name) == Column.allCases.map { "\($0)" })
        }
        check(ContactsSpec.contacts, ContactsSpec.Column.self)
        check(CalendarSpec.events, CalendarSpec.Event.self)
        check(CalendarSpec.reminders, CalendarSpec.Reminder.self)
        check(MailSpec.messages, MailSpec.Message.self)
        check(MailSpec.recipients, MailSpec.Recipient.self)
        check(PhotosSpec.photos, PhotosSpec.Column.self)
        check(LocationSpec.location, LocationSpec.Column.self)
        check(HealthSpec.samples, HealthSpec.Sample.self)
        check(HealthSpec.workouts, HealthSpec.Workout.self)
        check(ExposureSpec.keys, ExposureSpec.Column.self)
        check(SensorSpec.states, SensorSpec.Column.self)
        check(BrowserSpec.history, BrowserSpec.Visit.self)
        check(BrowserSpec.bookmarks, BrowserSpec.Bookmark.self)
        check(DocumentsSpec.documents, DocumentsSpec.Column.self)
    }
}
