internal import EscrowFormats
internal import EscrowSourceFiles

/// Walks the segments of a JPEG file (ITU-T T.81, annex B) up to the picture itself.
enum JPEGReader {
    /// Reads its facts; nil if there is no JPEG or it ends too early.
    ///
    /// - Parameter start: where it begins: raw pictures hold one.
    static func read(_ file: inout WindowedFile, from start: Int64 = 0, zone: LocalZone) -> ImageFacts? {
        var facts = ImageFacts()
        var hasExif = false
        var xmp: ImageFacts?
        var iptc: ImageFacts?
        var size: (width: Int, height: Int)?
        guard file.bytes(at: start, count: 2)?.big16(0) == 0xFFD8 else { return nil }
        var offset = start + 2
        // XMP tells what EXIF may lack, so that both are looked for: what a column says must not depend on the others.
        while true {
            guard let marker = file.bytes(at: offset, count: 4), marker.byte(0) == 0xFF,
                let code = marker.byte(1)
            else {
                // Some files lack the end; what was found is still true.
                return hasExif || xmp != nil || size != nil ? finish(facts, iptc, xmp, size) : nil
            }
            if code == 0xFF {
                offset += 1
                continue
            }
            // The compressed picture begins, or the file ends: nothing of interest follows.
            if code == 0xDA || code == 0xD9 { break }
            if code == 0x01 || (0xD0...0xD7).contains(code) {
                offset += 2
                continue
            }
            guard let length = marker.big16(2), length >= 2 else {
                return hasExif || xmp != nil || size != nil ? finish(facts, iptc, xmp, size) : nil
            }
            if isFrame(code), size == nil, length >= 7, let frame = file.bytes(at: offset + 4, count: 5),
                let height = frame.big16(1),
                let width = frame.big16(3)
            {
                // EXIF and XMP should stand before the frame; programs wrote XMP behind it (exiv2's `exiv2-bug1229.jpg`).
                size = (width, height)
            }
            if code == 0xE1, !hasExif, length > 10, let head = file.bytes(at: offset + 4, count: 6),
                head.elementsEqual("Exif\0\0".utf8)
            {
                if let tiff = file.bytes(at: offset + 10, count: length - 8),
                    let exif = ExifReader.facts(tiff, zone: zone)
                {
                    facts = exif
                }
                hasExif = true
            }
            if code == 0xED, iptc == nil, length > 2 + IPTCReader.signature.count,
                let head = file.bytes(at: offset + 4, count: IPTCReader.signature.count),
                head.elementsEqual(IPTCReader.signature),
                let resources = file.bytes(at: offset + 4 + Int64(head.count), count: length - 2 - head.count)
            {
                iptc = IPTCReader.read(resources)
            }
            // There may be one packet. Of several the last is what was written last.
            if code == 0xE1, length > 2 + XMPReader.signature.count,
                let head = file.bytes(at: offset + 4, count: XMPReader.signature.count),
                head.elementsEqual(XMPReader.signature),
                let packet = file.bytes(
                    at: offset + 4 + Int64(head.count), count: length - 2 - head.count)
            {
                xmp = XMPReader.read(packet, zone: zone) { _ in } ?? xmp
            }
            offset += 2 + Int64(length)
        }
        return finish(facts, iptc, xmp, size)
    }

    /// SOF0 to SOF15, without DHT, JPG and DAC, which share their range.
    private static func isFrame(_ code: UInt8) -> Bool {
        (0xC0...0xCF).contains(code) && code != 0xC4 && code != 0xC8 && code != 0xCC
    }

    private static func finish(
        _ facts: ImageFacts, _ iptc: ImageFacts?, _ xmp: ImageFacts?, _ size: (width: Int, height: Int)?
    ) -> ImageFacts {
        var facts = facts
        // EXIF's description is often the camera's, IPTC's and XMP's are a person's; XMP's are the later ones.
        if let iptc { facts.replaceWords(by: iptc) }
        if let xmp {
            facts.replaceWords(by: xmp)
            facts.fill(from: xmp)
        }
        if let size { facts.setSize(width: size.width, height: size.height) }
        return facts
    }
}
