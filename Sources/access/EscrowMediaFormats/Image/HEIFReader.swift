internal import EscrowFormats
internal import EscrowSourceFiles

/// Reads HEIC and AVIF: the `meta` box of an ISO base media file (ISO/IEC 14496-12, 23008-12).
enum HEIFReader {
    /// The largest `meta` box and the largest item of EXIF or XMP that are read.
    static let metaLimit = 1 << 20
    private static let topLimit = 64

    /// Reads what is needed; nil if there is no readable `meta` box with a primary picture.
    static func read(_ file: inout WindowedFile, zone: LocalZone) -> ImageFacts? {
        guard let meta = meta(of: &file), let items = HEIFItems(meta) else { return nil }
        var facts = ImageFacts()
        if let place = items.exif, let data = bytes(of: place, items, &file), let skip = data.big32(0),
            let tiff = data.part(4, data.count - 4), let start = tiff.part(skip, max(0, tiff.count - skip)),
            let exif = ExifReader.facts(start, zone: zone)
        {
            facts = exif
        }
        if let place = items.xmp, let packet = bytes(of: place, items, &file),
            let xmp = XMPReader.read(packet, zone: zone, onProblem: { _ in })
        {
            facts.replaceWords(by: xmp)
            facts.fill(from: xmp)
        }
        // The container's own rotation is the one that counts here, not EXIF's (ISO/IEC 23008-12, A.2.2).
        if let size = items.primarySize {
            facts.pixelWidth = Int64(items.isTurned ? size.height : size.width)
            facts.pixelHeight = Int64(items.isTurned ? size.width : size.height)
        }
        return facts
    }

    /// The content of the top-level `meta` box, without its version and flags.
    private static func meta(of file: inout WindowedFile) -> ArraySlice<UInt8>? {
        var offset: Int64 = 0
        for _ in 0..<topLimit {
            guard let head = file.bytes(at: offset, count: 8), let small = head.big32(0),
                let name = head.part(4, 4)
            else { return nil }
            var header: Int64 = 8
            var size = Int64(small)
            if small == 1 {
                guard let long = file.bytes(at: offset + 8, count: 8)?.big64(0), long <= Int64.max else {
                    return nil
                }
                size = Int64(long)
                header = 16
            } else if small == 0 {
                size = file.size - offset
            }
            guard size >= header, size <= file.size - offset else { return nil }
            // The slice `name` is of an earlier read; compare before the next one.
            if name.elementsEqual("meta".utf8) {
                guard size - header >= 4, size - header <= Int64(metaLimit) else { return nil }
                return file.bytes(at: offset + header, count: Int(size - header))?.dropFirst(4)
            }
            offset += size
        }
        return nil
    }

    private static func bytes(
        of place: HEIFItems.Place, _ items: HEIFItems, _ file: inout WindowedFile
    ) -> ArraySlice<UInt8>? {
        guard place.length > 4, place.length <= metaLimit else { return nil }
        switch place.construction {
        case 0: return file.bytes(at: place.offset, count: place.length)
        case 1: return Int(exactly: place.offset).flatMap { items.data?.part($0, place.length) }
        default: return nil
        }
    }
}
