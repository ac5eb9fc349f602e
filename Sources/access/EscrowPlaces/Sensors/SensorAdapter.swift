internal import EscrowDatabaseFiles
internal import EscrowDiagnostics
internal import EscrowFormats
internal import EscrowJSON
internal import EscrowSchema
internal import EscrowSourceFiles
internal import EscrowTableKit
internal import EscrowTabular

extension SourceKind {
    /// What sensors reported: Home Assistant's recorder, or the desktop itself.
    static let sensors = SourceKind(word: "sensors")
}

/// States in the recorder's database of Home Assistant 2023.4 and later, and what the desktop says over its bus.
struct SensorAdapter: SourceAdapter {
    let kind = SourceKind.sensors
    let accepts =
        "Home Assistant's home-assistant_v2.db, or the folder that it lies in; or the socket of your desktop's own bus, such as /run/user/1000/bus"
    let nothingFound = "no home-assistant_v2.db"
    let typicalRows = 500_000
    let specs = [SensorSpec.states]
    let readsSockets = true

    func classify(_ file: FileCandidate) -> UInt8? {
        file.isRoot || file.name == "home-assistant_v2.db" ? 0 : nil
    }

    func refusal(_ head: ArraySlice<UInt8>, of file: FileCandidate) -> String? {
        head.starts(with: KeptFiles.signature) ? nil : "it is not an SQLite database"
    }

    func refusal(socket path: String) -> String? {
        DesktopFocus(socket: path).isBus ? nil : "no D-Bus answers at this socket"
    }

    func tables(_ context: SourceContext) -> [any TableSource] {
        [SensorTable(context)]
    }
}

/// The recorder's tables.
enum Recorder {
    private typealias Column = SensorSpec.Column

    /// The states, in the order in which they were recorded.
    static func states(_ database: DatabaseFile, _ file: FilesTable.File) throws(Diagnostic)
        -> any RowReader
    {
        try database.require(
            "states", ["metadata_id", "state", "last_changed_ts", "last_updated_ts", "attributes_id"])
        try database.require("states_meta", ["metadata_id", "entity_id"])
        try database.require("state_attributes", ["attributes_id", "shared_attrs"])
        let sql = """
            SELECT s.rowid, m.entity_id, s.state, s.last_changed_ts, s.last_updated_ts,
                (SELECT a.shared_attrs FROM state_attributes AS a NOT INDEXED WHERE a.rowid = s.attributes_id)
            FROM states AS s NOT INDEXED CROSS JOIN states_meta AS m NOT INDEXED WHERE m.rowid = s.metadata_id
            """
        return QueryReader(database, file, [.init(sql: sql, read: read)])
    }

    private static func read(_ rows: DatabaseRows, _ row: RowBuilder) -> Bool {
        guard let entity = rows.text(1), let dot = entity.firstIndex(of: UInt8(ascii: ".")) else {
            return false
        }
        row.set(Column.entityID, repairing: entity[...])
        row.set(Column.domain, repairing: entity[..<dot])
        let state = rows.text(2)
        row.set(Column.state, repairing: state?[...])
        row.set(Column.value, state.flatMap { DecimalNumber.read($0[...]) })
        let updated = rows.real(4)
        // Null says: at the same time as it was updated.
        row.set(Column.lastChanged, time(rows.real(3) ?? updated))
        row.set(Column.lastUpdated, time(updated))
        let described: [Column] = [.deviceClass, .friendlyName, .unit]
        if described.contains(where: { row.wants($0) }), let attributes = rows.text(5) {
            describe(attributes, row)
        }
        return true
    }

    /// Seconds since 1970 with a fraction.
    private static func time(_ seconds: Double?) -> Timestamp? {
        guard let seconds, abs(seconds) < 1e12 else { return nil }
        return Timestamp(microseconds: Int64((seconds * 1e6).rounded()))
    }

    private static func describe(_ attributes: [UInt8], _ row: RowBuilder) {
        // What is no strict JSON describes nothing; the state itself is served.
        guard let node = try? JSONParser.parse(attributes, limits: .init(bytes: 1 << 20)),
            case .object(let members) = node.content
        else { return }
        for (name, column) in [
            ("device_class", Column.deviceClass), ("friendly_name", .friendlyName),
            ("unit_of_measurement", .unit),
        ] {
            guard case .string(let text)? = members.first(where: { $0.name == name })?.value.content else {
                continue
            }
            row.set(column, repairing: Array(text.utf8)[...])
        }
    }
}
