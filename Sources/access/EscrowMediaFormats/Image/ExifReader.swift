internal import EscrowFormats
internal import EscrowSourceFiles
internal import EscrowTabular

/// Reads the few EXIF tags that become columns (CIPA DC-008, TIFF 6.0).
struct ExifReader {
    private let bytes: TIFFBytes
    private let spelling: TIFFSpelling
    /// The first directory, of the picture itself.
    let image: TIFFDirectory
    /// Whether it is a raw picture of Panasonic's (RW2), whose first directory is like no other.
    let isPanasonic: Bool

    private static let imageTags: Set = [
        0x00FE, 0x0100, 0x0101, 0x010E, 0x010F, 0x0110, 0x0112, 0x0132, 0x014A, 0x02BC, 0x83BB, 0x8649,
        0x8769, 0x8825,
        // Panasonic's: the edges of the picture on the sensor, and the camera's own JPEG.
        0x0004, 0x0005, 0x0006, 0x0007, 0x002E,
    ]
    private static let photoTags: Set = [
        0x9003, 0x9004, 0x9010, 0x9011, 0x9012, 0x9290, 0x9291, 0x9292,
    ]
    private static let placeTags = Set(1...6)
    /// A JPEG within the file: where it lies is enough.
    static let previewTag = 0x002E

    /// Reads the header and the first directory; nil if this is no TIFF data.
    private init?(_ bytes: @escaping TIFFBytes, tags: Set<Int> = Self.imageTags) {
        guard let head = bytes(0, 8), let order = head.big16(0), order == 0x4949 || order == 0x4D4D else {
            return nil
        }
        self.bytes = bytes
        let isLittleEndian = order == 0x4949
        let magic = isLittleEndian ? head.little16(2) : head.big16(2)
        let spelling = TIFFSpelling(isLittleEndian: isLittleEndian, isBig: magic == Self.bigMagic)
        let first: Int?
        switch magic {
        case 42, Self.panasonicMagic, 0x4F52, 0x5352: first = spelling.long(head, 4)
        case Self.bigMagic:
            // The size of an offset, which is eight, and a zero.
            guard spelling.short(head, 4) == 8, spelling.short(head, 6) == 0 else { return nil }
            first = bytes(8, 8).flatMap { spelling.longLong($0, 0) }
        default: return nil
        }
        guard let first else { return nil }
        self.spelling = spelling
        isPanasonic = magic == Self.panasonicMagic
        image = TIFFDirectory(at: first, spelling, tags: tags, places: [Self.previewTag], bytes)
    }

    /// The version of BigTIFF.
    private static let bigMagic = 43
    private static let panasonicMagic = 0x55

    /// What TIFF data in memory says; nil if it is none.
    static func facts(_ tiff: ArraySlice<UInt8>, zone: LocalZone) -> ImageFacts? {
        ExifReader { tiff.part($0, $1) }?.facts(zone: zone)
    }

    /// As above, with the other two directories as data of their own, as Canon has them; with the size.
    static func facts(
        _ image: ArraySlice<UInt8>, photo: [UInt8]?, place: [UInt8]?, zone: LocalZone
    ) -> ImageFacts? {
        func directory(_ data: [UInt8]?, _ tags: Set<Int>) -> TIFFDirectory? {
            data.flatMap { data in ExifReader({ data[...].part($0, $1) }, tags: tags)?.image }
        }
        guard let exif = ExifReader({ image.part($0, $1) }) else { return nil }
        var facts = exif.facts(directory(photo, photoTags), directory(place, placeTags), zone)
        if let width = exif.image.unsigned(0x0100), let height = exif.image.unsigned(0x0101) {
            facts.setSize(width: width, height: height)
        }
        return facts
    }

    /// Reads TIFF data as long as `body` runs.
    static func reading<Result>(_ bytes: TIFFBytes, _ body: (ExifReader) -> Result?) -> Result? {
        withoutActuallyEscaping(bytes) { ExifReader($0).flatMap(body) }
    }

    /// Another directory of the same data.
    func directory(at offset: Int) -> TIFFDirectory {
        TIFFDirectory(at: offset, spelling, tags: Self.imageTags, bytes)
    }

    /// Reads all facts but the size, which in EXIF is not always the picture's own.
    func facts(zone: LocalZone) -> ImageFacts {
        facts(directory(0x8769, Self.photoTags), directory(0x8825, Self.placeTags), zone)
    }

    private func facts(_ photo: TIFFDirectory?, _ gps: TIFFDirectory?, _ zone: LocalZone) -> ImageFacts {
        var facts = ImageFacts()
        facts.description = text(0x010E, limit: 4_096)
        facts.cameraMake = text(0x010F)
        facts.cameraModel = text(0x0110)
        if let value = image.unsigned(0x0112), (1...8).contains(value) { facts.orientation = Int64(value) }
        func moment(_ date: ArraySlice<UInt8>?, _ offset: Int, _ fraction: Int) -> Timestamp? {
            date.flatMap {
                ExifTime.read(
                    $0, offset: photo?.ascii(offset), fraction: photo?.ascii(fraction), zone: zone)
            }
        }
        facts.creationDate =
            moment(photo?.ascii(0x9003), 0x9011, 0x9291) ?? moment(photo?.ascii(0x9004), 0x9012, 0x9292)
        facts.changeDate = moment(image.ascii(0x0132), 0x9010, 0x9290)
        if let gps { readPlace(gps, into: &facts) }
        return facts
    }

    /// The directory that a tag of the first one points to.
    private func directory(_ tag: Int, _ tags: Set<Int>) -> TIFFDirectory? {
        image.unsigned(tag).map {
            TIFFDirectory(at: $0, spelling, tags: tags, bytes)
        }
    }

    private func readPlace(_ gps: TIFFDirectory, into facts: inout ImageFacts) {
        if let latitude = degrees(gps, 2, negative: "S", limit: 90),
            let longitude = degrees(gps, 4, negative: "W", limit: 180)
        {
            facts.latitude = latitude
            facts.longitude = longitude
        }
        if let metres = gps.rational(6), metres.magnitude < 1e6 {
            facts.altitude = gps.unsigned(5) == 1 ? -metres : metres
        }
    }

    /// Degrees, minutes and seconds with their reference, which is the tag before; nil if one is missing or out of range.
    private func degrees(_ gps: TIFFDirectory, _ tag: Int, negative: Character, limit: Double) -> Double? {
        guard let whole = gps.rational(tag),
            let letter = gps.ascii(tag - 1).flatMap({
                String(decoding: $0.trimmed, as: UTF8.self).uppercased().first
            })
        else { return nil }
        // Seconds of 0/0 are how some cameras say that minutes have a fraction.
        let value = whole + (gps.rational(tag, 1) ?? 0) / 60 + (gps.rational(tag, 2) ?? 0) / 3_600
        guard value.isFinite, value.magnitude <= limit else { return nil }
        return letter == negative ? -value : value
    }

    /// A text without the padding that cameras put around it.
    private func text(_ tag: Int, limit: Int = 256) -> String? {
        guard let bytes = image.ascii(tag) else { return nil }
        var clean: [UInt8] = []
        TextRepair.append(bytes.prefix(limit).trimmed, to: &clean)
        return clean.isEmpty ? nil : String(decoding: clean, as: UTF8.self)
    }
}
