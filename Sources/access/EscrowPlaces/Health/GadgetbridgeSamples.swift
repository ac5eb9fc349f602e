internal import EscrowDatabaseFiles
internal import EscrowTableKit
internal import EscrowTabular

/// Rows of `HealthSamples` from one column of a table of Gadgetbridge's.
enum GadgetbridgeSamples {
    private typealias Column = HealthSpec.Sample

    /// The measurements in a column.
    static func query(
        _ measure: Gadgetbridge.Measure, of table: String, key: String, devices: Gadgetbridge.Devices,
        file: FilesTable.File
    ) -> QueryReader.Query {
        let sql = """
            SELECT \(key), TIMESTAMP, DEVICE_ID, \(measure.column) FROM \(DatabaseFile.quoted(table)) NOT INDEXED
            """
        let (kind, unit) = (Array(measure.kind.utf8), measure.unit.map { Array($0.utf8) })
        return .init(sql: sql) { rows, row in
            guard let raw = rows.real(3), measure.valid.contains(raw) else { return false }
            row.set(Column.kind, kind[...])
            let time = Gadgetbridge.time(rows.integer(1))
            row.set(Column.startDate, time)
            if measure.isMoment { row.set(Column.endDate, time) }
            row.set(Column.value, raw * measure.factor)
            row.set(Column.unit, unit?[...])
            setSource(rows, row, devices, file)
            return true
        }
    }

    /// Nights, from falling asleep to waking up.
    static func sleep(
        _ table: String, key: String, devices: Gadgetbridge.Devices, file: FilesTable.File
    ) -> QueryReader.Query {
        let sql = """
            SELECT \(key), TIMESTAMP, DEVICE_ID, WAKEUP_TIME FROM \(DatabaseFile.quoted(table)) NOT INDEXED
            """
        return .init(sql: sql) { rows, row in
            guard let start = Gadgetbridge.time(rows.integer(1)),
                let end = Gadgetbridge.time(rows.integer(3)), start < end
            else { return false }
            row.set(Column.kind, "sleepAnalysis")
            row.set(Column.startDate, start)
            row.set(Column.endDate, end)
            row.set(Column.category, "asleepUnspecified")
            setSource(rows, row, devices, file)
            return true
        }
    }

    /// Sets what every sample has.
    static func setSource(
        _ rows: DatabaseRows, _ row: RowBuilder, _ devices: Gadgetbridge.Devices, _ file: FilesTable.File
    ) {
        row.set(Column.sourceName, repairing: devices[rows.integer(2)])
        row.set(Column.filename, file.name)
        row.set(Column.id, StableID.name(file.path, part: Int(row.place)))
    }
}
