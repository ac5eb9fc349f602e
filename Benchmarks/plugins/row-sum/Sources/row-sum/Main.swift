import EscrowPlugin

/// Adds up every value of every row, to measure how fast rows reach a plugin: row by row, or batch by batch.
@main struct RowSum: ComputePlugin {
    func compute(_ run: borrowing Run) throws -> Result {
        var sums = Sums()
        if try run.text(parameter: "way") == "rows" {
            for row in run.rows {
                sums.ids += try row.integer("id")
                sums.bytes += try row.withUTF8("name") { $0.count }
                sums.latitude += try row.real("latitude")
                sums.seconds += Int(try row.timestamp("taken").microseconds / 1_000_000)
            }
        } else {
            for batch in run.batches { sums.add(batch) }
        }
        return [
            "ids": .integer(sums.ids), "bytes": .integer(sums.bytes), "latitude": .real(sums.latitude),
            "seconds": .integer(sums.seconds),
        ]
    }
}

private struct Sums {
    var ids = 0
    var bytes = 0
    var latitude = 0.0
    var seconds = 0

    mutating func add(_ batch: Batch) {
        for row in 0..<batch.rowCount {
            ids += Int(batch.integer(row: row, column: 0))
            bytes += batch.withBytes(row: row, column: 1) { $0.count }
            latitude += batch.real(row: row, column: 2)
            seconds += Int(batch.integer(row: row, column: 3) / 1_000_000)
        }
    }
}
