package import EscrowTableKit

/// The kinds that tell where a person was, and how body and home were: what sensors wrote down.
package enum PlaceKinds {
    package static let location: any SourceAdapter = LocationAdapter()
    package static let sensors: any SourceAdapter = SensorAdapter()
    package static let health: any SourceAdapter = HealthAdapter()
    package static let exposure: any SourceAdapter = ExposureAdapter()
}
