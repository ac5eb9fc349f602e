internal import EscrowTabular

/// What a picture's header says.
struct ImageFacts: Sendable, Equatable {
    /// When the picture was taken.
    var creationDate: Timestamp?
    /// When the file was changed, by its own header: stands for the other where nothing else tells that.
    var changeDate: Timestamp?
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
    /// A video's length in seconds.
    var duration: Double?
    /// What people said of the picture.
    var title: String?
    var description: String?
    /// Separated by `; `.
    var keywords: String?
    /// -1 for rejected, 0 to 5 stars.
    var rating: Int64?

    /// Takes over what is not known yet.
    mutating func fill(from other: ImageFacts) {
        creationDate = creationDate ?? other.creationDate
        changeDate = changeDate ?? other.changeDate
        pixelWidth = pixelWidth ?? other.pixelWidth
        pixelHeight = pixelHeight ?? other.pixelHeight
        if latitude == nil {
            latitude = other.latitude
            longitude = other.longitude
            altitude = altitude ?? other.altitude
        }
        cameraMake = cameraMake ?? other.cameraMake
        cameraModel = cameraModel ?? other.cameraModel
        orientation = orientation ?? other.orientation
        duration = duration ?? other.duration
        title = title ?? other.title
        description = description ?? other.description
        keywords = keywords ?? other.keywords
        rating = rating ?? other.rating
    }

    /// Once all that tells of a picture was asked: a picture without another date was taken when it was last changed. An
    /// edited one was taken before, and its header or a side-car says when.
    mutating func settleDate() { creationDate = creationDate ?? changeDate }

    /// Takes over what people said, in place of what was known: a side-car is written where the picture itself is not to be
    /// changed, so it is the later word.
    mutating func replaceWords(by other: ImageFacts) {
        title = other.title ?? title
        description = other.description ?? description
        keywords = other.keywords ?? keywords
        rating = other.rating ?? rating
    }
}

/// Which facts are wanted; the rest is not looked for.
struct ImageNeeds: OptionSet, Sendable {
    let rawValue: UInt8
    /// Date, place, camera, orientation.
    static let exif = ImageNeeds(rawValue: 1)
    /// Width and height; needs the orientation as well.
    static let size = ImageNeeds(rawValue: 2)
    /// Title, description, keywords, rating; in JPEG a second look at the header.
    static let words = ImageNeeds(rawValue: 4)
    /// A video's length.
    static let duration = ImageNeeds(rawValue: 8)
    /// What a file beside the picture may tell too.
    static let sideCar = ImageNeeds(rawValue: 16)
    /// All that the header itself tells.
    static let header: ImageNeeds = [.exif, .size, .words, .duration]
}
