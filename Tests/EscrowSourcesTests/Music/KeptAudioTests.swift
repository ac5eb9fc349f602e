import EscrowSchema
import EscrowTabular
import Glibc
import Testing

@testable import EscrowFormats
@testable import EscrowMedia
@testable import EscrowMediaFormats
@testable import EscrowSourceFiles
@testable import EscrowTableKit

/// Tags are read once, as long as a file stays as it is.
@Suite("Tags of music and recordings as they are kept", .timeLimit(.minutes(60)))
struct KeptAudioTests {
    private let folder: Folder
    private var index: String { folder.path + "/home/index/audio.cache" }
    private static let columns = ["filename", "title", "artist", "album", "genre", "year", "duration"]

    init() async throws {
        folder = try Folder()
        folder.write("home/sources.json", "{\"sources\": []}")
        for (number, name) in ["03 Dusk.flac", "3 Snow.m4a", "unnamed.mp3", "1 Rain.ogg"].enumerated() {
            let path = try #require(Self.find(name))
            Self.age(folder.write("music/\(number) \(name)", try #require(Self.bytes(path))), 0)
        }
        try await folder.settle()
    }

    private static func find(_ name: String) -> String? {
        let listing = try? AudioAdapter.music.walk { _, _ in }.list([Repository.samples + "/music"])
        return listing?.files.indices.first { listing!.name($0) == name }.map { listing!.path($0) }
    }

    private static func bytes(_ path: String) -> [UInt8]? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        bytes.removeSubrange(fread(&bytes, 1, bytes.count, file)...)
        return bytes
    }

    private static func age(_ path: String, _ microseconds: Int, seconds: Int = 1_700_000_000) {
        var times = [timeval(tv_sec: seconds, tv_usec: microseconds), timeval()]
        times[1] = times[0]
        utimes(path, times)
    }

    /// What a new process answers, and how many files it opened for it.
    private func rows(_ log: ProblemLog = ProblemLog()) throws -> (rows: [[Cell]], read: Int) {
        let memory = SourceMemory(directory: folder.path + "/home", zone: .fixed(0))
        let context = SourceContext(AudioAdapter.music, roots: [folder.path + "/music"], memory: memory) {
            log.add($0, $1)
        }
        let table = Table(AudioAdapter.music.tables(context)[0])
        let rows = try table.source.snapshot(assets: AssetTable())
            .scan(ScanRequest(columns: ColumnMask(Self.columns.map(table.column))))
        let chunk = ColumnChunk(spec: table.source.spec)
        var found: [[Cell]] = []
        while try rows.next(into: chunk) {
            for row in 0..<chunk.rowCount {
                found.append(Self.columns.map { chunk.cell(row: row, column: table.column($0)) })
            }
        }
        return (found, memory.filesRead)
    }

    /// Ends the scan of each call before the next begins: what was read is written then.
    @Test("a later process opens only the files that changed, and answers the same")
    func once() async throws {
        let plain = try Table("Tracks", .music, folder.path + "/music").rows(
            "filename", "title", "artist", "album", "genre", "year", "duration")
        let first = try rows()
        #expect(first.rows == plain && first.read == 4)
        #expect(plain.allSatisfy { $0[1] != .null && $0[6] != .null })
        let second = try rows()
        #expect(second.rows == plain && second.read == 0)
        Self.age(folder.path + "/music/2 unnamed.mp3", 9)
        try await folder.settle()
        #expect(try rows().read == 1)
        folder.write("music/2 unnamed.mp3", "no audio at all, or so it seems")
        let changed = try rows()
        #expect(changed.read == 1 && changed.rows[2][1] == .null && changed.rows[3] == plain[3])
    }

    @Test("what is damaged is told each time, and what was written a moment ago is not kept")
    func doubtful() async throws {
        Self.age(folder.write("music/bad.flac", "fLaC and no more of it than this"), 0)
        try await folder.settle()
        for expected in [5, 1] {
            let log = ProblemLog()
            #expect(try rows(log).read == expected)
            #expect(log.problems.count == 1)
        }
        // A time to come, which however long a scan takes is not past.
        Self.age(
            folder.write("music/new.mp3", try #require(Self.bytes(folder.path + "/music/2 unnamed.mp3"))), 0,
            seconds: 4_000_000_000)
        for _ in 0..<2 { #expect(try rows().read == 2) }
    }

    @Test("a damaged or cut off index gives the same answers and is mended")
    func damage() throws {
        let whole = try rows().rows
        let good = try #require(Self.bytes(index))
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<100 {
            var bytes = good
            if Bool.random() {
                bytes.removeLast(Int.random(in: 1...bytes.count, using: &generator))
            } else {
                bytes[Int.random(in: bytes.indices, using: &generator)] ^= UInt8.random(in: 1...255)
            }
            folder.write("home/index/audio.cache", bytes)
            #expect(try rows().rows == whole)
            #expect(Self.bytes(index)?.count == good.count, "the index was not mended")
        }
    }

    @Test("a reading that was cut off goes on where it was")
    func interrupted() throws {
        func key(_ number: Int) -> FileKey {
            FileKey(path: UInt64(number), inode: 1, size: 1, modified: 1, touched: 1)
        }
        let index = FactsIndex<AudioFacts>(path: index, zone: .fixed(0))
        // Enough for some blocks; the rest is not flushed, as by a process that was killed.
        for number in 0..<2_000 {
            var facts = AudioFacts()
            facts.add(.title, Array("title \(number), of some length".utf8)[...])
            index.add(key(number), facts)
        }
        let again = FactsIndex<AudioFacts>(path: self.index, zone: .fixed(0))
        let known = (0..<2_000).prefix { again.facts(key($0)) != nil }.count
        #expect(known > 1_000 && known < 2_000)
    }

    @Test("every fact comes back, and nothing else is read as facts")
    func roundTrip() {
        var facts = AudioFacts()
        facts.duration = 12.5
        facts.recorded = Timestamp(microseconds: 1_700_000_000_000_000)
        for field in AudioFacts.Field.allCases { facts.add(field, Array("\(field) é".utf8)[...]) }
        var bytes: [UInt8] = []
        #expect(facts.append(to: &bytes))
        #expect(bytes.withUnsafeBytes { AudioFacts($0) } == facts)
        for count in 0..<bytes.count {
            let part = bytes[..<count].withUnsafeBytes { AudioFacts($0) }
            #expect(part != facts)
        }
        #expect([UInt8]([0]).withUnsafeBytes { AudioFacts($0) } == AudioFacts())
        #expect([UInt8]([4]).withUnsafeBytes { AudioFacts($0) } == nil)
        #expect([UInt8]([0, 0, 1, 0, 0]).withUnsafeBytes { AudioFacts($0) } == nil)
        #expect([UInt8]([0, 0, 1, 0, 0xFF]).withUnsafeBytes { AudioFacts($0) } == nil)
    }
}
