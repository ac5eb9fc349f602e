import EscrowTabular
import Foundation
import Testing

/// Cameras whose raw pictures are no plain TIFF.
extension PictureFormatTests {
    private static let order = Order(isLittle: true)
    private static let columns = [
        "mediaType", "mimeType", "pixelWidth", "pixelHeight", "cameraMake", "creationDate", "latitude",
    ]

    /// TIFF data of a maker and of whatever else; each value that lies elsewhere is appended behind the directory.
    private static func tiff(
        magic: [UInt8] = [42, 0], _ numbers: [(tag: Int, value: Int)] = [],
        texts: [(tag: Int, text: String)] = [],
        bytes: [(tag: Int, type: Int, count: Int, bytes: [UInt8])] = [],
        directories: [(tag: Int, entries: (_ offset: Int) -> [UInt8])] = []
    ) -> [UInt8] {
        var entries: [(tag: Int, entry: [UInt8])] = numbers.map { ($0.tag, order.entry($0.tag, $0.value)) }
        let count = numbers.count + texts.count + bytes.count + directories.count
        var offset = 8 + 2 + count * 12 + 4
        var behind: [UInt8] = []
        func add(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) {
            entries.append(
                (tag, order.two(tag) + order.two(type) + order.four(count) + order.four(offset)))
            behind += value
            offset += value.count
        }
        for (tag, text) in texts { add(tag, 2, text.utf8.count + 1, Array(text.utf8) + [0]) }
        for item in bytes { add(item.tag, item.type, item.count, item.bytes) }
        for (tag, make) in directories {
            let value = make(offset)
            entries.append((tag, order.entry(tag, offset)))
            behind += value
            offset += value.count
        }
        return [0x49, 0x49] + magic + order.four(8)
            + order.directory(entries.sorted { $0.tag < $1.tag }.map(\.entry)) + behind
    }

    /// A directory with the time at which the picture was taken.
    private static func photo(at offset: Int) -> [UInt8] {
        let text = Array("2026:03:01 12:00:00\0".utf8)
        return order.directory([order.text(0x9003, text.count, at: offset + 18)]) + text
    }

    /// A directory with a place 59.5 degrees north and 10 east.
    private static func place(at offset: Int) -> [UInt8] { place(at: offset, type: 5, east: 10) }

    private static func place(at offset: Int, type: Int, east: Int) -> [UInt8] {
        func reference(_ tag: Int, _ letter: Character) -> [UInt8] {
            order.two(tag) + order.two(2) + order.four(2) + [letter.asciiValue!, 0, 0, 0]
        }
        func degrees(_ tag: Int, _ place: Int) -> [UInt8] {
            order.two(tag) + order.two(type) + order.four(3) + order.four(place)
        }
        let values = offset + 2 + 4 * 12 + 4
        let numbers = [59, 1, 30, 1, 0, 1, east, 1, 0, 1, 0, 1].flatMap { order.four($0) }
        return order.directory([
            reference(1, "N"), degrees(2, values), reference(3, "E"), degrees(4, values + 24),
        ]) + numbers
    }

    private static let exif = tiff(
        texts: [(0x010F, "Pinhole")], directories: [(0x8769, photo), (0x8825, place)])

    private static func jpeg(width: Int, height: Int) -> [UInt8] {
        let big = Order(isLittle: false)
        return [0xFF, 0xD8, 0xFF, 0xE1] + big.two(exif.count + 8) + Array("Exif\0\0".utf8) + exif
            + [0xFF, 0xC0, 0, 17, 8] + big.two(height) + big.two(width)
            + [3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1] + [0xFF, 0xD9]
    }

    private static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
        Order(isLittle: false).four(content.count + 8) + Array(name.utf8) + content
    }

    static let cr3: [UInt8] = {
        let canon: [UInt8] = [
            0x85, 0xC0, 0xB6, 0x87, 0x82, 0x0F, 0x11, 0xE0, 0x81, 0x11, 0xF4, 0xCE, 0x46, 0x2B, 0x6A, 0x48,
        ]
        func alone(_ entries: (_ offset: Int) -> [UInt8]) -> [UInt8] {
            [0x49, 0x49, 42, 0] + order.four(8) + entries(8)
        }
        let parts =
            box("CMT1", tiff([(0x0100, 6000), (0x0101, 4000)], texts: [(0x010F, "Pinhole")]))
            + box("CMT2", alone(photo)) + box("CMT4", alone(place))
        return box("ftyp", Array("crx ".utf8) + [0, 0, 0, 1] + Array("crx isom".utf8))
            + box("moov", box("uuid", canon + parts)) + box("mdat", [1, 2, 3, 4])
    }()

    static let raf: [UInt8] = {
        let big = Order(isLittle: false)
        let picture = jpeg(width: 4896, height: 3264)
        let head = Array("FUJIFILMCCD-RAW 0201FF392201Pinhole".utf8)
        return head + [UInt8](repeating: 0, count: 84 - head.count) + big.four(148) + big.four(picture.count)
            + [UInt8](repeating: 0, count: 56) + picture
    }()

    static let rw2: [UInt8] = {
        let picture = jpeg(width: 1920, height: 1440)
        return tiff(
            magic: [0x55, 0], [(4, 6), (5, 8), (6, 2742), (7, 3656)], texts: [(0x010F, "Pinhole")],
            bytes: [(0x002E, 7, picture.count, picture)])
    }()

    static func orf(_ magic: String) -> [UInt8] {
        tiff(
            magic: Array(magic.utf8), [(0x0100, 4640), (0x0101, 3472)], texts: [(0x010F, "Pinhole")],
            directories: [(0x8769, photo), (0x8825, place)])
    }

    @Test("a place may be told in signed fractions, below zero too", arguments: [10, -10])
    func signedPlace(east: Int) throws {
        let file = Self.tiff(directories: [(0x8825, { Self.place(at: $0, type: 10, east: east) })])
        #expect(try facts("a.tif", file, "latitude", "longitude") == [59.5, .real(Double(east))])
    }

    @Test(
        "raw pictures in formats of their makers' own tell size, camera, time and place",
        arguments: [
            ("a.cr3", "canon-cr3", cr3, 6000, 4000), ("a.RAF", "fuji-raf", raf, 4896, 3264),
            ("a.rw2", "panasonic-rw2", rw2, 3648, 2736), ("a.orf", "olympus-orf", orf("RO"), 4640, 3472),
            ("a.orf", "olympus-orf", orf("RS"), 4640, 3472),
        ])
    func ownFormats(_ name: String, _ type: String, _ file: [UInt8], _ width: Int, _ height: Int) throws {
        let log = ProblemLog()
        let told = try Self.columns.map { try facts(name, file, $0, log: log)[0] }
        #expect(
            told == [
                1, .text("image/x-" + type), .integer(Int64(width)), .integer(Int64(height)), "Pinhole",
                "2026-03-01T11:00:00.000Z", 59.5,
            ])
        #expect(log.reasons == [])
        // Cut off anywhere, or with an offset beyond the file, it is a file of which less is known, and no more than that.
        for length in stride(from: 12, to: file.count, by: 7) {
            _ = try facts(name, Array(file.prefix(length)), "pixelWidth")
        }
        for place in stride(from: 4, to: min(file.count, 400), by: 3) {
            var damaged = file
            damaged[place] = 0xFF
            _ = try facts(name, damaged, "pixelWidth")
        }
        // exiftool reads the same in it.
        let folder = try Folder()
        let path = folder.write(name, file)
        let script = """
            import shutil, subprocess
            if shutil.which('exiftool'):
                tags = ['-ImageWidth', '-ImageHeight', '-Make', '-DateTimeOriginal', '-Composite:GPSLatitude']
                print(subprocess.check_output(['exiftool', '-n', '-T', *tags, '\(path)'], text=True), end='')
            """
        guard let theirs = Python.run("-c \"\(script)\"", needs: "shutil"), !theirs.isEmpty else {
            print("SKIP: exiftool is not installed")
            return
        }
        #expect(theirs == "\(width)\t\(height)\tPinhole\t2026:03:01 12:00:00\t59.5\n")
    }
}
