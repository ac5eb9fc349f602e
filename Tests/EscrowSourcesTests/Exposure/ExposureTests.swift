import EscrowSchema
import EscrowTabular
import Testing

@testable import EscrowPlaces
@testable import EscrowSourceFiles
@testable import EscrowSources
@testable import EscrowTableKit

extension SourceKind { fileprivate static let tested = SourceKind(rawValue: "exposure")! }

@Suite("Exposure keys")
struct ExposureTests {
    private static let first = Array<UInt8>(0..<16)

    /// A field of a byte string.
    private static func bytes(_ number: UInt8, _ value: [UInt8]) -> [UInt8] {
        precondition(value.count < 128)
        return [number << 3 | 2, UInt8(value.count)] + value
    }

    /// `export.bin` with a region, a key with every field, a revised one with none but the key, and fields of other kinds.
    static let export: [UInt8] =
        Array("EK Export v1    ".utf8) + [0x09, 1, 2, 3, 4, 5, 6, 7, 8] + bytes(3, Array("CA".utf8)) + [
            0x20, 1,
        ]
        + bytes(6, [1, 2, 3])
        // 2,956,608 spans of ten minutes are 2026-03-20; 3 days before symptoms in zigzag are 5.
        + bytes(
            7,
            bytes(1, first) + [
                0x10, 4, 0x18, 0xC0, 0xBA, 0xB4, 0x01, 0x20, 72, 0x28, 1, 0x30, 5, 0x7D, 0, 0, 0, 0,
            ])
        + bytes(7, bytes(1, [1, 2, 3])) + bytes(8, bytes(1, [UInt8](repeating: 0xAB, count: 16)))

    @Test(
        "the keys of a key server's export, revised ones marked; one of another length is left out and counted"
    )
    func serverKeys() throws {
        let folder = try Folder()
        let log = ProblemLog()
        let path = folder.write("export.bin", Self.export)
        let rows = try Table("KeyTable", .tested, path, log: log).rows()
        #expect(
            rows == [
                [
                    "000102030405060708090a0b0c0d0e0f", "server", "2026-03-20T00:00:00.000Z",
                    "2026-03-20T12:00:00.000Z", 2_956_608, 72, 4, "confirmedTest", -3, 0, "CA", "export.bin",
                ],
                [
                    "abababababababababababababababab", "server", nil, nil, nil, 144, nil, nil, nil, 1, "CA",
                    "export.bin",
                ],
            ])
        #expect(log.reasons == ["1 keys that are not 16 bytes"])
    }

    @Test("every beginning of an export gives the keys that are whole in it, and says that it is cut off")
    func truncated() throws {
        for count in 16..<Self.export.count {
            let folder = try Folder()
            let log = ProblemLog()
            let path = folder.write("export.bin", Self.export.prefix(count))
            let rows = try Table("KeyTable", .tested, path, log: log).rows("data")
            #expect(rows.count <= 1)
            #expect(
                log.reasons.allSatisfy {
                    $0 == "the file ends in the middle" || $0 == "1 keys that are not 16 bytes"
                })
        }
    }

    @Test(
        "what is no message ends the reading",
        arguments: [
            (
                [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01],
                "not readable as an export of keys from byte 26 on"
            ),
            ([0x00, 0x00], "not readable as an export of keys from byte 17 on"),
            ([0x3B], "not readable as an export of keys from byte 17 on"),
            ([0x3A, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F], "the file ends in the middle"),
        ] as [([UInt8], String)])
    func malformed(_ bytes: [UInt8], _ reason: String) throws {
        let folder = try Folder()
        let log = ProblemLog()
        let path = folder.write("export.bin", Array("EK Export v1    ".utf8) + bytes)
        #expect(try Table("KeyTable", .tested, path, log: log).rows().isEmpty)
        #expect(log.reasons == [reason])
    }

    @Test("the device's own keys, as JSON and as CSV")
    func deviceKeys() throws {
        let folder = try Folder()
        folder.write(
            "a.json",
            """
            {"regions": ["CA"], "temporaryExposureKeys": [
              {"key": "AAECAwQFBgcICQoLDA0ODw==", "rollingStartNumber": 2956608, "rollingPeriod": 144,
               "transmissionRisk": 3, "z": {"key": "x"}},
              {"key": "AAEC", "rollingStartNumber": 1}, null,
              {"key": "AAECAwQFBgcICQoLDA0ODw==", "rollingStartNumber": -1, "rollingPeriod": 145.5}],
             "hmackey": "s"}
            """)
        folder.write(
            "b.csv",
            """
            keyData,rollingPeriod,note,rollingStartNumber\r
            000102030405060708090A0B0C0D0E0F,36,n,2956608\r
            \r
            xyz,1,2,3
            ABABABABABABABABABABABABABABABAB
            """)
        folder.write("c.json", "{\"keys\": []}")
        folder.write("d.csv", "name,number\n")
        let log = ProblemLog()
        let rows = try Table("KeyTable", .tested, folder.path, log: log).rows(
            "data", "origin", "date", "endDate", "rollingPeriod", "transmissionRiskLevel", "filename")
        let (key, day): (Cell, Cell) = ("000102030405060708090a0b0c0d0e0f", "2026-03-20T00:00:00.000Z")
        #expect(
            rows == [
                [key, "device", day, "2026-03-21T00:00:00.000Z", 144, 3, "a.json"],
                [key, "device", nil, nil, nil, nil, "a.json"],
                [key, "device", day, "2026-03-20T06:00:00.000Z", 36, nil, "b.csv"],
                ["abababababababababababababababab", "device", nil, nil, 144, nil, "b.csv"],
            ])
        #expect(
            log.reasons == [
                "2 keys that are not 16 bytes", "1 keys that are not 16 bytes",
                "it has no list temporaryExposureKeys", ExposureFormat.unknownReason,
            ])
    }

    @Test("what holds no keys is refused")
    func refused() {
        let adapter = SourceAdapters[.tested]!
        let file = FileCandidate(name: "2026.bin", folder: "", isRoot: true)
        #expect(adapter.refusal(Self.export[...], of: file) == nil)
        #expect(adapter.refusal(Array("PDF".utf8)[...], of: file) == ExposureFormat.unknownReason)
    }

    @Test("an export that Python's protobuf wrote holds for us the keys that it holds for Python")
    func oracle() throws {
        let folder = try Folder()
        let script = folder.write("oracle.py", Self.script)
        let path = folder.path + "/export.bin"
        guard let told = Python.run("'\(script)' '\(path)'", needs: "google.protobuf") else { return }
        let log = ProblemLog()
        let rows = try Table("KeyTable", .tested, path, log: log).rows(
            "data", "rollingStartNumber", "rollingPeriod", "transmissionRiskLevel", "reportType",
            "daysSinceOnsetOfSymptoms", "isRevised", "region")
        let own = rows.map { row in
            row.map {
                switch $0 {
                case .text(let text): text
                case .integer(let value): "\(value)"
                default: ""
                }
            }.joined(separator: "|")
        }
        #expect(own.count == 5_000)
        #expect(own == told.split(separator: "\n").map(String.init))
        #expect(log.reasons == [])
    }

    /// Writes 5,000 random keys with the official field numbers, and prints them.
    private static let script = """
        import random, sys
        from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
        F = descriptor_pb2.FieldDescriptorProto
        file = descriptor_pb2.FileDescriptorProto(name='e.proto', syntax='proto2')
        key = file.message_type.add(name='Key')
        for name, number, kind in [('key_data', 1, F.TYPE_BYTES), ('transmission_risk_level', 2, F.TYPE_INT32),
                ('rolling_start_interval_number', 3, F.TYPE_INT32), ('rolling_period', 4, F.TYPE_INT32),
                ('report_type', 5, F.TYPE_INT32), ('days_since_onset_of_symptoms', 6, F.TYPE_SINT32)]:
            key.field.add(name=name, number=number, type=kind, label=F.LABEL_OPTIONAL)
        export = file.message_type.add(name='Export')
        for name, number, kind in [('start_timestamp', 1, F.TYPE_FIXED64), ('end_timestamp', 2, F.TYPE_FIXED64),
                ('region', 3, F.TYPE_STRING), ('batch_num', 4, F.TYPE_INT32), ('batch_size', 5, F.TYPE_INT32)]:
            export.field.add(name=name, number=number, type=kind, label=F.LABEL_OPTIONAL)
        for name, number in [('keys', 7), ('revised_keys', 8)]:
            export.field.add(name=name, number=number, type=F.TYPE_MESSAGE, type_name='.Key', label=F.LABEL_REPEATED)
        pool = descriptor_pool.DescriptorPool()
        pool.Add(file)
        Export = message_factory.GetMessageClass(pool.FindMessageTypeByName('Export'))
        r = random.Random(1)
        e = Export(start_timestamp=1, end_timestamp=2, region='CA', batch_num=1, batch_size=1)
        words = {1: 'confirmedTest', 2: 'confirmedClinicalDiagnosis', 3: 'selfReported', 4: 'recursive', 5: 'revoked'}
        for i in range(5000):
            k = (e.keys if i < 4000 else e.revised_keys).add(key_data=r.randbytes(16))
            if r.random() < .9: k.rolling_start_interval_number = r.randrange(0, 2**31)
            if r.random() < .5: k.rolling_period = r.randrange(0, 145)
            if r.random() < .5: k.transmission_risk_level = r.randrange(-1, 9)
            if r.random() < .5: k.report_type = r.randrange(0, 7)
            if r.random() < .5: k.days_since_onset_of_symptoms = r.randrange(-14, 15)
        open(sys.argv[1], 'wb').write(b'EK Export v1    ' + e.SerializeToString())
        e.ParseFromString(open(sys.argv[1], 'rb').read()[16:])
        for revised, keys in [(0, e.keys), (1, e.revised_keys)]:
            for k in keys:
                def value(name): return str(getattr(k, name)) if k.HasField(name) else ''
                print(k.key_data.hex(), value('rolling_start_interval_number'), value('rolling_period') or '144',
                    value('transmission_risk_level'), words.get(k.report_type, ''), value('days_since_onset_of_symptoms'),
                    revised, 'CA', sep='|')
        """
}
