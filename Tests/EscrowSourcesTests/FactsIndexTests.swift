import EscrowDiagnostics
import Glibc
import Testing

@testable import EscrowFormats
@testable import EscrowMediaFormats
@testable import EscrowSourceFiles
@testable import EscrowTableKit

/// What may be wrong with an index, who is told, and who else writes to it.
@Suite(.timeLimit(.minutes(60))) struct FactsIndexTests {
    private let folder: Folder
    private let notices = NoticeLog()
    private var path: String { folder.path + "/index/headers.cache" }

    init() throws { folder = try Folder() }

    private func index(zone: LocalZone = .fixed(0)) -> FactsIndex<ImageFacts> {
        FactsIndex(path: path, zone: zone) { [notices] in notices.add($0) }
    }

    private func key(_ path: Int) -> FileKey {
        FileKey(path: UInt64(path), inode: 1, size: 1, modified: 1, touched: 1)
    }

    private func facts(_ number: Int) -> ImageFacts {
        var facts = ImageFacts()
        facts.latitude = Double(number)
        return facts
    }

    private func fill(_ numbers: Range<Int>, zone: LocalZone = .fixed(0)) {
        let index = index(zone: zone)
        for number in numbers { index.add(key(number), facts(number)) }
        index.flush(fileCount: numbers.count)
    }

    private func known(_ numbers: Range<Int>) -> Int {
        let index = index()
        return numbers.count { index.facts(key($0)) == facts($0) }
    }

    @Test func damageIsToldOnceAndMended() throws {
        fill(0..<10)
        let size = try #require(Folder.size(path))
        truncate(path, off_t(size - 3))
        let index = index()
        #expect((0..<10).count { index.facts(key($0)) != nil } == 9)
        #expect(
            notices.texts == [
                """
                warning[E0851]: \(path) is damaged and is made anew
                note: answers do not depend on it; files that it knew are read once more
                """
            ])
        index.add(key(9), facts(9))
        index.flush(fileCount: 10)
        #expect(known(0..<10) == 10 && Folder.size(path) == size && notices.texts.count == 1)
    }

    @Test func whatIsNoIndexIsToldAndAnotherVersionIsNot() throws {
        fill(0..<2)
        folder.write("index/headers.cache", "something else")
        chmod(path, 0o600)
        #expect(known(0..<2) == 0 && notices.codes == [.indexDamaged])
        folder.write("index/headers.cache", "escrow-headers 1 0\nold records")
        #expect(known(0..<2) == 0 && notices.codes == [.indexDamaged])
        fill(0..<2)
        #expect(known(0..<2) == 2 && notices.codes == [.indexDamaged])
    }

    @Test func whatOthersMayHaveWrittenIsNotBelieved() throws {
        fill(0..<5)
        for spoil in [
            { chmod(path, 0o640) }, { chmod(path, 0o602) }, { link(path, folder.path + "/second") },
            { geteuid() == 0 ? chown(path, 65_534, 65_534) : chmod(path, 0o644) },
        ] {
            #expect(known(0..<5) == 5)
            #expect(spoil() == 0)
            #expect(known(0..<5) == 0)
            #expect(notices.codes.last == .indexOfAnotherUser)
            fill(0..<5)
            unlink(folder.path + "/second")
        }
        // A link in its place is not followed.
        rename(path, folder.path + "/elsewhere")
        symlink(folder.path + "/elsewhere", path)
        #expect(known(0..<5) == 0)
        #expect(
            notices.texts.first == """
                warning[E0852]: \(path) may be another user's work, so it is not used and made anew
                note: answers do not depend on it; files that it knew are read once more
                help: see who else may write in the escrow home: ls -la \(folder.path)/index
                """)
    }

    @Test func whatCannotBeWrittenIsToldOnce() throws {
        // A file where the folder should be: nobody may write there, not even root.
        folder.write("index", "in the way")
        let index = index()
        for number in 0..<3_000 { index.add(key(number), facts(number)) }
        index.flush(fileCount: 3_000)
        #expect(notices.codes == [.indexNotWritten])
        #expect(index.facts(key(7)) == facts(7))
    }

    @Test func writersSideBySideLoseNoWholeRecord() async throws {
        fill(0..<1)
        let path = path
        await withTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                group.addTask {
                    // Each is as another process: it shares the file and no more.
                    let index = FactsIndex<ImageFacts>(path: path, zone: .fixed(0))
                    for number in writer * 2_000 + 1..<writer * 2_000 + 2_001 {
                        var facts = ImageFacts()
                        facts.latitude = Double(number)
                        index.add(
                            FileKey(path: UInt64(number), inode: 1, size: 1, modified: 1, touched: 1), facts)
                    }
                    index.flush(fileCount: 100_000)
                }
            }
        }
        #expect(known(0..<8_001) == 8_001 && notices.texts.isEmpty)
    }

    @Test func anotherZonesIndexIsNotMixedWithThisOne() throws {
        let mine = index()
        mine.add(key(1), facts(1))
        mine.flush(fileCount: 1)
        fill(2..<3, zone: .fixed(7_200))
        mine.add(key(3), facts(3))
        mine.flush(fileCount: 2)
        let again = index()
        #expect(again.facts(key(1)) == facts(1) && again.facts(key(3)) == facts(3))
        #expect(again.facts(key(2)) == nil)
    }

    @Test func anIndexThatIsGoneIsForgotten() throws {
        fill(0..<3)
        let mine = index()
        #expect(mine.facts(key(1)) != nil)
        mine.refresh()
        #expect(mine.facts(key(1)) != nil)
        unlink(path)
        mine.refresh()
        #expect(mine.facts(key(1)) == nil)
    }

    @Test func progressIsToldWithItsRateAndEnd() throws {
        var progress = ReadingProgress(done: 0, total: 100_000, read: 0, seconds: 0, isOver: false)
        #expect(
            progress.line(width: 80)
                == "reading files  0 of 100000  [........................................]")
        progress = ReadingProgress(done: 45_210, total: 100_000, read: 45_000, seconds: 9, isOver: false)
        #expect(
            progress.line(width: 80)
                == "reading files  45210 of 100000  [###########...............]  5000/s  11 s left")
        #expect(progress.line(width: 50) == "reading files  45210 of 100000  5000/s  11 s left")
        #expect(progress.line(width: 20) == "reading files  4521")
        progress = ReadingProgress(done: 10, total: 1_000_000, read: 10, seconds: 1, isOver: false)
        #expect(progress.line(width: 60) == "reading files  10 of 1000000  10/s  27 h 46 min left")
        progress = ReadingProgress(done: 7, total: 7, read: 5, seconds: 200, isOver: true)
        #expect(progress.summary == "read 5 of 7 files in 3 min 20 s")
    }
}
