import EscrowDiagnostics
import EscrowTabular
import Testing

@testable import EscrowSources

@Suite("Gadgetbridge's database")
struct GadgetbridgeTests {
    /// Tables as Gadgetbridge makes them: `WITHOUT ROWID` in its later versions, with row ids in its first ones.
    static let database = ProgramDatabase.vector("gadgetbridge.sql")

    private func table(_ name: String, _ script: String = Self.database, log: ProblemLog) throws -> (
        Folder, Table
    ) {
        let folder = try Folder()
        try ProgramDatabase.write(folder.path + "/Gadgetbridge", script)
        return (folder, Table(name, .init(rawValue: "health")!, folder.path, log: log))
    }

    @Test(
        "steps, heart rates and the rest from tables in seconds and in milliseconds; what devices write for nothing is nothing"
    )
    func samples() throws {
        let log = ProblemLog()
        let (folder, table) = try table("HealthSamples", log: log)
        defer { withExtendedLifetime(folder) {} }
        let rows = try table.rows("kind", "startDate", "endDate", "value", "unit", "category", "sourceName")
        let (noon, later): (Cell, Cell) = ("2026-03-01T12:00:00.000Z", "2026-03-01T12:01:00.000Z")
        #expect(
            rows == [
                ["stepCount", noon, nil, 30.0, "count", nil, "My band"],
                ["stepCount", later, nil, 12.0, "count", nil, "My band"],
                ["stepCount", later, nil, 5.0, "count", nil, "Amazfit"],
                ["heartRate", noon, noon, 71.0, "count/min", nil, "My band"],
                ["heartRate", noon, noon, 80.0, "count/min", nil, "Amazfit"],
                ["heartRate", noon, noon, 64.0, "count/min", nil, nil],
                ["restingHeartRate", noon, noon, 52.0, "count/min", nil, "Amazfit"],
                ["oxygenSaturation", noon, noon, 0.97, "%", nil, "Amazfit"],
                [
                    "sleepAnalysis", noon, "2026-03-01T20:00:00.000Z", nil, nil, "asleepUnspecified",
                    "Amazfit",
                ],
            ])
        #expect(Set(try table.rows("id")).count == rows.count)
        #expect(Set(try table.ids()).count == rows.count)
        #expect(Set(log.reasons) == ["1 tables of devices whose samples are not read"])
    }

    @Test(
        "Huawei's minutes are told once, with what a byte's sign hid; sleep by its stages, and by its spans where there are none"
    )
    func huawei() throws {
        let log = ProblemLog()
        let (folder, table) = try table(
            "HealthSamples", ProgramDatabase.vector("gadgetbridge-huawei.sql"), log: log)
        defer { withExtendedLifetime(folder) {} }
        let rows = try table.rows("kind", "startDate", "endDate", "value", "unit", "category", "sourceName")
        let (noon, later): (Cell, Cell) = ("2026-03-01T12:00:00.000Z", "2026-03-01T12:01:00.000Z")
        let watch: Cell = "HUAWEI WATCH GT"
        #expect(
            rows == [
                ["stepCount", noon, later, 40.0, "count", nil, watch],
                ["heartRate", noon, noon, 72.0, "count/min", nil, watch],
                ["heartRate", later, later, 131.0, "count/min", nil, watch],
                ["restingHeartRate", later, later, 61.0, "count/min", nil, watch],
                ["oxygenSaturation", noon, noon, 0.98, "%", nil, watch],
                [
                    "sleepAnalysis", "2026-03-02T00:00:00.000Z", "2026-03-02T01:00:00.000Z", nil, nil,
                    "asleepDeep", watch,
                ],
                [
                    "sleepAnalysis", "2026-03-02T01:00:00.000Z", "2026-03-02T01:01:00.000Z", nil, nil,
                    "asleepCore", watch,
                ],
                [
                    "sleepAnalysis", "2026-03-02T01:01:00.000Z", "2026-03-02T01:02:00.000Z", nil, nil,
                    "asleepREM", watch,
                ],
                [
                    "sleepAnalysis", "2026-03-02T01:02:00.000Z", "2026-03-02T01:03:00.000Z", nil, nil,
                    "awake", watch,
                ],
            ])
        #expect(Set(try table.rows("id")).count == rows.count)
        #expect(Set(try table.ids()).count == rows.count)
        #expect(log.reasons == [])
    }

    @Test("Huawei's table with other columns is told as one that is not read")
    func otherHuawei() throws {
        let log = ProblemLog()
        let script =
            ProgramDatabase.vector("gadgetbridge-huawei.sql") + """
                db.execute('DROP TABLE HUAWEI_ACTIVITY_SAMPLE')
                db.execute('CREATE TABLE HUAWEI_ACTIVITY_SAMPLE (TIMESTAMP INTEGER, DEVICE_ID INTEGER, STEPS INTEGER)')
                """
        let (folder, table) = try table("HealthSamples", script, log: log)
        defer { withExtendedLifetime(folder) {} }
        #expect(try table.rows("category").count == 3)
        #expect(log.reasons == ["1 tables of devices whose samples are not read"])
    }

    @Test("workouts with what the device summed up")
    func workouts() throws {
        let log = ProblemLog()
        let (folder, table) = try table("Workouts", log: log)
        defer { withExtendedLifetime(folder) {} }
        #expect(
            try table.rows(
                "activity", "startDate", "endDate", "duration", "totalDistance", "totalEnergyBurned",
                "averageHeartRate", "maximumHeartRate", "sourceName", "filename") == [
                    [
                        "running", "2026-03-01T12:00:00.000Z", "2026-03-01T12:30:00.000Z", 1_750.0, 5_012.5,
                        310.0, 144.0, 171.0, "My band", "Gadgetbridge",
                    ],
                    [
                        nil, "2026-03-01T12:00:00.000Z", "2026-03-01T12:01:00.000Z", 60.0, nil, nil, nil, nil,
                        nil, "Gadgetbridge",
                    ],
                    [nil, nil, nil, nil, nil, nil, nil, nil, "My band", "Gadgetbridge"],
                ])
        #expect(log.reasons == [])
    }

    @Test("another program's database is told, not read as an empty one")
    func other() throws {
        for name in ["HealthSamples", "Workouts"] {
            let log = ProblemLog()
            let (folder, table) = try table(name, "db.execute('CREATE TABLE a(b)')", log: log)
            defer { withExtendedLifetime(folder) {} }
            #expect(try table.rows().isEmpty)
            #expect(log.problems.count == 1)
            #expect(log.reasons[0].hasSuffix("(E0836)"))
        }
    }
}
