import EscrowSchema
import EscrowTabular
import Testing

@testable import EscrowMedia

@Suite("AAC, AMR, WMA and Matroska")
struct AudioFormatTests {
    private static let columns = ["title", "artist", "album", "albumArtist", "genre", "year", "trackNumber"]

    private func row(_ path: String, _ log: ProblemLog) throws -> (length: Double, tags: [Cell]) {
        let table = Table("Tracks", .music, path, log: log)
        let positions = (["duration"] + Self.columns).map { table.column($0) }
        let scan = try table.source.snapshot(assets: table.assets).scan(
            ScanRequest(columns: ColumnMask(positions)))
        let chunk = ColumnChunk(spec: table.source.spec)
        try #require(try scan.next(into: chunk))
        try #require(chunk.rowCount == 1)
        let cells = positions.map { chunk.cell(row: 0, column: $0) }
        guard case .real(let length) = cells[0] else { return (-1, Array(cells.dropFirst())) }
        return (length, Array(cells.dropFirst()))
    }

    private static let vectors = Repository.root + "/Tests/Vectors/audio"

    @Test(
        "what ffmpeg encoded has its length and its tags",
        arguments: [("tone.aac", nil), ("tone.wma", nil), ("tone.mka", 2006), ("tone.weba", 2006)]
            as [(String, Int64?)])
    func encoded(_ name: String, _ year: Int64?) throws {
        let log = ProblemLog()
        let (length, found) = try row(Self.vectors + "/" + name, log)
        #expect(abs(length - 2) < 0.1, "\(length)")
        // It writes no tags into AAC, and no year into WMA under a name that others know.
        let told: [Cell] = ["Señor", "Ada", "Songs", "All", "Folk", year.map { .integer($0) } ?? .null, 6]
        #expect(found == (name == "tone.aac" ? Array(repeating: .null, count: 7) : told))
        #expect(log.reasons == [])
    }

    /// Frames of 20 ms of the lowest rate and of silence.
    private static let amr: [UInt8] =
        Array("#!AMR\n".utf8)
        + (0..<50).flatMap { _ in [0x04] + [UInt8](repeating: 0x55, count: 12) + [0x7C] }

    @Test("frames of AMR are counted, of both bands; one that is cut off is not")
    func amr() throws {
        let folder = try Folder()
        let log = ProblemLog()
        #expect(abs(try row(folder.write("a.amr", Self.amr), log).length - 2) < 1e-9)
        #expect(abs(try row(folder.write("b.amr", Self.amr.dropLast(4)), log).length - 1.96) < 1e-9)
        let wide =
            Array("#!AMR-WB\n".utf8) + (0..<10).flatMap { _ in [0x04] + [UInt8](repeating: 0x55, count: 17) }
        #expect(abs(try row(folder.write("c.amr", wide), log).length - 0.2) < 1e-9)
        #expect(log.reasons == [])
        // Beyond a mebibyte the rest is taken to be like what was counted.
        let long = Self.amr + (0..<200).flatMap { _ in Self.amr.dropFirst(6) + Self.amr.dropFirst(6) }
        let many = long.prefix(6) + (0..<10).flatMap { _ in long.dropFirst(6) }
        let expected = Double(many.count - 6) / 14 * 0.04
        #expect(abs(try row(folder.write("d.amr", many), log).length - expected) < 0.05)
    }

    /// The head of AAC in ADIF (ISO/IEC 13818-7, 6.1), filled up to a size: three flags and the rate in bits a second behind the
    /// flag of a copyright number.
    private static func adif(rate: Int, copyright: Bool, size: Int) -> [UInt8] {
        let word = rate << 5 | 0x4000_0000
        let flags = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) }
        // All ones in the number: none of it may be taken for the rate.
        let number = [UInt8](repeating: 0xFF, count: 9)
        // The last bit of the number stands before the flags.
        let head = copyright ? number + [flags[0] | 0x80] + flags.dropFirst() : flags
        return Array("ADIF".utf8) + head + [UInt8](repeating: 0x5A, count: size - 4 - head.count)
    }

    @Test("the length of AAC in ADIF is told by its bit rate, behind a copyright number and a tag too")
    func adif() throws {
        let folder = try Folder()
        let log = ProblemLog()
        let plain = Self.adif(rate: 128_000, copyright: false, size: 40_000)
        #expect(try row(folder.write("a.aac", plain), log).length == 2.5)
        let marked = Self.adif(rate: 64_000, copyright: true, size: 40_000)
        #expect(try row(folder.write("b.aac", marked), log).length == 5)
        // The highest rate that the field holds.
        let fast = Self.adif(rate: 0x7F_FFFF, copyright: true, size: 40_000)
        #expect(try row(folder.write("c.aac", fast), log).length == 320_000 / Double(0x7F_FFFF))
        // The tag is no sound.
        let tagged = try row(
            folder.write("d.aac", ID3Maker.tag(3, [("TPE1", [0] + Array("Ada".utf8))]) + plain), log)
        #expect(tagged.length == 2.5 && tagged.tags[1] == "Ada")
        #expect(log.reasons == [])
        // A rate of 0 says that there is none.
        let unknown = ProblemLog()
        let silent = Self.adif(rate: 0, copyright: false, size: 40_000)
        #expect(try row(folder.write("e.aac", silent), unknown).length == -1)
        #expect(unknown.reasons == ["no audio of a kind whose header is read"])
    }

    @Test(
        "tags of Matroska that stand behind the sound are found where the segment says, an album's apart from a track's"
    )
    func matroska() throws {
        let folder = try Folder()
        func element(_ id: [UInt8], _ content: [UInt8]) -> [UInt8] {
            id + [0x40 | UInt8(content.count >> 8), UInt8(content.count & 0xFF)] + content
        }
        func tag(_ level: UInt8, _ name: String, _ value: String) -> [UInt8] {
            element(
                [0x73, 0x73],
                element([0x63, 0xC0], element([0x68, 0xCA], [level]))
                    + element(
                        [0x67, 0xC8],
                        element([0x45, 0xA3], Array(name.utf8)) + element([0x44, 0x87], Array(value.utf8))))
        }
        let info = element(
            [0x15, 0x49, 0xA9, 0x66],
            element([0x44, 0x89], withUnsafeBytes(of: (90_000.0).bitPattern.bigEndian) { Array($0) }))
        let sound = element([0x1F, 0x43, 0xB6, 0x75], [UInt8](repeating: 0x1A, count: 300))
        let tags = element(
            [0x12, 0x54, 0xC3, 0x67],
            tag(50, "TITLE", "Songs") + tag(50, "ARTIST", "All") + tag(30, "ARTIST", "Ada")
                + tag(30, "title", "One") + tag(30, "PART_NUMBER", "6"))
        func seek(_ position: Int) -> [UInt8] {
            element(
                [0x11, 0x4D, 0x9B, 0x74],
                element(
                    [0x4D, 0xBB],
                    element([0x53, 0xAB], [0x12, 0x54, 0xC3, 0x67])
                        + element([0x53, 0xAC], [UInt8(position >> 8), UInt8(position & 0xFF)])))
        }
        let before = seek(0).count + info.count + sound.count
        let content = seek(before) + info + sound + tags
        let head = element([0x1A, 0x45, 0xDF, 0xA3], [0x42, 0x86, 0x81, 1])
        // A segment of known size, and one that goes on as long as the file.
        for segment in [
            element([0x18, 0x53, 0x80, 0x67], content), [0x18, 0x53, 0x80, 0x67, 0xFF] + content,
        ] {
            let log = ProblemLog()
            let (length, found) = try row(folder.write("a.mka", head + segment), log)
            #expect(length == 90)
            #expect(found == ["One", "Ada", "Songs", nil, nil, nil, 6])
            #expect(log.reasons == [])
        }
        let log = ProblemLog()
        _ = try row(
            folder.write("a.mka", head + element([0x18, 0x53, 0x80, 0x67], info.dropLast() + [])), log)
        #expect(log.reasons == ["damaged or incomplete tags"])
    }

    @Test(
        "every beginning of such files is read without more than a word about tags",
        arguments: ["tone.wma", "tone.mka"])
    func truncated(_ name: String) throws {
        let folder = try Folder()
        let path = Self.vectors + "/" + name
        let size = try #require(Folder.size(path))
        for cut in stride(from: 12, to: min(size, 2_000), by: 37) {
            #expect(run("head -c \(cut) '\(path)' > '\(folder.path)/cut-\(name)'") != nil)
            let log = ProblemLog()
            _ = try row(folder.path + "/cut-" + name, log)
            #expect(log.reasons.allSatisfy { $0 == "damaged or incomplete tags" })
        }
    }
}
