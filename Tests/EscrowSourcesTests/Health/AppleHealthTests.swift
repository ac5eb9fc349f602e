import EscrowSchema
import EscrowTabular
import Glibc
import Testing

@testable import EscrowFormats
@testable import EscrowSourceFiles
@testable import EscrowSources
@testable import EscrowTableKit

extension SourceKind { fileprivate static let tested = SourceKind(rawValue: "health")! }

@Suite("Apple Health's export")
struct AppleHealthTests {
    static let export = Repository.vectors + "/apple-health.xml"

    @Test(
        "samples by kind, with times, numbers, categories and sources; iOS 16's damaged document type is no matter"
    )
    func samples() throws {
        let log = ProblemLog()
        let table = Table("HealthSamples", .tested, Self.export, log: log)
        let rows = try table.rows(
            "kind", "startDate", "endDate", "value", "unit", "category", "sourceName", "creationDate",
            "filename")
        let file: Cell = "apple-health.xml"
        #expect(
            rows == [
                [
                    "stepCount", "2026-03-01T11:00:00.000Z", "2026-03-01T11:10:00.000Z", 512.0, "count", nil,
                    "Ada’s phone", "2026-03-01T11:11:00.000Z", file,
                ],
                [
                    "vo2Max", "2026-03-01T22:00:00.000Z", "2026-03-01T22:00:00.000Z", 41.25, "mL/min·kg", nil,
                    "Watch", nil, file,
                ],
                [
                    "sleepAnalysis", "2026-03-01T22:00:00.000Z", "2026-03-02T05:45:30.000Z", nil, nil,
                    "asleepCore", "Watch", nil, file,
                ],
                ["mindfulSession", nil, nil, nil, nil, nil, nil, nil, file],
                ["org.example.mood", nil, nil, nil, nil, "fine, thanks", "A", nil, file],
                [
                    "bloodPressureSystolic", "2026-03-01T11:00:00.000Z", "2026-03-01T11:00:00.000Z", 120.0,
                    "mmHg", nil, nil, nil, file,
                ],
            ])
        #expect(Set(try table.rows("id")).count == 6)
        #expect(log.reasons == [])
    }

    @Test(
        "workouts with their totals in seconds, metres and kilocalories, as iOS 15 and as iOS 16 writes them")
    func workouts() throws {
        let log = ProblemLog()
        let table = Table("Workouts", .tested, Self.export, log: log)
        let rows = try table.rows(
            "activity", "startDate", "endDate", "duration", "totalDistance", "totalEnergyBurned",
            "averageHeartRate", "maximumHeartRate", "sourceName", "creationDate")
        let run: Double = 3.1 * 1_609.344
        let swim: Double = 400 * 0.9144 + 10_500
        #expect(
            rows == [
                [
                    "running", "2026-03-01T12:00:00.000Z", "2026-03-01T12:31:00.000Z", 1_830.0,
                    .real(run), 250.0, nil, nil, "Watch", "2026-03-01T13:00:00.000Z",
                ],
                [
                    "swimBikeRun", "2026-03-02T12:00:00.000Z", "2026-03-02T13:00:00.000Z", 3_600.0,
                    .real(swim), 500.0, 141.5, 177.0, "Watch", nil,
                ],
                ["yoga", nil, nil, nil, nil, nil, nil, nil, "Watch", nil],
            ])
        #expect(log.reasons == [])
    }

    @Test("terms on kind and time leave the same rows with the same ids as reading them all")
    func terms() throws {
        let table = Table("HealthSamples", .tested, Self.export)
        let ids = try table.ids()
        #expect(ids.count == 6)
        func term(_ column: String, _ operation: Predicate.Operation, _ value: Cell) -> Predicate {
            Predicate(column: table.column(column), operation: operation, values: [value])
        }
        #expect(try table.ids(where: [term("kind", .equal, "stepCount")]) == [ids[0]])
        #expect(
            try table.ids(where: [term("startDate", .greaterOrEqual, "2026-03-01T20")]) == [ids[1], ids[2]])
        #expect(
            try table.ids(where: [term("kind", .like, "%"), term("value", .greater, 100.0)]) == [
                ids[0], ids[5],
            ])
        #expect(try table.ids(where: [term("startDate", .isNull, nil)]) == [ids[3], ids[4]])
        #expect(try table.rows("value", where: [term("kind", .equal, "vo2Max")]) == [[41.25]])
    }

    @Test(
        "entities are never expanded: a document that uses one ends there, and one that only declares it is read",
        arguments: [true, false])
    func billionLaughs(_ uses: Bool) throws {
        var entities = "<!ENTITY a0 \"ha\">"
        for level in 1...9 {
            entities += "<!ENTITY a\(level) \"" + String(repeating: "&a\(level - 1);", count: 10) + "\">"
        }
        let step = "<Record type=\"HKQuantityTypeIdentifierStepCount\" value=\"1\"/>"
        let folder = try Folder()
        let path = folder.write(
            "export.xml",
            """
            <?xml version="1.0"?>
            <!DOCTYPE HealthData [\(entities)<!ENTITY x SYSTEM "/etc/passwd"> ]  >
            <HealthData>\(step)
            <Record type="a" sourceName="\(uses ? "&a9;" : "")"/>\(uses ? "&x;" : "")
            \(step)</HealthData>
            """)
        let log = ProblemLog()
        let rows = try Table("HealthSamples", .tested, path, log: log).rows("kind", "sourceName")
        #expect(
            rows == (uses ? [["stepCount", nil]] : [["stepCount", nil], ["a", nil], ["stepCount", nil]]))
        #expect(
            log.reasons
                == (uses
                    ? ["line 4: not readable as Apple Health's export from here on: undefined entity"] : []))
    }

    @Test(
        "what is no export is told, and nothing of it is served",
        arguments: [
            (
                "<gpx/>",
                "line 1: not readable as Apple Health's export from here on: the root element is not HealthData"
            ),
            ("<HealthData", "line 1: not readable as Apple Health's export from here on: unclosed token"),
            (
                "<!DOCTYPE HealthData [ <HealthData/>",
                "line 1: not readable as Apple Health's export from here on: it declares a document type"
            ),
            ("", "not an SQLite database, or an encrypted one (E0830)"),
        ])
    func refused(_ text: String, _ reason: String) throws {
        let folder = try Folder()
        let path = folder.write("export.xml", text)
        for name in ["HealthSamples", "Workouts"] {
            let log = ProblemLog()
            #expect(try Table(name, .tested, path, log: log).rows().isEmpty)
            #expect(log.reasons == [reason])
        }
    }

    @Test("where a document type is, whatever stands before and in it")
    func documentTypes() {
        func found(_ text: String) -> String? {
            let bytes = Array(text.utf8)
            return DocumentType.range(in: bytes[...]).map { String(decoding: bytes[$0], as: UTF8.self) }
        }
        #expect(found("<?xml version='1.0'?><!-- a ]> --> <!DOCTYPE a>\n<a/>") == "<!DOCTYPE a>")
        #expect(
            found("\u{FEFF}<!DOCTYPE a [ <!-- it's ]> --> <!ATTLIST b ] >x")
                == "<!DOCTYPE a [ <!-- it's ]> --> <!ATTLIST b ] >")
        #expect(found("<a><!DOCTYPE b></a>") == nil)
        #expect(found("<!DOCTYPE a [") == nil)
        #expect(found("<!DOCTYPE a [ <!-- ") == nil)
        #expect(found("<!-- <!DOCTYPE a>") == nil)
        #expect(found("") == nil)
    }

    @Test("only the folder's exports are read, not what lies beside them")
    func files() throws {
        let folder = try Folder()
        folder.write("apple_health_export/Exportieren.xml", "<HealthData><Record type=\"a\"/></HealthData>")
        folder.write("apple_health_export/export_cda.xml", "<ClinicalDocument/>")
        folder.write("apple_health_export/workout-routes/a.gpx", "<gpx/>")
        let log = ProblemLog()
        #expect(
            try Table("HealthSamples", .tested, folder.path, log: log).rows("filename") == [
                ["Exportieren.xml"]
            ])
        #expect(log.reasons.allSatisfy { $0 == "not a file of this kind" })
        let adapter = SourceAdapters[.tested]!
        func refusal(_ bytes: [UInt8]) -> String? {
            adapter.refusal(bytes[...], of: FileCandidate(name: "a", folder: "", isRoot: true))
        }
        #expect(refusal(Array("<gpx/>".utf8)) == "it is neither Apple Health's export.xml nor a database")
        #expect(refusal(Array("<?xml?><HealthData locale=\"en\">".utf8)) == nil)
    }

    @Test("healthkit-to-sqlite takes the same samples and workouts from an export")
    func peer() throws {
        let kinds = ["StepCount", "HeartRate", "BodyMass", "DistanceWalkingRunning"]
        var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<HealthData locale=\"en_US\">\n"
        for index in 0..<2_000 {
            let (minute, second) = (index / 60 % 60, index % 60)
            let time =
                "2026-03-\(10 + index % 20) 12:\(minute < 10 ? "0" : "")\(minute):\(second < 10 ? "0" : "")\(second) \(index % 3 == 0 ? "+0100" : "-0730")"
            text += """
                <Record type="HKQuantityTypeIdentifier\(kinds[index % kinds.count])" sourceName="W &amp; \(index % 7)" unit="u\(index % 2)" startDate="\(time)" endDate="\(time)" value="\(index * 7 % 1_000).\(index % 10)"/>

                """
        }
        let folder = try Folder()
        let path = folder.write("export.xml", text + "</HealthData>\n")
        let script = folder.write(
            "peer.py",
            """
            import sys, sqlite_utils, datetime
            from healthkit_to_sqlite.utils import convert_xml_to_sqlite
            db = sqlite_utils.Database(memory=True)
            convert_xml_to_sqlite(open(sys.argv[1], 'rb'), db)
            for table in db.tables:
                if table.name[0] != 'r': continue
                for row in table.rows:
                    start = datetime.datetime.strptime(row['startDate'], '%Y-%m-%d %H:%M:%S %z')
                    start = start.astimezone(datetime.timezone.utc).strftime('%Y-%m-%dT%H:%M:%S.000Z')
                    kind = table.name[1:]
                    print(kind[0].lower() + kind[1:], start, float(row['value']), row['unit'], row['sourceName'], sep='|')
            """)
        guard let told = Python.run("'\(script)' '\(path)'", needs: "healthkit_to_sqlite") else { return }
        let rows = try Table("HealthSamples", .tested, path).rows(
            "kind", "startDate", "value", "unit", "sourceName")
        let own = rows.map { row in
            row.map {
                switch $0 {
                case .text(let text): text
                case .real(let value): "\(value)"
                default: "?"
                }
            }.joined(separator: "|")
        }
        #expect(own.count == 2_000)
        #expect(own.sorted() == told.split(separator: "\n").map(String.init).sorted())
    }

    @Test("a large export is read in memory that does not depend on its size")
    func memory() async {
        await #expect(processExitsWith: .success) {
            let record =
                "<Record type=\"HKQuantityTypeIdentifierHeartRate\" sourceName=\"Watch\" unit=\"count/min\" startDate=\"2026-03-01 12:00:00 +0100\" endDate=\"2026-03-01 12:00:00 +0100\" value=\"72\"><MetadataEntry key=\"a\" value=\"b\"/></Record>\n"
            let count = 60_000_000 / record.utf8.count
            let folder = try Folder()
            let path = write(folder, "export.xml", "<HealthData>", record, count, "</HealthData>")
            let before = residentKiB()
            #expect(try countRows("HealthSamples", .tested, path, "value") == count)
            #expect(try countRows("Workouts", .tested, path, "activity") == 0)
            #expect(residentKiB() - before < 24 << 10)
        }
    }
}
