internal import EscrowTabular

/// What a picture's header says.
struct ImageFacts: Sendable, Equatable {
    /// When the picture was taken.
    var creationDate: Timestamp?
    /// Width and height as the picture is meant to be seen, that is, turned.
    var pixelWidth: Int64?
    var pixelHeight: Int64?
    /// Degrees and metres, WGS 84.
    var latitude: Double?
    var longitude: Double?
    var altitude: Double?
    var cameraMake: String?
    var cameraModel: String?
    /// EXIF's number, 1 to 8.
    var orientation: Int64?
}

/// Which facts are wanted; the rest is not looked for.
struct ImageNeeds: OptionSet, Sendable {
    let rawValue: UInt8
    /// Date, place, camera, orientation.
    static let exif = ImageNeeds(rawValue: 1)
    /// Width and height; needs the orientation as well.
    static let size = ImageNeeds(rawValue: 2)
}
