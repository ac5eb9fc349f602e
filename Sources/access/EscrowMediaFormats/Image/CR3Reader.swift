internal import EscrowFormats
internal import EscrowSourceFiles

/// Reads Canon's raw pictures (CR3): an ISO base media file in which a box of Canon's own holds each directory of EXIF as TIFF
/// data of its own (as exiftool's `Canon.pm` and the `canon_cr3` description of L. Clévy tell).
enum CR3Reader {
    static let brand = "crx "
    /// The names (UUID) of Canon's box within `moov`, and of the box of XMP.
    private static let canon: [UInt8] = [
        0x85, 0xC0, 0xB6, 0x87, 0x82, 0x0F, 0x11, 0xE0, 0x81, 0x11, 0xF4, 0xCE, 0x46, 0x2B, 0x6A, 0x48,
    ]
    private static let xmp: [UInt8] = [
        0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC,
    ]
    private static let image = BoxCursor.name("CMT1")
    private static let photo = BoxCursor.name("CMT2")
    private static let place = BoxCursor.name("CMT4")

    /// Reads its facts; nil if Canon's box, or the directory of the picture in it, is not there.
    static func read(_ file: inout WindowedFile, zone: LocalZone) -> ImageFacts? {
        var parts: [Int: [UInt8]] = [:]
        var packet: [UInt8]?
        var boxes = BoxCursor(0..<file.size)
        while let box = boxes.next(&file) {
            if box.name == BoxCursor.name("moov") {
                parts = directories(box.content, &file)
            } else if let content = content(of: box, named: xmp, &file) {
                packet = bytes(content, &file)
            }
        }
        guard let image = parts[image] else { return nil }
        var facts = ExifReader.facts(image[...], photo: parts[photo], place: parts[place], zone: zone)
        if let packet, let xmp = XMPReader.read(packet[...], zone: zone, onProblem: { _ in }) {
            facts?.replaceWords(by: xmp)
            facts?.fill(from: xmp)
        }
        return facts
    }

    /// The directories that are wanted, by the name of their box.
    private static func directories(_ range: Range<Int64>, _ file: inout WindowedFile) -> [Int: [UInt8]] {
        var parts: [Int: [UInt8]] = [:]
        var boxes = BoxCursor(range)
        while let box = boxes.next(&file) {
            guard let content = content(of: box, named: canon, &file) else { continue }
            var inner = BoxCursor(content)
            while let part = inner.next(&file) {
                guard [image, photo, place].contains(part.name), parts[part.name] == nil else { continue }
                parts[part.name] = bytes(part.content, &file)
            }
        }
        return parts
    }

    /// What a `uuid` box of that name holds; nil for any other box.
    private static func content(
        of box: BoxCursor.Box, named name: [UInt8], _ file: inout WindowedFile
    ) -> Range<Int64>? {
        guard box.name == BoxCursor.name("uuid"), box.content.count >= name.count,
            file.bytes(at: box.content.lowerBound, count: name.count)?.elementsEqual(name) == true
        else { return nil }
        return box.content.lowerBound + Int64(name.count)..<box.content.upperBound
    }

    private static func bytes(_ range: Range<Int64>, _ file: inout WindowedFile) -> [UInt8]? {
        guard range.count <= HEIFReader.metaLimit else { return nil }
        return file.bytes(at: range.lowerBound, count: range.count).map(Array.init)
    }
}
