internal import EscrowFormats
internal import EscrowSourceFiles

/// Walks the chunks of a WebP file (RFC 9649).
enum WebPReader {
    private static let chunkLimit = 1_024

    /// Reads its facts; nil if the file is no WebP.
    static func read(_ file: inout WindowedFile, zone: LocalZone) -> ImageFacts? {
        guard let head = file.bytes(at: 0, count: 12), head.starts(with: "RIFF".utf8),
            head.dropFirst(8).elementsEqual("WEBP".utf8)
        else { return nil }
        var facts = ImageFacts()
        var xmp: ImageFacts?
        var size: (width: Int, height: Int)?
        var offset: Int64 = 12
        for _ in 0..<chunkLimit {
            guard let chunk = file.bytes(at: offset, count: 8), let length = chunk.little32(4) else { break }
            let name = Array(chunk.prefix(4))
            let start = file.available(at: offset + 8, upTo: min(length, 10))
            if name.elementsEqual("VP8X".utf8) {
                // The canvas, in 24 bits each, less one.
                if let width = start?.little32(4), let height = start?.little32(6) {
                    size = (width & 0xFF_FFFF + 1, height >> 8 + 1)
                }
                // Bits for EXIF and for XMP, which stand behind the picture.
                if start?.byte(0).map({ $0 & 0x0C }) == 0 { break }
            } else if name.elementsEqual("VP8 ".utf8) {
                if let width = start?.little16(6), let height = start?.little16(8) {
                    size = size ?? (width & 0x3FFF, height & 0x3FFF)
                }
            } else if name.elementsEqual("VP8L".utf8) {
                if start?.byte(0) == 0x2F, let bits = start?.little32(1) {
                    size = size ?? (bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1)
                }
            } else if name.elementsEqual("EXIF".utf8), length <= XMPReader.sizeLimit {
                let tiff = file.bytes(at: offset + 8, count: length)
                let skip = tiff?.starts(with: "Exif\0\0".utf8) == true ? 6 : 0
                if let exif = tiff.flatMap({ ExifReader.facts($0.dropFirst(skip), zone: zone) }) {
                    facts = exif
                }
            } else if name.elementsEqual("XMP ".utf8), length <= XMPReader.sizeLimit,
                let packet = file.bytes(at: offset + 8, count: length)
            {
                xmp = XMPReader.read(packet, zone: zone) { _ in }
            }
            offset += 8 + Int64(length) + Int64(length & 1)
        }
        if let xmp {
            facts.replaceWords(by: xmp)
            facts.fill(from: xmp)
        }
        if let size { facts.setSize(width: size.width, height: size.height) }
        return facts
    }
}
