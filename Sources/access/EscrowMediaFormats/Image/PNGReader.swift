internal import EscrowFormats
internal import EscrowSourceFiles
internal import EscrowTabular

/// Walks the chunks of a PNG file (W3C PNG, third edition, 5.3).
enum PNGReader {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    /// The largest EXIF chunk that is read.
    private static let exifLimit = 1 << 20
    /// What a text chunk of XMP begins with: the keyword, then "not packed" (ISO 16684-3, 1.1.5), no language, no translation.
    private static let xmpSignature = Array("XML:com.adobe.xmp\0\0\0\0\0".utf8)

    /// Reads what is needed; nil if the file does not begin as a PNG does.
    ///
    /// EXIF (`eXIf`, or a text of ImageMagick's), IPTC and XMP may stand before or after the picture; without a date in any, the
    /// text `Creation Time` counts.
    static func read(_ file: inout WindowedFile, zone: LocalZone) -> ImageFacts? {
        // The signature, then IHDR with its 13 bytes.
        guard let head = file.bytes(at: 0, count: 33), head.part(0, 8)?.elementsEqual(signature) == true,
            head.big32(8) == 13, head.part(12, 4)?.elementsEqual("IHDR".utf8) == true,
            let width = head.big32(16),
            let height = head.big32(20)
        else { return nil }
        var facts = ImageFacts()
        var xmp: ImageFacts?
        var profiles = PNGProfiles(zone: zone)
        var written: Timestamp?
        var offset: Int64 = 33
        while let chunk = file.bytes(at: offset, count: 8), let length = chunk.big32(0),
            let name = chunk.part(4, 4)
        {
            if name.elementsEqual("IEND".utf8) { break }
            if name.elementsEqual("eXIf".utf8), length <= exifLimit,
                let data = file.bytes(at: offset + 8, count: length),
                let found = ExifReader.facts(data, zone: zone)
            {
                facts = found
            } else if name.elementsEqual("tEXt".utf8) || name.elementsEqual("zTXt".utf8),
                length > PNGProfiles.start.count, length <= PNGProfiles.limit,
                file.bytes(at: offset + 8, count: PNGProfiles.start.count)?.elementsEqual(PNGProfiles.start)
                    == true,
                let data = file.bytes(at: offset + 8, count: length)
            {
                profiles.take(data, isPacked: name.elementsEqual("zTXt".utf8))
            } else if name.elementsEqual("iTXt".utf8), xmp == nil, length <= XMPReader.sizeLimit,
                length > xmpSignature.count,
                let start = file.bytes(at: offset + 8, count: xmpSignature.count),
                start.elementsEqual(xmpSignature),
                let packet = file.bytes(
                    at: offset + 8 + Int64(start.count), count: length - start.count)
            {
                xmp = XMPReader.read(packet, zone: zone) { _ in }
            } else if name.elementsEqual("tEXt".utf8), written == nil, length <= 256,
                let data = file.bytes(at: offset + 8, count: length),
                data.starts(with: "Creation Time\0".utf8)
            {
                written = creationTime(data.dropFirst(14), zone)
            }
            if facts.creationDate != nil, xmp != nil { break }
            // Length, name and checksum are 12 bytes more.
            offset += Int64(length) + 12
        }
        if let exif = profiles.exif { facts.fill(from: exif) }
        if let iptc = profiles.iptc { facts.replaceWords(by: iptc) }
        if let xmp = xmp ?? profiles.xmp {
            facts.replaceWords(by: xmp)
            facts.fill(from: xmp)
        }
        facts.creationDate = facts.creationDate ?? written
        facts.setSize(width: width, height: height)
        return facts
    }

    /// ISO 8601, or EXIF's spelling in local time.
    private static func creationTime(_ text: ArraySlice<UInt8>, _ zone: LocalZone) -> Timestamp? {
        Timestamp(iso8601: String(decoding: text.trimmed, as: UTF8.self))
            ?? ExifTime.read(text.trimmed, offset: nil, fraction: nil, zone: zone)
    }
}
