internal import EscrowFormats
internal import EscrowSourceFiles

/// Reads TIFF files, large ones (BigTIFF), DNG and what cameras of Canon, Nikon, Olympus, Panasonic, Pentax and Sony write
/// (TIFF 6.0; Adobe DNG 1.7), whose directories may lie anywhere in the file.
enum TIFFReader {
    /// The most further pictures of a file that are looked at.
    private static let pictureLimit = 8

    /// Reads its facts; nil if the file is no TIFF.
    static func read(_ file: inout WindowedFile, zone: LocalZone) -> ImageFacts? {
        let found = ExifReader.reading { offset, count in
            // What was read before must not keep the file's window.
            file.bytes(at: Int64(offset), count: count).map { Array($0)[...] }
        } _: { exif -> (facts: ImageFacts, sensor: Size?, preview: Int?)? in
            var facts = exif.facts(zone: zone)
            let iptc = exif.image.bytes(0x83BB).map(IPTCReader.words)
            if let iptc = iptc ?? exif.image.bytes(0x8649).flatMap(IPTCReader.read) {
                facts.replaceWords(by: iptc)
            }
            if let packet = exif.image.bytes(0x02BC),
                let xmp = XMPReader.read(packet, zone: zone, onProblem: { _ in })
            {
                facts.replaceWords(by: xmp)
                facts.fill(from: xmp)
            }
            if exif.isPanasonic {
                return (facts, sensorSize(exif.image), exif.image.place(ExifReader.previewTag))
            }
            let picture = mainPicture(exif)
            if let width = picture.unsigned(0x0100), let height = picture.unsigned(0x0101) {
                facts.setSize(width: width, height: height)
            }
            return (facts, nil, nil)
        }
        guard let found else { return nil }
        var facts = found.facts
        // Panasonic's camera leaves the date and the place to the JPEG within the file.
        if let preview = found.preview,
            let told = JPEGReader.read(&file, from: Int64(preview), zone: zone)
        {
            facts.fill(from: told)
        }
        if let size = found.sensor { facts.setSize(width: size.width, height: size.height) }
        return facts
    }

    private typealias Size = (width: Int, height: Int)

    /// The size of Panasonic's pictures: what lies between the edges of the sensor.
    private static func sensorSize(_ image: TIFFDirectory) -> Size? {
        guard let top = image.unsigned(4), let left = image.unsigned(5), let bottom = image.unsigned(6),
            let right = image.unsigned(7)
        else { return nil }
        return (right - left, bottom - top)
    }

    /// The directory of the picture itself: in DNG the first one is that of a preview.
    private static func mainPicture(_ exif: ExifReader) -> TIFFDirectory {
        guard exif.image.unsigned(0x00FE) ?? 0 != 0 else { return exif.image }
        for index in 0..<pictureLimit {
            guard let offset = exif.image.unsigned(0x014A, index) else { break }
            let picture = exif.directory(at: offset)
            if picture.unsigned(0x00FE) == 0 { return picture }
        }
        return exif.image
    }
}
