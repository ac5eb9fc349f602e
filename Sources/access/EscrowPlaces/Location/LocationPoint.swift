internal import EscrowTabular

/// One place as a file tells it.
struct LocationPoint {
    var latitude: Double = .nan
    var longitude: Double = .nan
    var horizontalAccuracy: Double?
    var altitude: Double?
    var verticalAccuracy: Double?
    var timestamp: Timestamp?
    var speed: Double?
    var course: Double?
    var kind: StaticString = "record"
    var trackName: [UInt8]?
    var segment: Int64?
    /// Where it begins in the file.
    var offset: Int64 = 0

    /// Whether it is a place on earth; a point that is not is left out.
    var isValid: Bool { abs(latitude) <= 90 && abs(longitude) <= 180 }
}
