import DayReach
import EscrowPlugin

/// Tells for each day how many points there are and how far apart they lie.
@main struct DayReachPlugin: ComputePlugin {
    func compute(_ run: borrowing Run) throws -> Result {
        var reach = DayReach()
        for batch in run.batches {
            for row in 0..<batch.rowCount {
                guard let moment = batch.timestamp(row: row, column: 2) else { continue }
                reach.add(
                    day: day(of: moment), latitude: batch.real(row: row, column: 0),
                    longitude: batch.real(row: row, column: 1))
            }
        }
        var table = Table()
        for (day, points, kilometres) in reach.days {
            try table.append([.text(name(of: day)), .integer(points), .real(kilometres)])
        }
        return .table(table)
    }

    private func day(of moment: Timestamp) -> Int {
        let microsecondsADay: Int64 = 86_400_000_000
        let (days, rest) = moment.microseconds.quotientAndRemainder(dividingBy: microsecondsADay)
        return Int(rest < 0 ? days - 1 : days)
    }

    private func name(of day: Int) -> String {
        String(Timestamp(microseconds: Int64(day) * 86_400_000_000)?.iso8601.prefix(10) ?? "")
    }
}
