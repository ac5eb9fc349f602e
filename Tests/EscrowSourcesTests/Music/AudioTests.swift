import EscrowSchema
import EscrowTabular
import Testing

@testable import EscrowFormats
@testable import EscrowMedia
@testable import EscrowMediaFormats
@testable import EscrowTableKit

@Suite("Music and recordings")
struct AudioTests {
    @Test("tracks tell what their tags say, in every format")
    func samples() throws {
        let log = ProblemLog()
        let rows = try Table("Tracks", .music, Repository.samples + "/music", log: log).rows(
            "filename", "title", "artist", "album", "albumArtist", "composer", "genre", "year", "trackNumber",
            "discNumber", "mimeType")
        #expect(log.reasons == [])
        let band: [Cell] = ["Ada & the Byrons", "First Light", "Ada & the Byrons"]
        let trio: [Cell] = ["Trio Kovač", "Weather", nil]
        #expect(
            rows == [
                ["01 Dawn.mp3", "Dawn"] + band + ["Esi Grønn", "Folk", 2019, 1, 1, "audio/mpeg"],
                ["02 Noon.mp3", "Noon – Mittag"] + band + [nil, "Folk", 2019, 2, 1, "audio/mpeg"],
                ["03 Dusk.flac", "Dusk"] + band + [nil, "Folk", 2019, 3, 1, "audio/flac"],
                ["1 Rain.ogg", "雨"] + trio + ["Keiko Hara", "Chamber Music", 2024, 1, nil, "audio/ogg"],
                ["2 Wind.opus", "Wind"] + trio + [nil, "Chamber Music", 2024, 2, nil, "audio/ogg"],
                ["3 Snow.m4a", "Snow"] + trio + [nil, "Chamber Music", 2024, 3, 1, "audio/mp4"],
                ["4 Fog.wav", "Fog"] + trio + [nil, "Chamber Music", 2024, 4, nil, "audio/vnd.wave"],
                ["scale.aiff", "Scale", "Nobody", nil, nil, nil, nil, nil, nil, nil, "audio/aiff"],
                ["unnamed.mp3", "Old Tag", "Nobody", nil, nil, nil, "Jazz", 1998, 7, nil, "audio/mpeg"],
            ])
    }

    @Test("lengths are those that were recorded, to a frame")
    func lengths() throws {
        let rows = try Table("Tracks", .music, Repository.samples + "/music").rows("duration")
        let lengths = rows.map { row -> Double in
            guard case .real(let value) = row[0] else { return -1 }
            return value
        }
        for (length, expected) in zip(lengths, [2, 3, 2, 2, 2, 2, 1, 1, 1] as [Double]) {
            #expect(abs(length - expected) < 0.15, "\(length) instead of \(expected)")
        }
        #expect(lengths.count == 9)
    }

    @Test("recordings tell when and how long")
    func recordings() throws {
        let log = ProblemLog()
        let context = SourceContext(AudioAdapter.recordings, roots: [Repository.samples + "/recordings"]) {
            log.add($0, $1)
        }
        let table = Table(
            FilesTable(
                RecordingsSpec.recordings, RecordingsSpec.columns, context, zone: .fixed(3_600)))
        #expect(
            try table.rows("name", "timestamp", "mimeType", "path") == [
                ["Shopping list", "2026-03-01T11:00:00.000Z", "audio/mp4", "20260301 120000.m4a"],
                [
                    "20260302 interview", "2026-03-02T08:30:00.000Z", "audio/vnd.wave",
                    "20260302 interview.wav",
                ],
                ["voice note", "2026-03-03T18:45:10.000Z", "audio/ogg", "voice note.opus"],
            ])
        #expect(log.reasons == [])
        let handles = try table.rows("asset")
        guard case .text(let handle) = handles[2][0] else {
            Issue.record("no handle")
            return
        }
        #expect(table.assets.deliver(handle))
        #expect(table.assets.delivered(handle)?.path == Repository.samples + "/recordings/voice note.opus")
        #expect(table.assets.delivered(handle)?.mediaType == "audio/ogg")
    }

    @Test("columns of the listing open no file, and terms on them spare the others")
    func listing() throws {
        let folder = try Folder()
        folder.write("a/broken.mp3", "no audio at all")
        folder.write("a/short.flac", "fLaC")
        folder.write("notes.txt", "no music")
        let log = ProblemLog()
        let table = Table("Tracks", .music, folder.path, log: log)
        #expect(
            try table.rows("filename", "path", "fileSize") == [
                ["broken.mp3", "a/broken.mp3", 15], ["short.flac", "a/short.flac", 4],
            ])
        #expect(log.reasons == [])
        let one = Predicate(
            column: table.column("filename"), operation: .equal, values: [.text("short.flac")])
        #expect(try table.rows("title", where: [one]) == [[nil]])
        #expect(log.reasons == ["the file is too short"])
        #expect(try table.rows("title", "duration").count == 2)
        #expect(log.reasons.contains("no audio of a kind whose header is read"))
    }

    @Test(
        "a text is read in each of ID3's encodings",
        arguments: [
            (3, [0] + Array("Gr\u{FC}n".unicodeScalars.map { UInt8($0.value) }), "Grün"),
            (3, [1, 0xFF, 0xFE, 0x47, 0, 0xFC, 0, 0, 0], "Gü"), (3, [1, 0xFE, 0xFF, 0, 0x47, 0, 0xFC], "Gü"),
            (4, [2, 0, 0x47, 0, 0xFC], "Gü"), (4, [3] + Array("Gü".utf8), "Gü"),
            (4, [3] + Array("One\0Two\0".utf8), "One; Two"),
            (3, [1, 0xFF, 0xFE, 0x41, 0, 0, 0, 0xFF, 0xFE, 0x42, 0], "A; B"),
        ] as [(UInt8, [UInt8], String)])
    func encodings(version: UInt8, content: [UInt8], expected: String) throws {
        let tag = ID3Maker.tag(version, [("TPE1", content)])
        #expect(try Self.artist(of: tag) == .text(expected))
    }

    @Test("genres are named, by number, by reference or by themselves")
    func genres() {
        func read(_ text: String) -> [String] {
            ID3Genre.read(Array(text.utf8)[...]).map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(read("17") == ["Rock"])
        #expect(read("(17)") == ["Rock"])
        #expect(read("(4)Eurodisco") == ["Disco", "Eurodisco"])
        #expect(read("(51)(39)") == ["Techno-Industrial", "Noise"])
        #expect(read("(8)Jazz") == ["Jazz"])
        #expect(read("((I like it)") == ["(I like it)"])
        #expect(read("(RX)") == ["Remix"])
        #expect(read("(999)") == ["(999)"])
        #expect(read("Chamber Music") == ["Chamber Music"])
    }

    @Test("frames that old iTunes sized wrongly are read, and what follows them too")
    func plainSizes() throws {
        let long = [UInt8(3)] + [UInt8](repeating: 0x61, count: 199)
        var tag = ID3Maker.tag(4, [("TIT2", long), ("TPE1", [3] + Array("Last".utf8))])
        // The size of the first frame with eight bits a byte.
        tag.replaceSubrange(14..<18, with: [0, 0, 0, 200])
        #expect(try Self.artist(of: tag) == "Last")
    }

    @Test("a tag without synchronisation patterns, extended headers, compressed frames")
    func oddTags() throws {
        // 0xFF 0xFE of the text's mark is written as 0xFF 0x00 0xFE.
        var tag = ID3Maker.tag(3, [("TPE1", [1, 0xFF, 0, 0xFE, 0x47, 0])])
        tag[5] = 0x80
        tag[17] = 5
        #expect(try Self.artist(of: tag) == "G")
        var extended = ID3Maker.tag(3, [("TPE1", [3] + Array("E".utf8))])
        extended[5] = 0x40
        extended.insert(contentsOf: [0, 0, 0, 6, 0, 0, 0, 0, 0, 0], at: 10)
        extended[9] += 10
        #expect(try Self.artist(of: extended) == "E")
        var compressed = ID3Maker.tag(3, [("TPE1", [3] + Array("C".utf8))])
        compressed[19] = 0x80
        #expect(try Self.artist(of: compressed) == .null)
    }

    @Test("a cover of megabytes before the title is passed over, not read")
    func cover() throws {
        let picture = [UInt8](repeating: 0xAA, count: 6 << 20)
        let tag = ID3Maker.tag(3, [("APIC", picture), ("TPE1", [3] + Array("Behind".utf8))])
        #expect(try Self.artist(of: tag) == "Behind")
        let block = FLACMaker.file(comments: ["ARTIST=Behind", "artist=Second"], picture: picture)
        #expect(try Self.artist(of: block, "a.flac") == "Behind; Second")
    }

    @Test("text without end, or that is no UTF-8, is cut and put right")
    func longText() throws {
        let tag = ID3Maker.tag(4, [("TPE1", [3] + [UInt8](repeating: 0xC3, count: 100_000))])
        guard case .text(let text) = try Self.artist(of: tag) else {
            Issue.record("no text")
            return
        }
        #expect(text.allSatisfy { $0 == "Ã" } && text.count == AudioFacts.textLimit)
        let cut = ID3Maker.tag(4, [("TPE1", [3, 0x61] + Array(String(repeating: "ü", count: 4_000).utf8))])
        #expect(try Self.artist(of: cut) == .text("a" + String(repeating: "ü", count: 2_047)))
    }

    @Test("what stands before a damage is served, and the damage told without its content")
    func damage() throws {
        let tag = ID3Maker.tag(3, [("TPE1", [3] + Array("Kept".utf8)), ("secret", [3])])
        let folder = try Folder()
        folder.write("a.mp3", tag)
        let log = ProblemLog()
        #expect(try Table("Tracks", .music, folder.path, log: log).rows("artist") == [["Kept"]])
        #expect(log.reasons == ["damaged or incomplete tags"])
    }

    @Test("boxes that hold themselves, or nothing, or more than there is, come to an end")
    func hostileBoxes() throws {
        func box(_ name: String, _ content: [UInt8], size: Int? = nil) -> [UInt8] {
            let size = size ?? content.count + 8
            return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: size >> $0) } + Array(name.utf8) + content
        }
        let folder = try Folder()
        let head = box("ftyp", Array("M4A \0\0\0\0".utf8))
        folder.write("empty.m4a", head + (0..<5_000).flatMap { _ in box("free", []) })
        folder.write("huge.m4a", head + box("moov", box("udta", [], size: 0x7FFF_FFFF)))
        folder.write("zero.m4a", head + box("moov", box("udta", [1, 2, 3, 4], size: 0)))
        folder.write(
            "long.m4a", head + box("moov", [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], size: 1))
        let log = ProblemLog()
        #expect(try Table("Tracks", .music, folder.path, log: log).rows("title").count == 4)
        #expect(log.reasons.allSatisfy { $0 == "damaged or incomplete tags" } && log.reasons.count >= 3)
    }

    /// taglib's `duplicate_id3v2.mp3`, `duplicate_tags.wav` and `multiple-vc.flac`.
    @Test("of several tags the first that says something counts, and the others fill what it lacks")
    func severalTags() throws {
        func tag(_ artist: String, _ more: [(name: String, content: [UInt8])] = []) -> [UInt8] {
            ID3Maker.tag(3, [("TPE1", [0] + Array(artist.utf8))] + more)
        }
        let second = tag("Other", [("TALB", [0] + Array("Album".utf8))])
        func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
            Array(name.utf8) + [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: content.count >> $0) } + content
                + (content.count % 2 == 0 ? [] : [0])
        }
        let chunks = chunk("id3 ", tag("First")) + chunk("id3 ", second) + chunk("data", [0, 0])
        let flac = FLACMaker.file(blocks: [["ARTIST=First"], ["ARTIST=Other", "ALBUM=Album"]])
        for (name, bytes) in [
            ("a.mp3", tag("First") + second), ("a.flac", flac),
            ("a.wav", Array("RIFF".utf8) + [0, 0, 0, 0] + Array("WAVE".utf8) + chunks),
        ] {
            let folder = try Folder()
            folder.write(name, bytes)
            #expect(
                try Table("Tracks", .music, folder.path).rows("artist", "album") == [["First", "Album"]],
                "\(name)")
        }
    }

    /// mutagen's `52-too-short-block-size.flac`.
    @Test(
        "a FLAC whose comments are longer than their block says keeps them, and what stands behind",
        arguments: [1, 9, 40])
    func shortBlock(_ missing: Int) throws {
        let folder = try Folder()
        folder.write(
            "a.flac",
            FLACMaker.file(
                blocks: [["TITLE=Quay", "ARTIST=First", "GENRE=Folk"], ["ALBUM=Album"]], missing: missing))
        let log = ProblemLog()
        #expect(
            try Table("Tracks", .music, folder.path, log: log).rows("title", "artist", "genre", "album")
                == [["Quay", "First", "Folk", "Album"]])
        #expect(log.reasons == [])
    }

    private static func artist(of bytes: [UInt8], _ name: String = "a.mp3") throws -> Cell {
        let folder = try Folder()
        folder.write(name, bytes)
        return try Table("Tracks", .music, folder.path).rows("artist")[0][0]
    }
}

/// Tags as programs write them.
enum ID3Maker {
    static func tag(_ version: UInt8, _ frames: [(name: String, content: [UInt8])]) -> [UInt8] {
        var body: [UInt8] = []
        for (name, content) in frames {
            body += Array(name.utf8.prefix(4)) + size(content.count, version == 4 ? 7 : 8) + [0, 0] + content
        }
        return Array("ID3".utf8) + [version, 0, 0] + size(body.count, 7) + body
    }

    private static func size(_ count: Int, _ bits: Int) -> [UInt8] {
        [3, 2, 1, 0].map { UInt8(truncatingIfNeeded: count >> ($0 * bits)) & (bits == 7 ? 0x7F : 0xFF) }
    }
}

/// FLAC without sound.
enum FLACMaker {
    static func file(comments: [String], picture: [UInt8]) -> [UInt8] {
        head + block(6, picture) + block(0x84, text(comments))
    }

    /// Several blocks of comments, of which there may be one.
    ///
    /// - Parameter missing: how many bytes fewer than it has each but the last block says.
    static func file(blocks: [[String]], missing: Int = 0) -> [UInt8] {
        head + blocks.dropLast().flatMap { block(4, text($0), missing: missing) }
            + block(0x84, text(blocks.last ?? []))
    }

    private static let head = Array("fLaC".utf8) + block(0, [UInt8](repeating: 0, count: 34))

    private static func block(_ kind: UInt8, _ content: [UInt8], missing: Int = 0) -> [UInt8] {
        [kind] + [16, 8, 0].map { UInt8(truncatingIfNeeded: (content.count - missing) >> $0) } + content
    }

    private static func text(_ comments: [String]) -> [UInt8] {
        func little(_ value: Int) -> [UInt8] {
            [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: value >> $0) }
        }
        return little(0) + little(comments.count)
            + comments.flatMap { little($0.utf8.count) + Array($0.utf8) }
    }
}
