public import EscrowDiagnostics
import EscrowHome
public import EscrowLocationPrivacy
import EscrowRelational
import EscrowTabular

/// The individual's own places, for themselves: exact, and without a limit.
extension Host {
    /// The newest places, at most so many, the oldest of them first.
    public func ownPlaces(_ most: Int) throws(Diagnostic) -> [TimedPlace] {
        let access = try ownerAccess(
            sql: "SELECT latitude, longitude, timestamp FROM Location WHERE latitude IS NOT NULL AND "
                + "longitude IS NOT NULL AND timestamp IS NOT NULL ORDER BY timestamp DESC LIMIT \(most)",
            bindings: [:])
        defer { access.close() }
        var places: [TimedPlace] = []
        while let batch = try access.next(maxRows: 1_024, maxBytes: 1 << 20) {
            for row in 0..<batch.rowCount {
                guard case .real(let latitude) = batch.cell(row: row, column: 0),
                    case .real(let longitude) = batch.cell(row: row, column: 1),
                    let point = Coordinates(latitude: latitude, longitude: longitude),
                    let moment = batch.timestamp(row: row, column: 2)
                else { continue }
                places.append(
                    TimedPlace(
                        place: point, seconds: moment.microseconds / 1_000_000,
                        minute: LocalDay.minute(of: moment.microseconds / 1_000)))
            }
        }
        return places.reversed()
    }
}
