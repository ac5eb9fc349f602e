internal import EscrowDatabaseFiles
internal import EscrowDiagnostics
internal import EscrowSourceFiles
internal import EscrowTableKit
internal import EscrowTabular

/// Gadgetbridge's database: a table for each family of devices, made by greenDAO, whose columns have the same names
/// throughout.
enum Gadgetbridge {
    /// A column of a family's table, and what it is in `HealthSamples`.
    struct Measure {
        let column: String
        let kind: String
        var unit: String?
        var factor = 1.0
        /// The raw values that are measurements; others say that there is none.
        let valid: ClosedRange<Double>
        /// Whether the moment is all that the value is about. Steps are of a while that differs by device.
        var isMoment = true
    }

    static let steps = Measure(
        column: "STEPS", kind: "stepCount", unit: "count", valid: 1...1_000_000, isMoment: false)
    /// Devices write 0, 255 or -1 for "not worn".
    static let heartRate = Measure(
        column: "HEART_RATE", kind: "heartRate", unit: "count/min", valid: 11...249)
    /// HealthKit's per cent are 0 to 1.
    static let oxygen = Measure(
        column: "SPO2", kind: "oxygenSaturation", unit: "%", factor: 0.01, valid: 1...100)
    static let stress = Measure(column: "STRESS", kind: "stress", valid: 1...100)

    /// What the tables measure, by the ends of their names; the first one counts.
    private static let families: [(ending: String, measures: [Measure])] = [
        // See ``GadgetbridgeHuawei``.
        ("HUAWEI_ACTIVITY_SAMPLE", []),
        // Their keys have the kind of record as a part: a day's steps stand there more than once.
        ("HPLUS_HEALTH_ACTIVITY_SAMPLE", []),
        ("WATCH_XPLUS_ACTIVITY_SAMPLE", []),
        ("_ACTIVITY_SAMPLE", [steps, heartRate, oxygen, stress]),
        ("SONY_SWR12_SAMPLE", [steps, heartRate]),
        (
            "_HEART_RATE_RESTING_SAMPLE",
            [
                Measure(
                    column: "HEART_RATE", kind: "restingHeartRate", unit: "count/min", valid: 11...249)
            ]
        ),
        // The highest of a day, which the other tables hold as well.
        ("_HEART_RATE_MAX_SAMPLE", []),
        ("_HEART_RATE_SAMPLE", [heartRate]), ("_HEART_RATE_MANUAL_SAMPLE", [heartRate]),
        ("_SPO2_SAMPLE", [oxygen]), ("_STRESS_SAMPLE", [stress]),
        (
            "_RESPIRATORY_RATE_SAMPLE",
            [Measure(column: "RATE", kind: "respiratoryRate", unit: "count/min", valid: 1...120)]
        ),
        (
            "_HRV_VALUE_SAMPLE",
            [Measure(column: "VALUE", kind: "heartRateVariability", unit: "ms", valid: 1...10_000)]
        ),
        (
            "_TEMPERATURE_SAMPLE",
            [Measure(column: "TEMPERATURE", kind: "bodyTemperature", unit: "degC", valid: 10...50)]
        ),
        ("_WEIGHT_SAMPLE", [Measure(column: "WEIGHT_KG", kind: "bodyMass", unit: "kg", valid: 1...1_000)]),
    ]

    /// What a table measures; nil for a table of something else.
    static func measures(of table: String) -> [Measure]? {
        families.first { table.hasSuffix($0.ending) }?.measures
    }

    /// The samples: table after table, and each by time.
    static func samples(
        _ database: DatabaseFile, _ file: FilesTable.File
    ) throws(Diagnostic) -> any RowReader {
        let devices = try Devices(database)
        var queries: [QueryReader.Query] = []
        var unread = 0
        let tables = try database.tables()
        for table in tables where table.hasSuffix("_SAMPLE") {
            let columns = Set(try database.columns(of: table))
            guard columns.isSuperset(of: ["TIMESTAMP", "DEVICE_ID"]) else { continue }
            let key = try key(of: table, in: database)
            for measure in measures(of: table) ?? [] where columns.contains(measure.column) {
                queries.append(
                    GadgetbridgeSamples.query(measure, of: table, key: key, devices: devices, file: file))
            }
            if measures(of: table)?.isEmpty == true, table.hasSuffix("_ACTIVITY_SAMPLE"),
                table != GadgetbridgeHuawei.activity || !GadgetbridgeHuawei.isReadable(columns)
            {
                unread += 1
            }
            if table.hasSuffix("_SLEEP_SESSION_SAMPLE") || table.hasSuffix("_SLEEP_TIME_SAMPLE"),
                columns.contains("WAKEUP_TIME")
            {
                queries.append(
                    GadgetbridgeSamples.sleep(table, key: key, devices: devices, file: file))
            }
        }
        queries += try GadgetbridgeHuawei.queries(
            database, tables: tables, devices: devices, file: file
        ) { table throws(Diagnostic) in try key(of: table, in: database) }
        if unread > 0 {
            file.onProblem(
                FileProblem("\(unread) tables of devices whose samples are not read", partial: true))
        }
        return QueryReader(database, file, queries)
    }

    /// What identifies a table's rows, ascending in the order in which they lie. Most tables of Gadgetbridge have no row
    /// ids; their key is time and device, as one number here.
    private static func key(of table: String, in database: DatabaseFile) throws(Diagnostic) -> String {
        let name = DatabaseFile.quoted(table)
        do throws(Diagnostic) {
            _ = try database.scan("SELECT rowid FROM \(name) NOT INDEXED LIMIT 0")
            return "rowid"
        } catch  where error.code == .databaseSchemaUnknown {
            return "TIMESTAMP * 100000 + DEVICE_ID"
        }
    }

    /// A time that is in seconds in the older tables, and in milliseconds in the newer ones: a number that would be
    /// beyond the year 5000 as seconds is milliseconds.
    static func time(_ number: Int64?) -> Timestamp? {
        guard let number, number > 0 else { return nil }
        let scaled = number.multipliedReportingOverflow(by: number < 100_000_000_000 ? 1_000_000 : 1_000)
        return scaled.overflow ? nil : Timestamp(microseconds: scaled.partialValue)
    }

    struct Devices {
        /// The most devices that are kept; samples of others have no source.
        private static let limit = 1_000
        /// The most bytes of a name: all samples of a device show it.
        private static let length = 1_024
        private var names: [Int64: [UInt8]] = [:]

        init(_ database: DatabaseFile) throws(Diagnostic) {
            try database.require("DEVICE", ["_id", "NAME"])
            let alias = try database.columns(of: "DEVICE").contains("ALIAS") ? "ALIAS" : "NULL"
            let rows = try database.scan("SELECT rowid, NAME, \(alias) FROM DEVICE NOT INDEXED")
            while names.count < Self.limit, try rows.next() {
                guard let id = rows.integer(0) else { continue }
                let alias = rows.text(2) ?? []
                names[id] = Array((alias.isEmpty ? rows.text(1) ?? [] : alias).prefix(Self.length))
            }
        }

        /// The person's own name for a device, else the device's.
        subscript(_ id: Int64?) -> ArraySlice<UInt8>? { id.flatMap { names[$0] }?[...] }
    }
}
