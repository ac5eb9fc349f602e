package import EscrowTabular

/// What a picture's header says.
package struct ImageFacts: Sendable, Equatable {
    /// When the picture was taken.
    package var creationDate: Timestamp?
    /// When the file was changed, by its own header: the last resort for ``creationDate``.
    package var changeDate: Timestamp?
    /// Width and height as the picture is meant to be seen, that is, turned.
    package var pixelWidth: Int64?
    package var pixelHeight: Int64?
    /// Degrees and metres, WGS 84.
    package var latitude: Double?
    package var longitude: Double?
    package var altitude: Double?
    package var cameraMake: String?
    package var cameraModel: String?
    /// EXIF's number, 1 to 8.
    package var orientation: Int64?
    /// A video's length in seconds.
    package var duration: Double?
    /// What people said of the picture.
    package var title: String?
    package var description: String?
    /// Separated by `; `.
    package var keywords: String?
    /// -1 for rejected, 0 to 5 stars.
    package var rating: Int64?

    package init(
        creationDate: Timestamp? = nil, changeDate: Timestamp? = nil, pixelWidth: Int64? = nil,
        pixelHeight: Int64? = nil, latitude: Double? = nil, longitude: Double? = nil, altitude: Double? = nil,
        cameraMake: String? = nil, cameraModel: String? = nil, orientation: Int64? = nil,
        duration: Double? = nil, title: String? = nil, description: String? = nil, keywords: String? = nil,
        rating: Int64? = nil
    ) {
        self.creationDate = creationDate
        self.changeDate = changeDate
        self.pixelWidth = pixelWidth
        self.pixelHeight = pixelHeight
        self.latitude = latitude
        self.longitude = longitude
        self.altitude = altitude
        self.cameraMake = cameraMake
        self.cameraModel = cameraModel
        self.orientation = orientation
        self.duration = duration
        self.title = title
        self.description = description
        self.keywords = keywords
        self.rating = rating
    }

    /// Sets the size of a picture as it is stored, turned as its orientation says; nothing if it has none.
    mutating func setSize(width: Int, height: Int) {
        guard width > 0, height > 0 else { return }
        // From 5 on, the picture is turned by a quarter.
        let isTurned = (orientation ?? 1) >= 5
        pixelWidth = Int64(isTurned ? height : width)
        pixelHeight = Int64(isTurned ? width : height)
    }

    /// Takes over what is not known yet.
    package mutating func fill(from other: ImageFacts) {
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

    /// Takes the date of change where neither header nor side-car has a better one. An edited picture was taken earlier.
    package mutating func settleDate() { creationDate = creationDate ?? changeDate }

    /// Replaces what people said by what a side-car says: programs write one when they may not change the picture.
    package mutating func replaceWords(by other: ImageFacts) {
        title = other.title ?? title
        description = other.description ?? description
        keywords = other.keywords ?? keywords
        rating = other.rating ?? rating
    }
}

/// What must be read for the facts that are wanted.
package struct ImageNeeds: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    /// The file's own header.
    package static let header = ImageNeeds(rawValue: 1)
    /// What a file beside the picture may tell too.
    package static let sideCar = ImageNeeds(rawValue: 2)
}
