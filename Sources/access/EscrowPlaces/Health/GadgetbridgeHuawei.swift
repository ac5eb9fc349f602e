internal import EscrowDatabaseFiles
internal import EscrowDiagnostics
internal import EscrowTableKit
internal import EscrowTabular

/// The tables of Huawei's and Honor's watches, which differ from those of the other families.
///
/// `HUAWEI_ACTIVITY_SAMPLE` holds a span as two rows, one at each end: `OTHER_TIMESTAMP` is where the other one lies, and the
/// first has the measurements. Its key has four parts, time, device, other time and source, so that a minute has several rows.
enum GadgetbridgeHuawei {
    private typealias Column = HealthSpec.Sample

    static let activity = "HUAWEI_ACTIVITY_SAMPLE"
    static let stages = "HUAWEI_SLEEP_STAGE_SAMPLE"
    private static let needed: Set = [
        "TIMESTAMP", "DEVICE_ID", "OTHER_TIMESTAMP", "SOURCE", "RAW_KIND",
    ]

    private static let measures = [
        Gadgetbridge.steps, Gadgetbridge.heartRate,
        Gadgetbridge.Measure(
            column: "RESTING_HEART_RATE", kind: "restingHeartRate", unit: "count/min", valid: 11...249),
        Gadgetbridge.Measure(
            column: "SPO", kind: "oxygenSaturation", unit: "%", factor: 0.01, valid: 1...100),
    ]

    /// What there is to read; nothing of tables with other columns than these.
    static func queries(
        _ database: DatabaseFile, tables: [String], devices: Gadgetbridge.Devices,
        file: FilesTable.File, key: (_ table: String) throws(Diagnostic) -> String
    ) throws(Diagnostic) -> [QueryReader.Query] {
        var queries: [QueryReader.Query] = []
        var hasStages = false
        if tables.contains(stages) {
            let columns = Set(try database.columns(of: stages))
            hasStages = columns.isSuperset(of: ["TIMESTAMP", "DEVICE_ID", "STAGE"])
        }
        if tables.contains(activity) {
            let columns = Set(try database.columns(of: activity))
            if columns.isSuperset(of: needed) {
                let spans = try Self.spans(key(activity))
                for measure in measures where columns.contains(measure.column) {
                    queries.append(query(measure, spans, devices, file))
                }
                queries.append(sleep(spans, hasStages: hasStages, devices, file))
            }
        }
        if hasStages { queries.append(minutes(try key(stages), devices, file)) }
        return queries
    }

    /// Whether the table of activities is one of these.
    static func isReadable(_ columns: Set<String>) -> Bool { columns.isSuperset(of: needed) }

    /// The first rows of all spans, as the end of a query, and their key as one ascending number: 32 bits of time, 10 of device,
    /// 17 of length, 4 of source. Spans of more than a day and a half, and other sources, are none.
    private static func spans(_ key: String) -> (key: String, from: String) {
        let own =
            key == "rowid"
            ? key
            : "(TIMESTAMP << 31) + (DEVICE_ID << 21) + ((OTHER_TIMESTAMP - TIMESTAMP) << 4) + SOURCE"
        return (
            own,
            """
            FROM \(activity) AS a NOT INDEXED WHERE TIMESTAMP BETWEEN 0 AND 4294967295 AND DEVICE_ID BETWEEN 0 AND 1023
            AND OTHER_TIMESTAMP - TIMESTAMP BETWEEN 0 AND 131071 AND SOURCE BETWEEN 0 AND 15
            """
        )
    }

    private static func query(
        _ measure: Gadgetbridge.Measure, _ spans: (key: String, from: String),
        _ devices: Gadgetbridge.Devices, _ file: FilesTable.File
    ) -> QueryReader.Query {
        let sql =
            "SELECT \(spans.key), TIMESTAMP, DEVICE_ID, \(measure.column), OTHER_TIMESTAMP \(spans.from)"
        let (kind, unit) = (Array(measure.kind.utf8), measure.unit.map { Array($0.utf8) })
        return .init(sql: sql) { rows, row in
            guard var raw = rows.real(3) else { return false }
            // What came as a byte is kept with its sign; -1 is none.
            if raw < -1, raw >= -128, measure.unit == "count/min" { raw += 256 }
            guard measure.valid.contains(raw) else { return false }
            let start = Gadgetbridge.time(rows.integer(1))
            row.set(Column.kind, kind[...])
            row.set(Column.startDate, start)
            row.set(Column.endDate, measure.isMoment ? start : Gadgetbridge.time(rows.integer(4)))
            row.set(Column.value, raw * measure.factor)
            row.set(Column.unit, unit?[...])
            GadgetbridgeSamples.setSource(rows, row, devices, file)
            return true
        }
    }

    /// Spans of sleep. Newer versions also keep each minute's stage: a span in which there is one would be told twice.
    private static func sleep(
        _ spans: (key: String, from: String), hasStages: Bool, _ devices: Gadgetbridge.Devices,
        _ file: FilesTable.File
    ) -> QueryReader.Query {
        var sql = "SELECT \(spans.key), TIMESTAMP, DEVICE_ID, RAW_KIND, OTHER_TIMESTAMP \(spans.from)"
        sql += " AND RAW_KIND IN (6, 7, 22102, 22104, 22105)"
        if hasStages {
            sql += """
                 AND NOT EXISTS (SELECT 1 FROM \(stages) AS s WHERE s.TIMESTAMP >= a.TIMESTAMP * 1000
                AND s.TIMESTAMP < a.OTHER_TIMESTAMP * 1000 AND s.DEVICE_ID = a.DEVICE_ID)
                """
        }
        return .init(sql: sql) { rows, row in
            let category =
                switch rows.integer(3) {
                case 6: "asleepCore"
                case 7: "asleepDeep"
                case 0x5656: "asleepREM"
                case 0x5658: "awake"
                default: "asleepUnspecified"
                }
            guard let start = Gadgetbridge.time(rows.integer(1)),
                let end = Gadgetbridge.time(rows.integer(4)), start < end
            else { return false }
            set(category, start, end, rows, row, devices, file)
            return true
        }
    }

    /// The stages of sleep, a row a minute.
    private static func minutes(
        _ key: String, _ devices: Gadgetbridge.Devices, _ file: FilesTable.File
    ) -> QueryReader.Query {
        let sql = "SELECT \(key), TIMESTAMP, DEVICE_ID, STAGE FROM \(stages) NOT INDEXED"
        return .init(sql: sql) { rows, row in
            let category: String
            switch rows.integer(3) {
            case 1: category = "asleepCore"
            case 2: category = "asleepREM"
            case 3: category = "asleepDeep"
            case 4: category = "awake"
            case 5: category = "asleepUnspecified"
            default: return false
            }
            guard let start = Gadgetbridge.time(rows.integer(1)),
                let end = Timestamp(microseconds: start.microseconds + 60_000_000)
            else { return false }
            set(category, start, end, rows, row, devices, file)
            return true
        }
    }

    private static func set(
        _ category: String, _ start: Timestamp, _ end: Timestamp, _ rows: DatabaseRows, _ row: RowBuilder,
        _ devices: Gadgetbridge.Devices, _ file: FilesTable.File
    ) {
        row.set(Column.kind, "sleepAnalysis")
        row.set(Column.startDate, start)
        row.set(Column.endDate, end)
        row.set(Column.category, category)
        GadgetbridgeSamples.setSource(rows, row, devices, file)
    }
}
