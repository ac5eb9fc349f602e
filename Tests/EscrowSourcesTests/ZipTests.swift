import Glibc
import Testing

@testable import EscrowPlaces
@testable import EscrowSourceFiles

@Suite("Location files in zip archives")
struct ZipTests {
    @Test("an archive's location files are read in place, each point once, and nothing else in it")
    func takeout() throws {
        let folder = try Folder()
        let records =
            #"{"locations":[{"latitudeE7":603900000,"longitudeE7":53200000,"timestamp":"2026-03-01T12:00:00Z"}]}"#
        folder.write(
            "takeout.zip",
            ZipMaker.archive([
                ("Takeout/archive_browser.html", "<html>", 0),
                ("Takeout/Google Photos/a.jpg.json", #"{"title": "a"}"#, 0),
                ("Takeout/Location History (Timeline)/Records.json", records, 0),
                ("Takeout/walk.gpx", ZipMaker.track, 0), ("Takeout/../evil.gpx", ZipMaker.track, 0),
                ("/absolute.gpx", ZipMaker.track, 0),
            ]))
        let log = ProblemLog()
        let table = Table("Location", .location, folder.path, log: log)
        #expect(
            try table.rows("latitude", "kind", "filename") == [
                [60.39, "record", "Records.json"], [60.5, "track", "walk.gpx"],
                [60.6, "track", "walk.gpx"],
            ])
        #expect(log.reasons == [])
        #expect(Set(try table.ids()).count == 3)
    }

    @Test("what Python's zipfile writes is read, packed, with comments, zip64 and as a stream")
    func peer() throws {
        let folder = try Folder()
        let script = """
            import sys, zipfile, io
            track = sys.argv[2]
            many = track.replace("</trkseg>", "<trkpt lat=\\"1.5\\" lon=\\"2.5\\"/>" * 30000 + "</trkseg>")
            with zipfile.ZipFile(sys.argv[1] + "/a.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as z:
                z.comment = b"PK" * 100
                z.writestr("a.gpx", many)
                with z.open("b.gpx", "w", force_zip64=True) as f: f.write(track.encode())
                z.writestr(zipfile.ZipInfo("c.gpx"), track)
            class Pipe(io.RawIOBase):
                def __init__(self, f): self.f = f
                def writable(self): return True
                def write(self, b): return self.f.write(b)
            with open(sys.argv[1] + "/b.zip", "wb") as f, zipfile.ZipFile(Pipe(f), "w", zipfile.ZIP_DEFLATED, compresslevel=1) as z:
                z.writestr("a.gpx", many)
            """
        guard run("python3 -c '\(script)' '\(folder.path)' '\(ZipMaker.track)'") != nil else {
            print("SKIP: python3 is not installed")
            return
        }
        let log = ProblemLog()
        let rows = try Table("Location", .location, folder.path, log: log).rows("latitude", "filename")
        #expect(log.reasons == [])
        #expect(rows.count { $0[1] == "a.gpx" } == 60_004)
        #expect(rows.count == 60_008)
        #expect(rows.count { $0[0] == 1.5 } == 60_000)
    }

    @Test("bytes of any kind come out of deflate as they went in")
    func inflate() throws {
        let folder = try Folder()
        let script = """
            import random, sys, zlib
            rng = random.Random(7)
            for number in range(16):
                kind = number % 4
                size = rng.choice([0, 1, 300, 70000, 150000])
                if kind == 0: data = rng.randbytes(size)
                elif kind == 1: data = bytes(rng.choices(b"abcd", k=size))
                elif kind == 2: data = rng.randbytes(100) * (size // 100)
                else: data = bytes([7]) * size
                c = zlib.compressobj(rng.randrange(10), zlib.DEFLATED, -15, 8, rng.choice([0, 2, 3, 4]))
                open(f"{sys.argv[1]}/{number}.in", "wb").write(data)
                open(f"{sys.argv[1]}/{number}.packed", "wb").write(c.compress(data) + c.flush())
            """
        guard run("python3 -c '\(script)' '\(folder.path)'") != nil else {
            print("SKIP: python3 is not installed")
            return
        }
        for number in 0..<16 {
            let expected = try Self.bytes("\(folder.path)/\(number).in")
            let packed = "\(folder.path)/\(number).packed"
            #expect(try Self.inflated(packed, limit: Int64(expected.count)) == expected, "\(number)")
            if !expected.isEmpty {
                #expect(throws: Inflater.Failure.tooLong) {
                    try Self.inflated(packed, limit: Int64(expected.count - 1))
                }
                // Without its end it is damaged, never something shorter.
                let half = folder.write("half", try Self.bytes(packed).dropLast(2))
                #expect(throws: Inflater.Failure.damaged) { try Self.inflated(half, limit: 1 << 30) }
            }
        }
    }

    @Test("bombs are refused: entries over one kernel, announced or hidden sizes, archives in archives")
    func bombs() throws {
        // 4 MB of zeros in 4 kB, as Python would pack it: one block of matches of 258 bytes.
        let script =
            "import sys, zlib; c = zlib.compressobj(9, zlib.DEFLATED, -15); "
            + "sys.stdout.write((c.compress(bytes(4 << 20)) + c.flush()).hex()); sys.stderr.write(\"\")"
        guard let hex = run("python3 -c '\(script)'") else {
            print("SKIP: python3 is not installed")
            return
        }
        let digits = Array(hex.utf8)
        let kernel = stride(from: 0, to: digits.count, by: 2).map {
            UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)!
        }
        let sum = Self.sum(of: 4 << 20)
        func told(_ bytes: [UInt8]) throws -> [String] {
            let folder = try Folder()
            folder.write("a.zip", bytes)
            let log = ProblemLog()
            #expect(try Table("Location", .location, folder.path, log: log).rows().isEmpty)
            return log.reasons
        }
        let bomb = ZipMaker.Entry(name: "a.gpx", method: 8, packed: kernel, size: 4 << 20, sum: sum)
        #expect(
            try told(ZipMaker.archive([bomb])) == [
                "a zip archive with an entry that unpacks to far too much"
            ])
        // It says that it is small.
        var liar = bomb
        liar.size = 500_000
        #expect(
            try told(ZipMaker.archive([liar])) == [
                "a zip archive with an entry that unpacks to far too much"
            ])
        // Fifield: many names for one kernel.
        #expect(
            try told(ZipMaker.archive([bomb, bomb, bomb], shared: true)) == [
                "a zip archive whose entries share bytes"
            ])
        // 42.zip: what is in it is not opened.
        let inner = ZipMaker.archive([("a.gpx", ZipMaker.track, 0)])
        #expect(
            try told(ZipMaker.archive([ZipMaker.Entry(name: "b.zip", stored: inner)])) == [])
        #expect(
            try told(ZipMaker.archive([ZipMaker.Entry(name: "b.gpx", stored: inner)]))
                == [LocationFormat.unknownReason])
    }

    @Test("an archive that is damaged, encrypted or of two minds is told, without its names")
    func damaged() throws {
        let good = ZipMaker.Entry(name: "secret.gpx", stored: Array(ZipMaker.track.utf8))
        func told(_ bytes: [UInt8]) throws -> [String] {
            let folder = try Folder()
            folder.write("a.zip", bytes)
            let log = ProblemLog()
            _ = try Table("Location", .location, folder.path, log: log).rows()
            return log.reasons
        }
        let whole = ZipMaker.archive([good])
        #expect(try told(whole) == [])
        #expect(try told(Array(whole.dropLast(5))) == ["a damaged or incomplete zip archive"])
        var otherName = whole
        otherName[30] = 0x53
        #expect(
            try told(otherName) == [
                "a zip archive whose directory and entries do not agree"
            ])
        var otherBytes = whole
        otherBytes[60] ^= 1
        #expect(try told(otherBytes) == ["a damaged or incomplete zip archive"])
        var encrypted = good
        encrypted.flags = 1
        #expect(try told(ZipMaker.archive([encrypted])) == ["an encrypted entry"])
        var strange = good
        strange.method = 93
        #expect(
            try told(ZipMaker.archive([strange])) == [
                "an entry packed in a way that is not read"
            ])
        for cut in stride(from: 4, to: whole.count, by: 7) {
            let reasons = try told(Array(whole.prefix(cut)))
            #expect(reasons == ["a damaged or incomplete zip archive"], "\(cut)")
        }
    }

    private static func bytes(_ path: String) throws -> [UInt8] {
        let file = fopen(path, "r")!
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        bytes.removeSubrange(fread(&bytes, 1, bytes.count, file)...)
        return bytes
    }

    private static func inflated(_ path: String, limit: Int64) throws -> [UInt8] {
        let size = Int64(try bytes(path).count)
        let file = SharedDescriptor(Descriptor.openingRootFile(path)!)
        let inflater = Inflater(file, range: 0..<size, limit: limit)
        var result: [UInt8] = []
        _ = try inflater.run {
            result += $0
            return true
        }
        return result
    }

    private static func sum(of zeros: Int) -> UInt32 {
        var sum = CRC32()
        sum.add([UInt8](repeating: 0, count: zeros)[...])
        return sum.value
    }
}

/// Zip archives as they should be, and as they should not.
enum ZipMaker {
    struct Entry {
        var name: String
        var method = 0
        var packed: [UInt8]
        var size: Int
        var sum: UInt32
        var flags = 0

        init(name: String, method: Int, packed: [UInt8], size: Int, sum: UInt32) {
            (self.name, self.method, self.packed, self.size, self.sum) = (name, method, packed, size, sum)
        }

        init(name: String, stored: [UInt8]) {
            var crc = CRC32()
            crc.add(stored[...])
            self.init(name: name, method: 0, packed: stored, size: stored.count, sum: crc.value)
        }
    }

    static let track =
        "<gpx version=\"1.1\"><trk><trkseg><trkpt lat=\"60.5\" lon=\"5.5\"/><trkpt lat=\"60.6\" lon=\"5.6\"/></trkseg></trk></gpx>"

    static func archive(_ files: [(name: String, text: String, method: Int)]) -> [UInt8] {
        archive(files.map { Entry(name: $0.name, stored: Array($0.text.utf8)) })
    }

    /// - Parameter shared: whether all names lead to the first entry's bytes.
    static func archive(_ entries: [Entry], shared: Bool = false) -> [UInt8] {
        func little(_ value: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        var bytes: [UInt8] = []
        var directory: [UInt8] = []
        for entry in entries {
            let facts =
                little(entry.flags, 2) + little(entry.method, 2) + little(0, 4) + little(Int(entry.sum), 4)
                + little(entry.packed.count, 4) + little(entry.size, 4) + little(entry.name.utf8.count, 2)
                + little(0, 2)
            let offset = shared ? 0 : bytes.count
            if !shared || bytes.isEmpty {
                bytes += [0x50, 0x4B, 3, 4] + little(20, 2) + facts + Array(entry.name.utf8) + entry.packed
            }
            directory +=
                [0x50, 0x4B, 1, 2] + little(20, 2) + little(20, 2) + facts + little(0, 2) + little(0, 2)
            directory += little(0, 2) + little(0, 4) + little(offset, 4) + Array(entry.name.utf8)
        }
        let end =
            [0x50, 0x4B, 5, 6] + little(0, 4) + little(entries.count, 2) + little(entries.count, 2)
            + little(directory.count, 4) + little(bytes.count, 4) + little(0, 2)
        return bytes + directory + end
    }
}
