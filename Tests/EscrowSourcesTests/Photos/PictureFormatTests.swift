import EscrowTabular
import Testing

@testable import EscrowFormats
@testable import EscrowMedia
@testable import EscrowSources
@testable import EscrowTableKit

@Suite("Formats of pictures and films")
struct PictureFormatTests {
    func facts(_ name: String, _ bytes: [UInt8], _ columns: String..., log: ProblemLog = ProblemLog())
        throws -> [Cell]
    {
        let folder = try Folder()
        folder.write(name, bytes)
        let table = Table("Photos", .photos, folder.path, log: log)
        let rows = try table.rows()
        #expect(rows.count == 1)
        return columns.map { rows[0][table.column($0)] }
    }

    /// Numbers in the byte order of TIFF data.
    struct Order {
        let isLittle: Bool
        func two(_ value: Int) -> [UInt8] { bytes(value, 2) }
        func four(_ value: Int) -> [UInt8] { bytes(value, 4) }
        private func bytes(_ value: Int, _ count: Int) -> [UInt8] {
            let big = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
            return isLittle ? big.reversed() : big
        }
        /// An entry of a directory with one number.
        func entry(_ tag: Int, _ value: Int) -> [UInt8] { two(tag) + two(4) + four(1) + four(value) }
        /// An entry whose text lies elsewhere.
        func text(_ tag: Int, _ count: Int, at offset: Int) -> [UInt8] {
            two(tag) + two(2) + four(count) + four(offset)
        }
        func directory(_ entries: [[UInt8]]) -> [UInt8] { two(entries.count) + entries.joined() + four(0) }
        func header(first: Int) -> [UInt8] {
            (isLittle ? [0x49, 0x49] : [0x4D, 0x4D]) + two(42) + four(first)
        }
    }

    @Test(
        "a TIFF tells its size, camera and date from a directory behind the picture",
        arguments: [true, false])
    func tiff(_ isLittle: Bool) throws {
        let order = Order(isLittle: isLittle)
        let picture = [UInt8](repeating: 9, count: 20_000)
        let texts = Array("Pinhole\0".utf8) + Array("2026:03:01 12:00:00\0".utf8)
        let file =
            order.header(first: 8 + picture.count + texts.count) + picture + texts
            + order.directory([
                order.entry(0x0100, 640), order.entry(0x0101, 480),
                order.text(0x010F, 8, at: 8 + picture.count), order.entry(0x0112, 6),
                order.text(0x0132, 20, at: 16 + picture.count),
            ])
        let log = ProblemLog()
        #expect(
            try facts("a.tif", file, "pixelWidth", "pixelHeight", "cameraMake", "creationDate", log: log)
                == [480, 640, "Pinhole", "2026-03-01T11:00:00.000Z"])
        #expect(log.reasons == [])
    }

    /// exiv2's `FujiTags…`, `FurnaceCreekInn.jpg` and `smiley1.jpg`.
    @Test(
        "numbers that are signed for no reason are numbers, and a time may be told as ISO 8601 has it",
        arguments: [
            ("2026-03-01T12:00:00Z", "2026-03-01T12:00:00.000Z"),
            ("2026-03-01T12:00:00.25+02:00", "2026-03-01T10:00:00.250Z"),
            ("2026:03:01 12:00:00", "2026-03-01T11:00:00.000Z"),
            ("2026:03:01 12:00:00 tea", "2026-03-01T11:00:00.000Z"),
        ])
    func signedNumbersAndISOTimes(time: String, moment: String) throws {
        let order = Order(isLittle: true)
        func signed(_ tag: Int, _ type: Int, _ value: Int) -> [UInt8] {
            order.two(tag) + order.two(type) + order.four(1) + order.four(value)
        }
        func file(orientation: Int) -> [UInt8] {
            let text = Array(time.utf8) + [0]
            return order.header(first: 8 + text.count) + text
                + order.directory([
                    signed(0x0100, 9, 640), signed(0x0101, 8, 480), signed(0x0112, 9, orientation),
                    order.text(0x0132, text.count, at: 8),
                ])
        }
        #expect(
            try facts(
                "a.tif", file(orientation: 1), "pixelWidth", "pixelHeight", "orientation", "creationDate")
                == [640, 480, 1, .text(moment)])
        #expect(try facts("a.tif", file(orientation: -1), "pixelWidth", "orientation") == [640, nil])
    }

    @Test("a DNG has the size of its full picture, not of the preview before it")
    func dng() throws {
        let order = Order(isLittle: true)
        let first = order.directory([
            order.entry(0x00FE, 1), order.entry(0x0100, 16), order.entry(0x0101, 12),
            order.two(0x014A) + order.two(4) + order.four(2) + order.four(200),
        ])
        let preview = order.directory([
            order.entry(0x00FE, 1), order.entry(0x0100, 64), order.entry(0x0101, 48),
        ])
        let full = order.directory([
            order.entry(0x00FE, 0), order.entry(0x0100, 4000), order.entry(0x0101, 3000),
        ])
        var file = order.header(first: 8) + first
        file += [UInt8](repeating: 0, count: 200 - file.count) + order.four(300) + order.four(400)
        file += [UInt8](repeating: 0, count: 300 - file.count) + preview
        file += [UInt8](repeating: 0, count: 400 - file.count) + full
        #expect(try facts("a.dng", file, "pixelWidth", "pixelHeight") == [4000, 3000])
    }

    @Test("a TIFF with offsets of eight bytes is read like any other", arguments: [true, false])
    func bigTIFF(isLittle: Bool) throws {
        let order = Order(isLittle: isLittle)
        func eight(_ value: Int) -> [UInt8] {
            isLittle ? order.four(value) + order.four(0) : order.four(0) + order.four(value)
        }
        func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
            order.two(tag) + order.two(type) + eight(count)
                + value + [UInt8](repeating: 0, count: 8 - value.count)
        }
        let head = Array((isLittle ? "II" : "MM").utf8) + order.two(43) + order.two(8) + order.two(0)
        let text = Array("2026:03:01 12:00:00\0".utf8)
        let file =
            head + eight(16 + text.count) + text + eight(5)
            + entry(0x0100, 16, 1, eight(640)) + entry(0x0101, 4, 1, order.four(480))
            + entry(0x010F, 2, 6, Array("Canon\0".utf8)) + entry(0x0112, 3, 1, order.two(6))
            + entry(0x0132, 2, text.count, eight(16)) + eight(0)
        let log = ProblemLog()
        #expect(
            try facts("a.btf", file, "pixelWidth", "pixelHeight", "cameraMake", "creationDate", log: log)
                == [480, 640, "Canon", "2026-03-01T11:00:00.000Z"])
        #expect(log.reasons == [])
        // An offset beyond every file, and a size of offsets that is none, are damage.
        for (place, byte) in [(isLittle ? 15 : 8, UInt8(0x7F)), (isLittle ? 4 : 5, 4)] {
            var damaged = file
            damaged[place] = byte
            #expect(try facts("a.btf", damaged, "pixelWidth", "cameraMake") == [nil, nil])
        }
    }

    @Test(
        "raw pictures of cameras are read as TIFF, whatever they are called",
        arguments: ["cr2", "NEF", "arw", "pef"])
    func raw(ending: String) throws {
        let order = Order(isLittle: true)
        let preview = order.directory([
            order.entry(0x00FE, 1), order.entry(0x0100, 160), order.entry(0x0101, 120),
            order.two(0x014A) + order.two(4) + order.four(1) + order.four(200),
        ])
        var file = order.header(first: 8) + preview
        file += [UInt8](repeating: 0, count: 200 - file.count)
        file += order.directory([
            order.entry(0x00FE, 0), order.entry(0x0100, 6000), order.entry(0x0101, 4000),
        ])
        #expect(try facts("a.\(ending)", file, "mediaType", "pixelWidth", "pixelHeight") == [1, 6000, 4000])
    }

    @Test("GIF, BMP and WebP tell their sizes, and XMP where they have it")
    func others() throws {
        let order = Order(isLittle: true)
        let xmp = Array(Picture.xmp.utf8)
        let gif =
            Array("GIF89a".utf8) + order.two(300) + order.two(200) + [0x80, 0, 0] + [1, 2, 3, 4, 5, 6]
            + [0x21, 0xFE, 2, 7, 7, 0] + [0x21, 0xFF, 11] + Array("XMP DataXMP".utf8) + xmp
            + [1] + (0...255).reversed().map { UInt8($0) } + [0, 0x3B]
        #expect(
            try facts("a.gif", gif, "pixelWidth", "pixelHeight", "title") == [300, 200, "Dusk & dawn"])
        let bmp =
            Array("BM".utf8) + [UInt8](repeating: 0, count: 12) + order.four(40) + order.four(31)
            + order.four(-17) + [UInt8](repeating: 0, count: 16)
        #expect(try facts("a.bmp", bmp, "pixelWidth", "pixelHeight") == [31, 17])
        func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
            Array(name.utf8) + order.four(content.count) + content
                + (content.count % 2 == 0 ? [] : [0])
        }
        func webp(_ chunks: [UInt8]) -> [UInt8] {
            Array("RIFF".utf8) + order.four(chunks.count + 4) + Array("WEBP".utf8) + chunks
        }
        let lossy = chunk("VP8 ", [0x30, 1, 0, 0x9D, 1, 0x2A] + order.two(550) + order.two(368))
        #expect(try facts("a.webp", webp(lossy), "pixelWidth", "pixelHeight") == [550, 368])
        let lossless = chunk("VP8L", [0x2F] + order.four(549 | 367 << 14))
        #expect(try facts("a.webp", webp(lossless), "pixelWidth", "pixelHeight") == [550, 368])
        let exif =
            order.header(first: 8) + order.directory([order.entry(0x0112, 6)])
        let extended =
            chunk("VP8X", [0x0C, 0, 0, 0] + order.four(999).prefix(3) + order.four(665).prefix(3)) + lossy
            + chunk("EXIF", exif) + chunk("XMP ", xmp)
        #expect(
            try facts("a.webp", webp(extended), "pixelWidth", "pixelHeight", "rating", "orientation")
                == [666, 1000, 4, 6])
    }

    @Test("a video of WebM tells its size and length")
    func webm() throws {
        func element(_ id: [UInt8], _ content: [UInt8]) -> [UInt8] {
            id + [0x40 | UInt8(content.count >> 8), UInt8(content.count & 0xFF)] + content
        }
        let info = element([0x15, 0x49, 0xA9, 0x66], element([0x44, 0x89], [0x46, 0x1C, 0x40, 0]))
        let video = element([0xE0], element([0xB0], [0x05, 0]) + element([0xBA], [0x02, 0xD0]))
        let tracks = element([0x16, 0x54, 0xAE, 0x6B], element([0xAE], video))
        let file =
            element([0x1A, 0x45, 0xDF, 0xA3], element([0x42, 0x82], Array("webm".utf8)))
            + element([0x18, 0x53, 0x80, 0x67], info + tracks)
        #expect(try facts("a.webm", file, "pixelWidth", "pixelHeight", "duration") == [1280, 720, 10.0])
    }

    @Test("a size that cannot be read is told, each time, and what can be read is served")
    func unread() async throws {
        let folder = try Folder()
        folder.write("a.jpg", Picture.jpeg(xmp: Picture.xmp).dropLast(23))
        folder.write("b.tif", "FOVb a raw one".utf8)
        folder.write("c.gif", "GIF89a\0\0\0\0\0\0\0".utf8)
        folder.write("d.bmp", "BM".utf8)
        try await folder.settle()
        let home = try Folder()
        for _ in 0..<2 {
            let log = ProblemLog()
            let context = SourceContext(
                SourceAdapters[.photos]!, roots: [folder.path], memory: SourceMemory(directory: home.path)
            ) { log.add($0, $1) }
            let rows = try Table(PhotosTable(context: context, zone: .fixed(0))).rows("pixelWidth", "title")
            #expect(rows == [[nil, "Dusk & dawn"], [nil, nil], [nil, nil], [nil, nil]])
            #expect(
                log.reasons == [
                    "a JPEG header without a size", "no picture of a kind whose header is read",
                    "a GIF header without a size", "a damaged BMP header",
                ])
        }
    }

    @Test(
        "a film's place is read as phones and cameras write it",
        arguments: [
            ("xyz", "+27.5916-086.5640+8850/", [27.5916, -86.564, 8850.0] as [Cell]),
            ("xyz", "+2735.496-08633.840/", [27.5916, -86.564, nil]),
            ("xyz", "-273529.76+0863350.4+12.5CRSWGS_84/", [-27.5916, 86.564, 12.5]),
            ("xyz", "+27.5916+186.5640/", [nil, nil, nil]), ("xyz", "+275.916+086.5640/", [nil, nil, nil]),
            ("ilst", "+27.5916-086.5640/", [27.5916, -86.564, nil]),
            ("keys", "+27.5916-086.5640+010.000CRSWGS_84/", [27.5916, -86.564, 10.0]),
            ("loci", "Summit", [27.5, -86.25, 8850.0]), ("wide", "", [27.5, -86.25, 8850.0]),
        ])
    func places(_ form: String, _ text: String, _ expected: [Cell]) throws {
        let order = Order(isLittle: false)
        func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
            box(Array(name.utf8), content)
        }
        func box(_ name: [UInt8], _ content: [UInt8]) -> [UInt8] {
            order.four(content.count + 8) + name + content
        }
        let value = box("data", order.four(1) + order.four(0) + Array(text.utf8))
        let xyz: [UInt8] = [0xA9] + Array("xyz".utf8)
        let numbers = [0] + order.four(-5_652_480) + order.four(1_802_240) + order.four(8850 << 16)
        let content: [UInt8]
        switch form {
        case "xyz":
            content = box("udta", box(xyz, order.two(text.utf8.count) + [0x15, 0xC7] + Array(text.utf8)))
        case "ilst": content = box("udta", box("meta", order.four(0) + box("ilst", box(xyz, value))))
        case "keys":
            let key = Array("mdtacom.apple.quicktime.location.ISO6709".utf8)
            let keys = order.four(0) + order.four(1) + order.four(key.count + 4) + key
            let handler = box("hdlr", order.four(0) + order.four(0) + Array("mdta".utf8))
            content = box("meta", handler + box("keys", keys) + box("ilst", box(order.four(1), value)))
        default:
            let name = form == "wide" ? [0xFE, 0xFF, 0, 0x53, 0, 0] : Array(text.utf8) + [0]
            content = box("udta", box("loci", order.four(0) + order.two(0x15C7) + name + numbers))
        }
        let file = box("ftyp", Array("isom".utf8) + order.four(0)) + box("moov", content)
        let found = try facts("a.mp4", file, "latitude", "longitude", "altitude")
        for (own, wanted) in zip(found, expected) {
            if case .real(let a) = own, case .real(let b) = wanted {
                #expect(abs(a - b) < 1e-9)
            } else {
                #expect(own == wanted)
            }
        }
    }
}
