public import EscrowDiagnostics
import EscrowHome
public import EscrowLocationPrivacy
import EscrowRelational
import EscrowTabular

/// The individual's own places, for themselves: exact, and without a limit.
extension Host {
    /// The newest places, at most so many, the oldest of them first.
    public func ownPlaces(_ most: Int) throws(Diagnostic) -> [TimedPlace] {
        try ownerAccess(
            sql: "SELECT latitude, longitude, timestamp FROM Location WHERE latitude IS NOT NULL AND "
                + "longitude IS NOT NULL AND timestamp IS NOT NULL ORDER BY timestamp DESC LIMIT \(most)",
            bindings: [:]
        ).places().reversed().compactMap { place, moment in
            moment.map {
                TimedPlace(
                    place: place, seconds: $0.microseconds / 1_000_000,
                    minute: LocalDay.minute(of: $0.microseconds / 1_000))
            }
        }
    }
}
