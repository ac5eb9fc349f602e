internal import EscrowDatabaseFiles
internal import EscrowDiagnostics
internal import EscrowJSON
internal import EscrowTableKit
internal import EscrowTabular

extension Gadgetbridge {
    /// The workouts, in the order in which they were stored.
    static func workouts(
        _ database: DatabaseFile, _ file: FilesTable.File
    ) throws(Diagnostic) -> any RowReader {
        typealias Column = HealthSpec.Workout
        let columns = ["_id", "START_TIME", "END_TIME", "ACTIVITY_KIND", "DEVICE_ID"]
        try database.require("BASE_ACTIVITY_SUMMARY", columns)
        let devices = try Devices(database)
        // Since 2020.
        let hasData = try database.columns(of: "BASE_ACTIVITY_SUMMARY").contains("SUMMARY_DATA")
        let sql = """
            SELECT rowid, START_TIME, END_TIME, ACTIVITY_KIND, DEVICE_ID, \(hasData ? "SUMMARY_DATA" : "NULL")
            FROM BASE_ACTIVITY_SUMMARY NOT INDEXED
            """
        return QueryReader(
            database, file,
            [
                .init(sql: sql) { rows, row in
                    let (start, end) = (time(rows.integer(1)), time(rows.integer(2)))
                    row.set(Column.activity, rows.integer(3).flatMap(activity))
                    row.set(Column.startDate, start)
                    row.set(Column.endDate, end)
                    set(rows.text(5), row)
                    if let start, let end, start <= end {
                        let seconds = Double(end.microseconds - start.microseconds) / 1e6
                        row.set(Column.duration, seconds)
                    }
                    row.set(Column.sourceName, repairing: devices[rows.integer(4)])
                    row.set(Column.filename, file.name)
                    row.set(Column.id, StableID.name(file.path, part: Int(row.place)))
                    return true
                }
            ])
    }

    /// What the device summed up: `{"distanceMeters": {"value": 5000, "unit": "meters"}}`. What is no strict JSON sums
    /// up nothing; the workout itself is served.
    private static func set(_ data: [UInt8]?, _ row: RowBuilder) {
        typealias Column = HealthSpec.Workout
        let named: [(String, Column)] = [
            ("activeSeconds", .duration), ("distanceMeters", .totalDistance),
            ("caloriesBurnt", .totalEnergyBurned), ("averageHR", .averageHeartRate),
            ("maxHR", .maximumHeartRate),
        ]
        guard named.contains(where: { row.wants($0.1) }), let data,
            let node = try? JSONParser.parse(data, limits: .init(bytes: 1 << 20)),
            case .object(let members) = node.content
        else { return }
        for (name, column) in named {
            guard case .object(let parts)? = members.first(where: { $0.name == name })?.value.content else {
                continue
            }
            switch parts.first(where: { $0.name == "value" })?.value.content {
            case .integer(let value): row.set(column, Double(value))
            case .real(let value): row.set(column, value)
            default: break
            }
        }
    }

    /// Gadgetbridge's numbers (`ActivityKind`), in HealthKit's words where there is one.
    static func activity(_ number: Int64) -> String? {
        switch number {
        case 0x10, 0x100, 0x0400_00b0, 0x0400_00b1: "running"
        case 0x20, 0x0400_0012, 0x0400_00b2: "walking"
        case 0x40, 0x400, 0x0400_000a: "swimming"
        case 0x80, 0x800, 0x0400_0003, 0x0400_0004, 0x0400_00b3: "cycling"
        case 0x200, 0x0400_000f: "other"
        case 0x1000: "elliptical"
        case 0x2000: "jumpRope"
        case 0x4000: "yoga"
        case 0x8000: "soccer"
        case 0x1_0000, 0x0400_0016: "rowing"
        case 0x2_0000: "cricket"
        case 0x4_0000: "basketball"
        case 0x8_0000, 0x0400_000d: "tableTennis"
        case 0x10_0000: "badminton"
        case 0x20_0000: "traditionalStrengthTraining"
        case 0x40_0000, 0x0400_00e2: "hiking"
        case 0x80_0000, 0x0400_0026: "climbing"
        case 0x0400_0008: "stairClimbing"
        case 0x0400_0009: "pilates"
        case 0x0400_000b: "tennis"
        case 0x0400_0013: "crossCountrySkiing"
        case 0x0400_0014: "downhillSkiing"
        case 0x0400_0015: "snowboarding"
        case 0x0400_0020: "golf"
        case 0x0400_003a: "boxing"
        case 0x0400_0045: "highIntensityIntervalTraining"
        case 0x0400_004a: "squash"
        default: nil
        }
    }
}
