import EscrowTabular
import Testing

@testable import EscrowMediaFormats
@testable import EscrowTableKit

/// EXIF, IPTC and XMP that ImageMagick keeps as texts in a PNG.
extension PictureFormatTests {
    private static let big = Order(isLittle: false)
    private static let little = Order(isLittle: true)

    private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        big.four(data.count) + Array(name.utf8) + data + big.four(0)
    }

    /// A profile as a chunk of a PNG.
    private static func profile(
        _ name: String, _ bytes: [UInt8], digits: String? = nil, isPacked: Bool
    ) -> [UInt8] {
        let digits = digits ?? bytes.map { String(0x100 | Int($0), radix: 16).dropFirst() }.joined()
        var lines = "\n\(name)\n    \(bytes.count)"
        for (index, digit) in digits.enumerated() { lines += (index % 72 == 0 ? "\n" : "") + String(digit) }
        let key = Array("Raw profile type \(name)\0".utf8)
        let text = Array((lines + "\n").utf8)
        guard isPacked else { return chunk("tEXt", key + text) }
        // One block of deflate that is stored as it is.
        let size = little.two(text.count) + little.two(0xFFFF ^ text.count)
        let packed: [UInt8] = [0, 0x78, 0x01, 1] + size + text
        return chunk("zTXt", key + packed + big.four(0))
    }

    private func read(_ chunks: [UInt8]) throws -> [Cell] {
        let size: [UInt8] = Self.big.four(640) + Self.big.four(480) + [8, 2, 0, 0, 0]
        let head = PNGReader.signature + Self.chunk("IHDR", size)
        let end = Self.chunk("IDAT", []) + Self.chunk("IEND", [])
        let log = ProblemLog()
        let found = try facts(
            "a.png", head + chunks + end, "pixelWidth", "cameraMake", "orientation", "title", "keywords",
            log: log)
        #expect(log.reasons == [])
        return found
    }

    /// What EXIF says of a picture's maker, turned by a quarter.
    private static let exif: [UInt8] = {
        let directory = big.directory([big.text(0x010F, 8, at: 38), big.entry(0x0112, 6)])
        return Array("Exif\0\0".utf8) + big.header(first: 8) + directory + Array("Pinhole\0".utf8)
    }()

    @Test("profiles in the texts of a PNG are read, and damaged ones are none", arguments: [false, true])
    func profilesInPNG(isPacked: Bool) throws {
        let title: [UInt8] = [0x1C, 2, 5] + Self.big.two(4) + Array("Quay".utf8)
        let words: [UInt8] = title + [0x1C, 2, 25] + Self.big.two(3) + Array("sea".utf8)
        let both =
            Self.profile("exif", Self.exif, isPacked: isPacked)
            + Self.profile("iptc", words, isPacked: isPacked)
        #expect(try read(both) == [480, "Pinhole", 6, "Quay", "sea"])
        // Within Photoshop's resources, as others pack it.
        let name: [UInt8] = Array("8BIM".utf8) + Self.big.two(0x0404) + [0, 0]
        let resources = name + Self.big.four(words.count) + words
        #expect(
            try read(Self.profile("iptc", resources, isPacked: isPacked)) == [640, nil, nil, "Quay", "sea"])
        for digits in [String(repeating: "zz", count: Self.exif.count), "45", ""] {
            let damaged = Self.profile("exif", Self.exif, digits: digits, isPacked: isPacked)
            #expect(try read(damaged) == [640, nil, nil, nil, nil])
        }
    }

    @Test("XMP in the texts of a PNG is read under either keyword")
    func packetsInPNG() throws {
        let packet = Array(
            """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
            <rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title><rdf:Alt>\
            <rdf:li xml:lang="x-default">Quay</rdf:li></rdf:Alt></dc:title></rdf:Description></rdf:RDF></x:xmpmeta>
            """.utf8)
        #expect(
            try read(Self.profile("xmp", packet, isPacked: true)) == [640, nil, nil, "Quay", nil])
        #expect(
            try read(Self.profile("APP1", XMPReader.signature + packet, isPacked: false))
                == [640, nil, nil, "Quay", nil])
    }

    @Test("the first profile of a kind counts: thousands that unpack to much cost no more than one")
    func firstProfileCounts() throws {
        let damaged = Self.profile("exif", Self.exif, digits: "", isPacked: true)
        let whole = Self.profile("exif", Self.exif, isPacked: true)
        #expect(try read(whole + damaged) == [480, "Pinhole", 6, nil, nil])
        #expect(try read(damaged + whole) == [640, nil, nil, nil, nil])
    }
}
