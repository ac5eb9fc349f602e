import EscrowSchema
import EscrowTabular
import Glibc
import Testing

@testable import EscrowFormats
@testable import EscrowMedia
@testable import EscrowSourceFiles
@testable import EscrowSources
@testable import EscrowTableKit

@Suite("Pictures and videos in archives")
struct PackedPhotosTests {
    private static let told = [
        "mediaType", "mimeType", "creationDate", "filename", "fileSize", "pixelWidth", "pixelHeight",
        "orientation",
        "cameraMake", "cameraModel", "latitude", "longitude", "altitude", "duration", "title", "description",
        "keywords", "rating", "collectionName",
    ]

    private func rows(_ path: String, _ log: ProblemLog = ProblemLog()) throws -> [[Cell]] {
        let table = Table("Photos", .photos, path, log: log)
        let columns = Self.told.map { table.column($0) }
        let scan = try table.source.snapshot(assets: table.assets).scan(
            ScanRequest(columns: ColumnMask(columns)))
        let chunk = ColumnChunk(spec: table.source.spec)
        var rows: [[Cell]] = []
        while try scan.next(into: chunk) {
            for row in 0..<chunk.rowCount { rows.append(columns.map { chunk.cell(row: row, column: $0) }) }
        }
        return rows
    }

    @Test(
        "the samples say the same packed by Python, whether deflated or stored, as in their folder",
        arguments: ["ZIP_DEFLATED", "ZIP_STORED"])
    func samples(_ method: String) throws {
        let folder = try Folder()
        let script = """
            import os, sys, zipfile
            top = sys.argv[1]
            with zipfile.ZipFile(sys.argv[2], "w", zipfile.\(method)) as z:
                for folder, names, files in os.walk(top):
                    for name in files: z.write(folder + "/" + name, os.path.relpath(folder + "/" + name, top))
            """
        let path = folder.path + "/photos.zip"
        guard run("python3 -c '\(script)' '\(Repository.samples)/photos' '\(path)'") != nil else {
            print("SKIP: python3 is not installed")
            return
        }
        let log = ProblemLog()
        let packed = try rows(path, log)
        func sorted(_ rows: [[Cell]]) -> [String] { rows.map { "\($0)" }.sorted() }
        #expect(sorted(packed) == sorted(try rows(Repository.samples + "/photos")))
        #expect(packed.count == 12 && log.reasons == [])
    }

    @Test("a header that lies behind the beginning of a packed file is read all the same")
    func lateHeader() throws {
        let folder = try Folder()
        // A PNG whose eXIf stands behind 600 kB of text that hardly packs.
        let script = """
            import random, struct, sys, zipfile, zlib
            def chunk(kind, data): return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
            noise = random.Random(3).randbytes(600 << 10)
            tiff = b"MM\\0*\\0\\0\\0\\x08\\0\\x01\\x01\\x0f\\0\\x02\\0\\0\\0\\x08\\0\\0\\0\\x1aPinhole\\0".replace(b"\\0\\0\\0\\x1aPin", b"\\0\\0\\0\\x1a\\0\\0\\0\\0Pin")
            data = b"\\x89PNG\\r\\n\\x1a\\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 8, 6, 8, 2, 0, 0, 0))
            data += chunk(b"zTXt", noise) + chunk(b"eXIf", tiff) + chunk(b"IDAT", b"") + chunk(b"IEND", b"")
            open(sys.argv[1] + "/plain.png", "wb").write(data)
            with zipfile.ZipFile(sys.argv[1] + "/a.zip", "w", zipfile.ZIP_DEFLATED) as z: z.writestr("plain.png", data)
            """
        guard run("python3 -c '\(script)' '\(folder.path)'") != nil else {
            print("SKIP: python3 is not installed")
            return
        }
        let log = ProblemLog()
        let columns = ["cameraMake", "pixelWidth", "pixelHeight", "filename"]
        let table = Table("Photos", .photos, folder.path, log: log)
        let found = try table.rows(columns[0], columns[1], columns[2], columns[3])
        #expect(found == Array(repeating: ["Pinhole", 8, 6, "plain.png"], count: 2))
        #expect(log.reasons == [])
    }

    @Test(
        "Takeout's side-cars belong to their pictures across the parts of an export, and to no other export")
    func parts() throws {
        let folder = try Folder()
        let picture = ZipMaker.Entry(
            name: "Takeout/Google Photos/Bergen/a.jpg", stored: Picture.jpeg(xmp: nil))
        func sideCar(_ seconds: Int) -> ZipMaker.Entry {
            ZipMaker.Entry(
                name: "Takeout/Google Photos/Bergen/a.jpg.supplemental-metadata.json",
                stored: Array(#"{"photoTakenTime": {"timestamp": "\#(seconds)"}}"#.utf8))
        }
        folder.write("takeout-20260301T120000Z-001.zip", ZipMaker.archive([picture]))
        folder.write("takeout-20260301T120000Z-002.zip", ZipMaker.archive([sideCar(1_772_366_400)]))
        folder.write("takeout-20260401T120000Z-001.zip", ZipMaker.archive([picture]))
        folder.write("holiday-1.zip", ZipMaker.archive([picture, sideCar(1_000_000_000)]))
        let log = ProblemLog()
        let table = Table("Photos", .photos, folder.path, log: log)
        #expect(
            try table.rows("creationDate", "collectionName") == [
                ["2001-09-09T01:46:40.000Z", "Bergen"], ["2026-03-01T12:00:00.000Z", "Bergen"],
                [nil, "Bergen"],
            ])
        #expect(log.reasons == [])
    }

    @Test("a side-car that cannot be unpacked or read is told under its own path")
    func badSideCar() throws {
        let folder = try Folder()
        var damaged = ZipMaker.Entry(name: "a.jpg.json", stored: Array("{}".utf8))
        damaged.sum ^= 1
        let path = folder.write(
            "a.zip",
            ZipMaker.archive([
                ZipMaker.Entry(name: "a.jpg", stored: Picture.jpeg(xmp: nil)), damaged,
                ZipMaker.Entry(name: "b.jpg", stored: Picture.jpeg(xmp: nil)),
                ZipMaker.Entry(name: "b.jpg.json", stored: Array("{".utf8)),
            ]))
        let log = ProblemLog()
        #expect(try Table("Photos", .photos, path, log: log).rows("creationDate") == [[nil], [nil]])
        #expect(log.problems.map(\.path) == [path + "/a.jpg.json", path + "/b.jpg.json"])
        #expect(
            log.problems.map(\.problem.reason) == [
                "a damaged or incomplete zip archive", "no JSON that can be read",
            ])
    }

    @Test("a picture in an archive is an asset, byte for byte, until the archive changes")
    func assets() throws {
        let folder = try Folder()
        let bytes = Picture.jpeg(xmp: nil) + [UInt8](repeating: 0x5A, count: 700_000)
        let path = folder.write("a.zip", ZipMaker.archive([ZipMaker.Entry(name: "x/a.jpg", stored: bytes)]))
        let table = Table("Photos", .photos, path)
        guard case .text(let handle) = try table.rows("asset")[0][0] else {
            Issue.record("no handle")
            return
        }
        #expect(table.assets.deliver(handle))
        let asset = try #require(table.assets.delivered(handle))
        #expect(asset.mediaType == "image/jpeg" && asset.path == path + "/x/a.jpg")
        let raw = asset.open()
        #expect(raw >= 0)
        var found = [UInt8](repeating: 0, count: bytes.count + 1)
        #expect(read(raw, &found, found.count) == bytes.count)
        #expect(found.dropLast().elementsEqual(bytes))
        close(raw)
        folder.write("a.zip", ZipMaker.archive([ZipMaker.Entry(name: "x/a.jpg", stored: bytes + [0])]))
        #expect(asset.open() < 0)
    }

    @Test("headers of packed pictures are kept like those of files")
    func kept() async throws {
        let folder = try Folder()
        mkdir(folder.path + "/home", 0o700)
        let path = folder.write(
            "a.zip", ZipMaker.archive([ZipMaker.Entry(name: "a.jpg", stored: Picture.jpeg(xmp: nil))]))
        var times = [
            timespec(tv_sec: 1_772_366_400, tv_nsec: 0), timespec(tv_sec: 1_772_366_400, tv_nsec: 0),
        ]
        utimensat(AT_FDCWD, path, &times, 0)
        try await folder.settle()
        let memory = SourceMemory(directory: folder.path + "/home")
        func width() throws -> [[Cell]] {
            let context = SourceContext(SourceAdapters[.photos]!, roots: [path], memory: memory) { _, _ in }
            return try Table(PhotosTable(context: context, zone: .machine)).rows("pixelWidth")
        }
        #expect(try width() == [[8]])
        let read = memory.filesRead
        #expect(try width() == [[8]])
        #expect(read == 1 && memory.filesRead == 1)
    }

    @Test("what macOS and programs hide in archives is left out, as in a folder")
    func hidden() throws {
        let folder = try Folder()
        let picture = Picture.jpeg(xmp: nil)
        let names = ["a.jpg", "__MACOSX/._a.jpg", ".thumbnails/a.jpg", "b/.c.jpg"]
        let path = folder.write(
            "a.zip", ZipMaker.archive(names.map { ZipMaker.Entry(name: $0, stored: picture) }))
        #expect(try Table("Photos", .photos, path).rows("filename") == [["a.jpg"]])
    }
}
