import EscrowSchema
import EscrowTabular
import Glibc
import Testing

@testable import EscrowFormats
@testable import EscrowMedia
@testable import EscrowMediaFormats
@testable import EscrowSourceFiles
@testable import EscrowTableKit

/// Headers are read once, and what is kept of them never shows in an answer except as what the pictures say.
@Suite(.timeLimit(.minutes(60))) struct HeaderIndexTests {
    private let folder: Folder
    private var index: String { folder.path + "/home/index/headers.cache" }

    init() throws {
        folder = try Folder()
        folder.write("home/sources.json", "{\"sources\": []}")
    }

    /// A folder of copies of a sample, changed long ago.
    private func pictures(_ count: Int) async throws {
        let bytes = try #require(Self.bytes(Repository.samples + "/photos/Bergen 2026/IMG_0101.jpg"))
        for number in 0..<count {
            Self.age(folder.write("photos/\(number).jpg", bytes), microseconds: 0)
        }
        try await folder.settle()
    }

    private static func bytes(_ path: String) -> [UInt8]? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        bytes.removeSubrange(fread(&bytes, 1, bytes.count, file)...)
        return bytes
    }

    private static func age(_ path: String, microseconds: Int) {
        var times = [timeval(tv_sec: 1_700_000_000, tv_usec: microseconds), timeval()]
        times[1] = times[0]
        utimes(path, times)
    }

    /// A new process: an index that knows what is in its file and no more.
    private func rows(_ columns: String..., zone: LocalZone = .fixed(3_600)) throws -> [[Cell]] {
        try read(columns, zone: zone).rows
    }

    /// Also how many files such a process opens.
    private func read(
        _ columns: [String], zone: LocalZone = .fixed(3_600)
    ) throws -> (rows: [[Cell]], files: Int) {
        let memory = SourceMemory(directory: folder.path + "/home", zone: zone)
        let context = SourceContext(PhotosAdapter(), roots: [folder.path + "/photos"], memory: memory) {
            _, _ in
        }
        let table = PhotosTable(context: context, zone: zone)
        let positions = columns.map { table.spec.column(named: $0)! }
        let scan = try table.snapshot(assets: AssetTable()).scan(
            ScanRequest(columns: ColumnMask(positions)))
        let chunk = ColumnChunk(spec: table.spec)
        var rows: [[Cell]] = []
        while try scan.next(into: chunk) {
            for row in 0..<chunk.rowCount { rows.append(positions.map { chunk.cell(row: row, column: $0) }) }
        }
        return (rows, memory.filesRead)
    }

    /// Writes other bytes of the same length into a file.
    private func overwrite(_ path: String, microseconds: Int) throws {
        let length = try #require(Self.bytes(path)).count
        let file = try #require(fopen(path, "r+"))
        let zeros = [UInt8](repeating: 0, count: length)
        #expect(fwrite(zeros, 1, length, file) == length)
        fclose(file)
        Self.age(path, microseconds: microseconds)
    }

    @Test func aHeaderIsReadOnceAsLongAsItsFileStaysAsItIs() async throws {
        try await pictures(3)
        let first = try rows("creationDate", "cameraModel", "latitude", "pixelWidth")
        #expect(first.count == 3 && first.allSatisfy { $0[0] != .null && $0[3] != .null })
        #expect(try read(["creationDate", "cameraModel", "latitude", "pixelWidth"]).files == 0)
        // As `exiftool -P` leaves a picture: of the same i-node, size and time.
        try overwrite(folder.path + "/photos/1.jpg", microseconds: 0)
        try overwrite(folder.path + "/photos/2.jpg", microseconds: 7)
        try await folder.settle()
        let again = try read(["creationDate", "cameraModel", "latitude", "pixelWidth"])
        #expect(again.rows[0] == first[0] && again.rows[1...].joined().allSatisfy { $0 == .null })
        #expect(again.files == 2)
    }

    @Test func aDateThatIsCorrectedInPlaceShowsThoughTheTimeOfChangeIsSetBack() async throws {
        let picture = folder.path + "/photos/0.jpg"
        try await pictures(1)
        var states: [[Int]] = []
        for year in [2011, 2012] {
            let words = "-q -P -overwrite_original_in_place '-DateTimeOriginal=\(year):11:11 11:11:11'"
            guard run("exiftool \(words) '\(picture)'") != nil else {
                print("SKIP: exiftool is not installed")
                return
            }
            var status = stat()
            try #require(stat(picture, &status) == 0)
            states.append([Int(status.st_ino), Int(status.st_size), status.st_mtim.tv_sec])
            try await folder.settle()
            for files in [1, 0] {
                let answer = try read(["creationDate"])
                guard case .text(let date) = answer.rows[0][0] else {
                    Issue.record("no date")
                    return
                }
                #expect(date.hasPrefix("\(year)-11-11T") && answer.files == files)
            }
        }
        #expect(states[0] == states[1], "exiftool left a sign of its change")
    }

    @Test func whatWasWrittenAMomentAgoIsNotKept() throws {
        let bytes = try #require(Self.bytes(Repository.samples + "/photos/IMG_0001.jpg"))
        // Once more where it was no moment ago any more.
        repeat {
            unlink(index)
            folder.write("photos/new.jpg", bytes)
            _ = try rows("creationDate")
        } while !folder.isYoung("photos/new.jpg")
        #expect(Self.bytes(index)?.count ?? 0 < 64)
    }

    @Test func aDamagedOrCutOffIndexGivesTheSameAnswersAndIsMended() async throws {
        try await pictures(6)
        let whole = try rows("creationDate", "cameraMake", "longitude", "orientation")
        let good = try #require(Self.bytes(index))
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<300 {
            var bytes = good
            if Bool.random() {
                bytes.removeLast(Int.random(in: 1...bytes.count, using: &generator))
            } else {
                bytes[Int.random(in: bytes.indices, using: &generator)] ^= UInt8.random(in: 1...255)
            }
            folder.write("home/index/headers.cache", bytes)
            #expect(try rows("creationDate", "cameraMake", "longitude", "orientation") == whole)
            #expect(Self.bytes(index)?.count == good.count, "the index was not mended")
        }
    }

    @Test func anotherTimeZoneBeginsAnew() async throws {
        try await pictures(1)
        _ = try rows("creationDate")
        for files in [1, 0] {
            #expect(try read(["creationDate"], zone: .fixed(7_200)).files == files)
        }
    }

    @Test func aFirstScanThatIsCutOffGoesOnWhereItWas() throws {
        let index = FactsIndex<ImageFacts>(path: index, zone: .fixed(0))
        // Enough for some blocks; the rest is not flushed, as by a process that was killed.
        for number in 0..<2_000 {
            var facts = ImageFacts()
            facts.latitude = Double(number)
            index.add(key(UInt64(number)), facts)
        }
        let again = FactsIndex<ImageFacts>(path: self.index, zone: .fixed(0))
        let known = (0..<2_000).prefix { again.facts(key(UInt64($0)))?.latitude == Double($0) }.count
        #expect(known > 1_000 && known < 2_000)
    }

    @Test func aLogOfOldRecordsIsWrittenAnew() throws {
        let index = FactsIndex<ImageFacts>(path: index, zone: .fixed(0))
        for number in 0..<5_000 {
            index.add(key(1, size: Int64(number)), ImageFacts())
        }
        index.flush(fileCount: 1)
        #expect(try #require(Self.bytes(self.index)).count < 200)
        let again = FactsIndex<ImageFacts>(path: self.index, zone: .fixed(0))
        #expect(again.facts(key(1, size: 4_999)) == ImageFacts() && again.facts(key(1, size: 4_998)) == nil)
    }

    @Test func namesAndPathsAreNotKept() async throws {
        try await pictures(1)
        rename(folder.path + "/photos/0.jpg", folder.path + "/photos/canary-holiday.jpg")
        try await folder.settle()
        _ = try rows("creationDate")
        let text = String(decoding: try #require(Self.bytes(index)), as: UTF8.self)
        #expect(text.utf8.count > 64 && !text.contains("canary") && !text.contains("photos"))
    }

    @Test func howFarAFirstReadingIsIsToldAndALaterOneReadsNothing() async throws {
        try await pictures(5)
        for expected in [5, 0] {
            let memory = SourceMemory(directory: folder.path + "/home", zone: .fixed(0))
            let told = ProgressLog()
            memory.onProgress { told.add($0) }
            let context = SourceContext(PhotosAdapter(), roots: [folder.path + "/photos"], memory: memory) {
                _, _ in
            }
            _ = try Table(PhotosTable(context: context, zone: .fixed(0))).rows("pixelWidth")
            #expect(memory.filesRead == expected)
            guard expected > 0 else {
                #expect(told.all.isEmpty)
                continue
            }
            let last = try #require(told.all.last)
            #expect(told.all.filter(\.isOver).count == 1 && last.isOver)
            #expect(last.done == 5 && last.total == 5 && last.read == 5)
            #expect(last.seconds > 0 && last.rate != nil && last.secondsLeft == 0)
        }
    }

    private final class ProgressLog: @unchecked Sendable {
        private(set) var all: [ReadingProgress] = []
        func add(_ progress: ReadingProgress) { all.append(progress) }
    }

    @Test func withoutAHomeNothingIsKept() async throws {
        try await pictures(1)
        unlink(folder.path + "/home/sources.json")
        rmdir(folder.path + "/home")
        #expect(try rows("pixelWidth")[0][0] != .null)
        #expect(access(folder.path + "/home", F_OK) != 0)
    }

    private func key(_ path: UInt64, size: Int64 = 1) -> FileKey {
        FileKey(path: path, inode: 1, size: size, modified: 1, touched: 1)
    }
}
