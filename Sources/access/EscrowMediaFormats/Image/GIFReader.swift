internal import EscrowFormats
internal import EscrowSourceFiles

/// Reads GIF files (GIF89a, CompuServe 1990): the size, and XMP in an application extension (XMP Part 3, 1.1.2).
enum GIFReader {
    private static let blockLimit = 256
    /// What stands before a packet of XMP.
    private static let xmpSignature = Array("XMP DataXMP".utf8)

    /// Reads its facts; nil if the file is no GIF.
    static func read(_ file: inout WindowedFile, zone: LocalZone) -> ImageFacts? {
        guard let head = file.bytes(at: 0, count: 13), head.starts(with: "GIF8".utf8),
            let width = head.little16(6), let height = head.little16(8), let flags = head.byte(10)
        else { return nil }
        var facts = ImageFacts()
        facts.setSize(width: width, height: height)
        var offset: Int64 = 13 + (flags & 0x80 == 0 ? 0 : 3 << (Int64(flags & 7) + 1))
        for _ in 0..<blockLimit {
            // Extensions stand before the first picture; what follows it is not looked at.
            guard let start = file.bytes(at: offset, count: 3), start.byte(0) == 0x21,
                let size = start.byte(2)
            else { break }
            let isXMP =
                start.byte(1) == 0xFF
                && file.bytes(at: offset + 3, count: Int(size))?.elementsEqual(xmpSignature) == true
            if isXMP {
                let packet = file.available(at: offset + 3 + Int64(size), upTo: XMPReader.sizeLimit)
                // The packet ends where the trailer begins, with a byte that XML never has.
                if let text = packet?.prefix(while: { $0 != 1 }),
                    let xmp = XMPReader.read(text, zone: zone, onProblem: { _ in })
                {
                    facts.fill(from: xmp)
                }
                break
            }
            offset += 2
            while let length = file.bytes(at: offset, count: 1)?.byte(0) {
                offset += 1 + Int64(length)
                if length == 0 { break }
            }
        }
        return facts
    }
}
