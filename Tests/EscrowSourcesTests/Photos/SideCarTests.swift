import EscrowSchema
import EscrowTabular
import Glibc
import Testing

@testable import EscrowFormats
@testable import EscrowMedia
@testable import EscrowMediaFormats
@testable import EscrowSources
@testable import EscrowTableKit

@Suite("What is said of a picture, in it and beside it")
struct SideCarTests {
    @Test(
        "XMP within a JPEG file, in elements and in attributes, before the frame and behind its head",
        arguments: [false, true])
    func inJPEG(isLate: Bool) throws {
        let folder = try Folder()
        for (name, xmp) in [("a", Picture.xmp), ("b", Picture.shortXMP)] {
            folder.write(
                "\(name).jpg", isLate ? Picture.jpeg(xmp: nil, late: xmp) : Picture.jpeg(xmp: xmp))
        }
        let log = ProblemLog()
        let table = Table("Photos", .photos, folder.path, log: log)
        #expect(
            try table.rows("filename", "title", "description", "keywords", "rating") == [
                ["a.jpg", "Dusk & dawn", "Über den Dächern", "town; roofs", 4],
                ["b.jpg", nil, nil, nil, -1],
            ])
        #expect(
            try table.rows("creationDate", "latitude", "longitude", "altitude", "cameraModel", "pixelWidth")
                == [
                    ["2026-03-01T11:00:00.500Z", 60.5, -5.25, -12.5, "Pinhole 9", 8],
                    ["2026-03-02T11:00:00.000Z", nil, nil, nil, nil, 8],
                ])
        #expect(log.reasons == [])
    }

    @Test("of two packets of XMP the last one counts, unless it is none")
    func twoPackets() throws {
        let folder = try Folder()
        let old = Picture.packet("<xmp:Rating>2</xmp:Rating>")
        folder.write("a.jpg", Picture.jpeg(xmp: old, late: Picture.packet("<xmp:Rating>5</xmp:Rating>")))
        folder.write("b.jpg", Picture.jpeg(xmp: old, late: "<"))
        #expect(try Table("Photos", .photos, folder.path).rows("rating") == [[5], [2]])
    }

    @Test(
        "XMP within PNG and HEIC is what exiftool writes",
        arguments: ["screenshot.png", "Garden/plan.png", "Bergen 2026/IMG_0201.heic", "IMG_0202.heic"])
    func inOthers(_ sample: String) throws {
        let folder = try Folder()
        let ending = sample.suffix(4) == ".png" ? "png" : "heic"
        let path = "\(folder.path)/a.\(ending)"
        guard run("exiftool -ver") != nil else {
            print("SKIP: exiftool is not installed")
            return
        }
        // Without EXIF, which would tell first.
        let tags =
            "-EXIF:all= -XMP-dc:Title='Über den Dächern' -XMP-dc:Description='Lights' -XMP-dc:Subject=sea "
            + "-XMP-dc:Subject=ships -XMP-xmp:Rating=3 -XMP-exif:GPSLatitude=60.39299 -XMP-exif:GPSLongitude=-5.32415 "
            + "-XMP-exif:DateTimeOriginal='2026:03:04 21:30:00+01:00' -XMP-tiff:Model='Pinhole 9'"
        #expect(run("exiftool -q \(tags) -o '\(path)' '\(Repository.samples)/photos/\(sample)'") == "")
        let log = ProblemLog()
        let rows = try Table("Photos", .photos, folder.path, log: log).rows(
            "title", "description", "keywords", "rating", "creationDate", "cameraModel", "latitude",
            "longitude")
        try #require(rows.count == 1)
        #expect(
            rows[0][..<6] == [
                "Über den Dächern", "Lights", "sea; ships", 3, "2026-03-04T20:30:00.000Z", "Pinhole 9",
            ])
        for (cell, expected) in zip(rows[0][6...], [60.39299, -5.32415]) {
            guard case .real(let value) = cell else {
                Issue.record("no number")
                continue
            }
            #expect(abs(value - expected) < 1e-5)
        }
        #expect(log.reasons == [])
    }

    @Test("XMP is what exiftool writes")
    func byExiftool() throws {
        let folder = try Folder()
        let picture = folder.write("a.jpg", Picture.jpeg(xmp: nil))
        folder.write("b.jpg", Picture.jpeg(xmp: nil))
        let tags =
            "-XMP-dc:Title='Harbour at night' -XMP-dc:Description='Lights' -XMP-dc:Subject=sea -XMP-dc:Subject=ships "
            + "-XMP-xmp:Rating=5 -XMP-exif:GPSLatitude=60.39299 -XMP-exif:GPSLongitude=5.32415 -XMP-exif:GPSAltitude=12 "
            + "-XMP-exif:DateTimeOriginal='2026:03:04 21:30:00+01:00'"
        guard run("exiftool -ver") != nil else {
            print("SKIP: exiftool is not installed")
            return
        }
        #expect(run("exiftool -q -overwrite_original \(tags) '\(picture)'") == "")
        #expect(run("exiftool -q \(tags) -o '\(folder.path)/b.xmp'") == "")
        let rows = try Table("Photos", .photos, folder.path).rows(
            "title", "description", "keywords", "rating", "creationDate", "latitude", "longitude", "altitude")
        #expect(rows.count == 2)
        for row in rows {
            #expect(row[..<5] == ["Harbour at night", "Lights", "sea; ships", 5, "2026-03-04T20:30:00.000Z"])
            for (cell, expected) in zip(row[5...], [60.39299, 5.32415, 12]) {
                guard case .real(let value) = cell else {
                    Issue.record("no number")
                    continue
                }
                #expect(abs(value - expected) < 1e-5)
            }
        }
    }

    @Test("an edited picture was taken when its original was, and tells its words and place in every way")
    func edited() throws {
        let folder = try Folder()
        guard run("exiftool -ver") != nil else {
            print("SKIP: exiftool is not installed")
            return
        }
        let change = "-IFD0:ModifyDate='2026:05:05 10:00:00'"
        let tags = [
            "a": "\(change) -XMP-exif:DateTimeOriginal='2020:01:02 03:04:05+00:00'",
            "b":
                "\(change) -IPTC:ObjectName=Harbour -IPTC:Caption-Abstract=Ships -IPTC:Keywords=sea -IPTC:Keywords=night",
            "c":
                "\(change) -IFD0:ImageDescription=Quay -IPTC:Caption-Abstract=Ships -XMP-dc:Description=Boats",
            "d": "-IFD0:ImageDescription=Quay",
        ]
        for (name, tags) in tags {
            let picture = folder.write("\(name).jpg", Picture.jpeg(xmp: nil))
            #expect(run("exiftool -q -overwrite_original \(tags) '\(picture)'") == "")
        }
        // A side-car tells of the original; the header only of the change.
        folder.write("b.jpg.xmp", Picture.packet("<xmp:CreateDate>2001-01-01T00:00:00Z</xmp:CreateDate>"))
        let rows = try Table("Photos", .photos, folder.path).rows(
            "filename", "creationDate", "title", "description", "keywords")
        #expect(
            rows == [
                ["a.jpg", "2020-01-02T03:04:05.000Z", nil, nil, nil],
                ["b.jpg", "2001-01-01T00:00:00.000Z", "Harbour", "Ships", "sea; night"],
                ["c.jpg", "2026-05-05T09:00:00.000Z", nil, "Boats", nil],
                ["d.jpg", nil, nil, "Quay", nil],
            ])
    }

    @Test("a side-car's words count more than the picture's own, its place and time less")
    func besides() throws {
        let folder = try Folder()
        folder.write("a.jpg", Picture.jpeg(xmp: Picture.xmp))
        folder.write(
            "a.jpg.xmp",
            Picture.packet("<dc:title>Later</dc:title><xmp:CreateDate>2001-01-01T00:00:00Z</xmp:CreateDate>"))
        folder.write("raw.webp", "no header that is read")
        folder.write("raw.XMP", Picture.packet("<xmp:Rating>3</xmp:Rating>"))
        let rows = try Table("Photos", .photos, folder.path).rows("title", "rating", "creationDate")
        #expect(rows == [["Later", 4, "2026-03-01T11:00:00.500Z"], [nil, 3, nil]])
    }

    @Test("a side-car that changes shows in the next query, and in the fingerprint")
    func freshness() async throws {
        let folder = try Folder()
        folder.write("a.jpg", Picture.jpeg(xmp: nil))
        let car = folder.write("a.xmp", Picture.packet("<dc:title>One</dc:title>"))
        var old = timeval(tv_sec: 1_600_000_000, tv_usec: 0)
        func age(_ path: String) {
            let times = [old, old]
            #expect(utimes(path, times) == 0)
        }
        age(car)
        age(folder.path + "/a.jpg")
        try await folder.settle()
        let table = Table("Photos", .photos, folder.path)
        let before = try #require(try table.source.fingerprint())
        #expect(try table.rows("title") == [["One"]])
        folder.write("a.xmp", Picture.packet("<dc:title>Two</dc:title>"))
        old.tv_sec += 100
        age(car)
        try await folder.settle()
        #expect(try table.rows("title") == [["Two"]])
        let after = try #require(try table.source.fingerprint())
        #expect(before != after)
    }

    @Test("Takeout's files tell when, where and what")
    func takeout() throws {
        let folder = try Folder()
        folder.write("a.webp", Picture.jpeg(xmp: nil))
        folder.write("a.webp.json", Picture.takeout(1_772_366_400, 60.5, 5.25, "Fish & chips"))
        folder.write("b.webp", Picture.jpeg(xmp: nil))
        folder.write("b.webp.supplemental-metadata.json", Picture.takeout(1_772_366_400, 0, 0, ""))
        folder.write("other.json", #"{"photoTakenTime": 5, "a": 1}"#)
        let log = ProblemLog()
        let rows = try Table("Photos", .photos, folder.path, log: log).rows(
            "creationDate", "latitude", "longitude", "altitude", "description")
        #expect(
            rows == [
                ["2026-03-01T12:00:00.000Z", 60.5, 5.25, 20.0, "Fish & chips"],
                ["2026-03-01T12:00:00.000Z", nil, nil, nil, nil],
            ])
        #expect(log.reasons == [])
    }

    @Test(
        "a picture finds its own file among Takeout's names",
        arguments: [
            ("IMG_1.jpg", "IMG_1.jpg.json"), ("IMG_1.jpg", "IMG_1.jpg.supplemental-metadata.json"),
            ("IMG_1(2).jpg", "IMG_1.jpg(2).json"),
            ("IMG_1(2).jpg", "IMG_1.jpg.supplemental-metadata(2).json"),
            ("IMG_1(2).jpg", "IMG_1(2).jpg.json"), ("IMG_1-edited.jpg", "IMG_1.jpg.json"),
            ("IMG_1-bearbeitet(3).jpg", "IMG_1.jpg.supplemental-metadata(3).json"),
            ("PXL_20240301_120000123.NIGHT.jpg", "PXL_20240301_120000123.NIGHT.jpg.supplemental-.json"),
            (
                "PXL_20240301_120000123.PORTRAIT-01.COVER.jpg",
                "PXL_20240301_120000123.PORTRAIT-01.COVER.jpg.s.json"
            ),
            (
                "a-name-that-is-longer-than-forty-six-characters.jpg",
                "a-name-that-is-longer-than-forty-six-character.json"
            ), ("IMG_2.MP4", "IMG_2.HEIC.supplemental-metadata.json"),
        ])
    func names(picture: String, sideCar: String) {
        var names = SideCarNames()
        names.add(sideCar)
        names.add("metadata.json")
        names.add("IMG_1x.jpg.json")
        #expect(names.takeout(of: picture) == sideCar)
    }

    @Test(
        "no picture takes another one's file",
        arguments: ["IMG_1.jpg", "IMG_1(1).jpg", "IMG_12.jpg", "IMG_1.jpg.png"])
    func strangers(picture: String) {
        var names = SideCarNames()
        for other in ["IMG_1(3).jpg.json", "IMG_1.jpg(2).json", "IMG_1.jpeg.json", "IMG_1.json"] {
            names.add(other)
        }
        #expect(names.takeout(of: picture) == nil)
    }

    @Test("a hostile side-car is told by its own path, without its content")
    func hostile() throws {
        let folder = try Folder()
        for name in ["a", "b", "c", "d"] { folder.write("\(name).jpg", Picture.jpeg(xmp: nil)) }
        let laughs = folder.write(
            "a.xmp", "<!DOCTYPE x [<!ENTITY a 'secret'><!ENTITY b '&a;&a;'>]><x:xmpmeta>&b;</x:xmpmeta>")
        let deep = folder.write("b.jpg.json", String(repeating: "[", count: 100_000))
        let long = folder.write("c.xmp", String(repeating: " ", count: XMPReader.sizeLimit + 1))
        let fifo = folder.path + "/d.xmp"
        mkfifo(fifo, 0o600)
        let log = ProblemLog()
        let rows = try Table("Photos", .photos, folder.path, log: log).rows("title", "latitude")
        #expect(rows == [[nil, nil], [nil, nil], [nil, nil], [nil, nil]])
        #expect(log.problems.map(\.path) == [fifo, laughs, deep, long])
        #expect(
            log.reasons == [
                "not a regular file", "line 1: not readable as XMP from here on: it declares a document type",
                "line 1: no JSON that can be read", "a side-car of more than 1048576 bytes",
            ])
        #expect(!log.reasons.joined().contains("secret"))
    }

    @Test("a header is read once, and all that it says is kept")
    func kept() async throws {
        let folder = try Folder()
        let pictures = folder.path + "/pictures"
        for (name, bytes) in [("a.jpg", Picture.jpeg(xmp: Picture.xmp)), ("b.mov", Picture.movie())] {
            let path = folder.write("pictures/" + name, bytes)
            let old = timeval(tv_sec: 1_600_000_000, tv_usec: 0)
            #expect(utimes(path, [old, old]) == 0)
        }
        mkdir(folder.path + "/home", 0o700)
        try await folder.settle()
        /// What a new process answers, and how many files it opened for it.
        func answer() throws -> (rows: [[Cell]], read: Int) {
            let memory = SourceMemory(directory: folder.path + "/home")
            let context = SourceContext(PhotosAdapter(), roots: [pictures], memory: memory) { _, _ in }
            // Everything but the handle, which is another one in each run.
            let rows = try Table(PhotosTable(context: context, zone: .machine)).rows()
            return (rows.map { row in row.indices.filter { $0 != 1 }.map { row[$0] } }, memory.filesRead)
        }
        let first = try answer()
        #expect(first.rows.count == 2 && first.read == 2)
        #expect(first.rows[0].contains("Dusk & dawn") && first.rows[1].contains(12.5))
        let second = try answer()
        #expect(second.rows == first.rows && second.read == 0)
    }

    @Test("side-cars are no strangers to the owner's check")
    func check() throws {
        let folder = try Folder()
        folder.write("a.jpg", Picture.jpeg(xmp: nil))
        folder.write("a.xmp", Picture.packet("<dc:title>One</dc:title>"))
        folder.write("notes.txt", "")
        let entry = SourceEntry(kind: .photos, path: folder.path, added: Timestamp(microseconds: 0)!)
        let report = SourceChecker(entry).report()
        #expect(report.files.map(\.path) == ["a.jpg", "notes.txt"])
    }

    @Test("videos tell their length, size, place and time, as exiftool says")
    func videos() throws {
        let folder = try Folder()
        let path = folder.write("a.mov", Picture.movie())
        let log = ProblemLog()
        let rows = try Table("Photos", .photos, folder.path, log: log).rows(
            "mediaType", "duration", "creationDate", "pixelWidth", "pixelHeight", "latitude", "longitude",
            "altitude",
            "cameraMake", "title")
        #expect(
            rows == [
                [
                    2, 12.5, "2026-03-01T12:00:00.000Z", 1080, 1920, 27.5916, -86.564, 8850.0, "Pinhole",
                    "Summit",
                ]
            ])
        #expect(log.reasons == [])
        guard
            let told = run("exiftool -n -T -Duration -CreateDate -GPSLatitude -GPSLongitude -Make '\(path)'")
        else {
            print("SKIP: exiftool is not installed")
            return
        }
        #expect(told == "12.5\t2026:03:01 12:00:00\t27.5916\t-86.564\tPinhole\n")
    }
}

/// Small pictures, made here.
enum Picture {
    static func packet(_ properties: String, attributes: String = "") -> String {
        """
        <?xpacket begin='\u{FEFF}' id='W5M0MpCehiHzreSzNTczkc9d'?>
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
        <rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
        xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:tiff="http://ns.adobe.com/tiff/1.0/" \(attributes)>
        \(properties)</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end='w'?>
        """
    }

    static let xmp = packet(
        """
        <dc:title><rdf:Alt><rdf:li xml:lang="x-default">Dusk &amp; dawn</rdf:li><rdf:li xml:lang="de">Abend</rdf:li></rdf:Alt>
        </dc:title><dc:description><rdf:Alt><rdf:li>Über den Dächern</rdf:li></rdf:Alt></dc:description>
        <dc:subject><rdf:Bag><rdf:li>town</rdf:li><rdf:li> roofs </rdf:li><rdf:li/></rdf:Bag></dc:subject>
        <xmp:Rating>4</xmp:Rating><exif:DateTimeOriginal>2026-03-01T12:00:00.5+01:00</exif:DateTimeOriginal>
        <exif:GPSLatitude>60,30N</exif:GPSLatitude><exif:GPSLongitude>5,15,0W</exif:GPSLongitude>
        <exif:GPSAltitude>25/2</exif:GPSAltitude><exif:GPSAltitudeRef>1</exif:GPSAltitudeRef>
        <tiff:Model>Pinhole 9</tiff:Model>
        """)

    static let shortXMP = packet(
        "", attributes: "xmp:Rating='-1' xmp:CreateDate='2026-03-02T12:00:00' exif:GPSLatitude='60,30N'")

    /// A JPEG file of 8 by 8 pixels without the pixels.
    ///
    /// - Parameter late: XMP behind the head of the frame, where it should not stand.
    static func jpeg(xmp: String?, late: String? = nil) -> [UInt8] {
        func segment(_ code: UInt8, _ content: [UInt8]) -> [UInt8] {
            [0xFF, code, UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 0xFF)] + content
        }
        func packet(_ xmp: String?) -> [UInt8] {
            xmp.map { segment(0xE1, XMPReader.signature + Array($0.utf8)) } ?? []
        }
        let frame = segment(0xC0, [8, 0, 8, 0, 8, 1, 1, 0x11, 0])
        let bytes = [0xFF, 0xD8] + packet(xmp) + frame + packet(late)
        return bytes + segment(0xDA, [1, 1, 0, 0, 63, 0]) + [0xFF, 0xD9]
    }

    static func takeout(_ seconds: Int, _ latitude: Double, _ longitude: Double, _ description: String)
        -> String
    {
        """
        {"title": "a", "description": "\(description)", "imageViews": "3", "creationTime": {"timestamp": "1"},
         "photoTakenTime": {"timestamp": "\(seconds)", "formatted": "x"},
         "geoData": {"latitude": \(latitude), "longitude": \(longitude), "altitude": 20.0, "latitudeSpan": 0.0},
         "people": [{"name": "Esi"}], "url": "https://example.org"}
        """
    }

    /// A QuickTime file that is turned by a quarter.
    static func movie() -> [UInt8] {
        func big(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
        func box(_ name: [UInt8], _ content: [UInt8]) -> [UInt8] { big(content.count + 8) + name + content }
        func box(_ name: String, _ content: [UInt8]) -> [UInt8] { box(Array(name.utf8), content) }
        func text(_ name: String, _ value: String) -> [UInt8] {
            box([0xA9] + Array(name.utf8), [0, UInt8(value.utf8.count), 0x15, 0xC7] + Array(value.utf8))
        }
        let created = big(1_772_366_400 + 2_082_844_800)
        let matrix = [0, 0x10000, 0, -0x10000, 0, 0, 0, 0, 0x4000_0000].flatMap(big)
        let header =
            big(0) + created + created + big(600) + big(7_500) + big(0x10000)
            + [UInt8](repeating: 0, count: 12)
            + matrix + [UInt8](repeating: 0, count: 24) + big(2)
        let track =
            big(15) + created + created + big(1) + big(0) + big(7_500) + [UInt8](repeating: 0, count: 16)
            + matrix
            + big(1920 << 16) + big(1080 << 16)
        let user = box(
            "udta",
            text("xyz", "+27.5916-086.5640+8850/") + text("mak", "Pinhole") + text("nam", "Summit") + big(0))
        return box("ftyp", Array("qt  ".utf8) + big(0) + Array("qt  ".utf8))
            + box("mdat", [UInt8](repeating: 7, count: 9_000))
            + box("moov", box("mvhd", header) + box("trak", box("tkhd", track)) + user)
    }
}
