import EscrowDiagnostics
import EscrowTabular
import Testing

@testable import EscrowSources

@Suite("Home Assistant's recorder")
struct SensorTests {
    static let recorder = ProgramDatabase.vector("home-assistant.sql")

    @Test("states with their entities, numbers, times and attributes")
    func states() throws {
        let folder = try Folder()
        let path = folder.path + "/home-assistant_v2.db"
        try ProgramDatabase.write(path, Self.recorder)
        let log = ProblemLog()
        let table = Table("SensorStates", .init(rawValue: "sensors")!, folder.path, log: log)
        let focus: [Cell] = ["binary_sensor.phone_focus", "binary_sensor"]
        let attic: [Cell] = ["sensor.attic", "sensor"]
        #expect(
            try table.rows() == [
                focus + [
                    "on", nil, nil, "Fokus", nil, "2026-03-01T12:00:00.500Z", "2026-03-01T12:00:00.500Z",
                ],
                attic + [
                    "21.5", 21.5, "temperature", "Attic", "°C", "2026-03-01T12:00:00.000Z",
                    "2026-03-01T12:01:00.000Z",
                ],
                attic + ["unavailable", nil, nil, nil, nil, nil, nil],
                focus + [nil, nil, nil, nil, nil, nil, nil],
            ])
        #expect(try table.rows("state").count == 4)
        #expect(log.problems.isEmpty)
    }

    @Test("the recorder's schema from before 2023 is told, not read as empty")
    func old() throws {
        let folder = try Folder()
        try ProgramDatabase.write(
            folder.path + "/home-assistant_v2.db",
            "db.execute('CREATE TABLE states(state_id INTEGER PRIMARY KEY, entity_id TEXT, state TEXT, last_changed DATETIME)')"
        )
        let log = ProblemLog()
        #expect(try Table("SensorStates", .init(rawValue: "sensors")!, folder.path, log: log).rows().isEmpty)
        #expect(
            log.reasons == [
                "the database has a schema that is not known: its table states has no column metadata_id (E0836)"
            ])
    }
}
