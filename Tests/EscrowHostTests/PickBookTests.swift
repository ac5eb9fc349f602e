import Synchronization
import TemporaryFolder
import Testing

@testable import EscrowHost

/// What the individual picked is for the run that asked, once, and not for long.
@Suite struct PickBookTests {
    private let folder: TemporaryFolder
    private let book: PickBook
    private let now = Time()

    final class Time: Sendable {
        let seconds = Mutex<Int64>(1_800_000_000)
    }

    init() throws {
        folder = try TemporaryFolder("picks")
        let now = now
        book = PickBook(home: folder.path) { now.seconds.withLock { $0 } }
    }

    private func request(_ app: String = "org.example.chat", chat: String = "c7") -> RunRequest {
        RunRequest(app: app, plugin: "send-picture", arguments: ["chat": chat])
    }

    @Test func aPickIsForOneRunOfThatRequest() throws {
        book.keep(request())
        book.keep(request())
        let entry = try #require(try book.waiting().first)
        #expect(try book.waiting().count == 1)
        #expect(try book.take(request()) == nil && !book.isPicked(request()))
        try book.settle(entry.id, ["a", "b"])
        #expect(try book.waiting().isEmpty && book.isPicked(request()))
        #expect(try !book.isPicked(request("org.example.other")) && !book.isPicked(request(chat: "c8")))
        #expect(try book.take(request("org.example.other")) == nil)
        #expect(try book.take(request()) == ["a", "b"])
        #expect(try book.take(request()) == nil && !book.isKept(request()))
    }

    @Test func afterTenMinutesItIsPickedAnew() throws {
        book.keep(request())
        let entry = try #require(try book.waiting().first)
        try book.settle(entry.id, ["a"])
        now.seconds.withLock { $0 += PickBook.lifetime + 1 }
        #expect(try !book.isPicked(request()) && book.take(request()) == nil)
        #expect(try book.waiting().map(\.id) == [entry.id])
    }

    @Test func whoPicksNothingLetsItGo() throws {
        book.keep(request())
        try book.drop(try #require(try book.waiting().first).id)
        #expect(try !book.isKept(request()) && book.waiting().isEmpty)
    }

    @Test func twoRunsAtOnceGetItOnce() async throws {
        book.keep(request())
        try book.settle(try #require(try book.waiting().first).id, ["a"])
        let (book, asked) = (book, request())
        let taken = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<16 { group.addTask { try book.take(asked) != nil } }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(taken == 1)
    }

    @Test func wordsFindRowsThatHaveThemAll() {
        let rows = ["Ada Lovelace  ada@example.org", "Alan Turing", "ADA Turing"]
        #expect(PickQuestion.search("ada", in: rows) == [0, 2])
        #expect(PickQuestion.search("turing ada", in: rows) == [2])
        #expect(PickQuestion.search(" ", in: rows) == [0, 1, 2])
        #expect(PickQuestion.search("none", in: rows).isEmpty)
    }
}
