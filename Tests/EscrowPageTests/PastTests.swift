import EscrowHome
import EscrowJSON
import EscrowLocation
import EscrowLocationPrivacy
import Testing

@testable import EscrowLedger
@testable import EscrowPage

/// What was sent, told and done is shown in words that hold.
@Suite struct PastTests {
    private static func entry(
        _ number: UInt64, _ kind: LedgerEntry.Kind, _ fields: JSONValue, run: String? = "r-1"
    ) -> LedgerEntry {
        LedgerEntry(
            sequence: number, time: LedgerTime(milliseconds: Int64(number) * 1000), clock: nil, kind: kind,
            run: run, fields: fields, commitment: "", reduced: nil)
    }

    private static func sent(_ number: UInt64, _ id: String, place: JSONValue = .null) -> LedgerEntry {
        entry(
            number, .egressSent,
            [
                "id": .string(id), "app": "a.b", "plugin": "p.q", "url": "https://x.example/y?z=1",
                "body": "secret", "bytes": 12, "place": place,
            ])
    }

    @Test func aRequestIsKeptWithItsEndAndWithoutItsBytes() throws {
        var book = SentBook()
        book.take(Self.sent(1, "r-1.1"))
        book.take(Self.entry(2, .egressAnswered, ["id": "r-1.1", "status": 200, "bytes": 7, "body": "x"]))
        book.take(Self.entry(3, .egressRefused, ["app": "a.b", "code": "E0604"]))
        book.take(Self.entry(4, .egressAnswered, ["id": "r-9.9", "status": 500]))
        #expect(book.count == 2 && book.items.map(\.entry) == [1, 3])
        let item = try #require(book.items.first)
        #expect(item.answer == 2 && item.record.outcome == "status 200" && item.record.bytesIn == 7)
        #expect(item.record.bytesOut == 12 && item.record.sent["body"] == nil)
        #expect(item.record.text("url") == "https://x.example/")
        #expect(book.places == nil && book.items[1].record.id == nil)
    }

    @Test func theRequestsThatToldAPlaceAreKnown() {
        var book = SentBook()
        for number in 1...9 as ClosedRange<UInt64> {
            book.take(
                Self.sent(
                    number, "r-1.\(number)", place: [4, 7].contains(number) ? ["tells": "city"] : .null)
            )
        }
        #expect(book.places == 4...7)
    }

    @Test func manyRequestsFillNoMemoryAndEveryOneIsReached() {
        var book = SentBook()
        let count = UInt64(SentBook.most * 2 + 10)
        for number in 1...count { book.take(Self.sent(number, "r-\(number).1")) }
        #expect(book.count == Int(count) && book.items.count <= SentBook.most * 2)
        let first = SentView.list(book).source
        #expect(first.contains("\(SentView.most) of \(count) requests") && first.contains("r-\(count).1"))
        #expect(first.contains("/sent?before=\(count - UInt64(SentView.most) + 1)"))
        // Each page goes on where the one before ended; after the last that is kept the ledger has the others.
        let oldest = book.items[0].entry
        let last = SentView.list(book, before: oldest + 50).source
        #expect(last.contains("r-\(oldest).1") && last.contains("/ledger?search=egress-sent"))
        #expect(!last.contains("/sent?before"))
        #expect(SentView.list(book, before: oldest).source.contains("/ledger?search=egress-sent"))
        #expect(SentView.list(SentBook()).source.contains("Nothing was sent"))
    }

    @Test func entriesAreToldInWordsBesideTheirCode() {
        let entry = Self.entry(
            3, .decision, ["app": "a.b", "plugin": "p.q", "answer": "nobody to ask", "times": 10])
        let html = LedgerView.list([entry], search: "", next: nil, proof: "p", verdict: []).source
        #expect(html.contains("a request was answered") && html.contains("<code>decision</code>"))
        #expect(html.contains("a.b, p.q, nobody was there to answer, 10 times"))
        #expect(!html.contains("nobody to ask"))
        // What is shown is found, and so is the code.
        #expect(LedgerView.matches(entry, "nobody answer") && LedgerView.matches(entry, "decision"))
        #expect(LedgerView.summary(Self.entry(4, .runEnd, ["resultBytes": 2048])) == "2.0 kB handed over")
    }

    @Test func everyKindHasWordsOfItsOwn() {
        let words = LedgerEntry.Kind.allCases.map(LedgerView.words)
        #expect(Set(words).count == words.count && words.allSatisfy { !$0.contains("-") })
    }

    private static func follow(plugin: String?) -> LiveFollow {
        LiveFollow(
            app: "a.b", plugin: plugin, provider: "gpsd", mode: .standard, desired: .city, began: 10)
    }

    private static func book(_ outcomes: [String?], plugin: String = "org.example.weather") -> FlowBook {
        var book = FlowBook()
        for (index, outcome) in outcomes.enumerated() {
            let number = UInt64(index * 2 + 10)
            let run = "r-\(index)"
            book.take(
                entry(number, .runIntent, ["app": "a.b", "plugin": .string(plugin)], run: run))
            guard let outcome else { continue }
            book.take(entry(number + 1, .runEnd, ["outcome": .string(outcome)], run: run))
        }
        return book
    }

    @Test func nobodyWasToldWhereEveryUpdateFailed() {
        let follow = Self.follow(plugin: "weather")
        let failed = Self.book(["nothing returned"])
        #expect(failed.results(for: follow) == 0)
        #expect(PlacesView.told([follow], in: failed).isEmpty)
        #expect(PlacesView.indicator(PlacesView.told([follow], in: failed)) == nil)
        let given = Self.book(["returned"])
        #expect(given.results(for: follow) == 1)
        #expect(PlacesView.told([follow], in: given) == [follow])
        // Another plugin, a run without an end, and one from before it began are no updates of it.
        #expect(Self.book(["returned"], plugin: "org.example.other").results(for: follow) == 0)
        #expect(Self.book([nil]).results(for: follow) == 0)
        var before = FlowBook()
        before.take(Self.entry(2, .runIntent, ["app": "a.b", "plugin": "weather"]))
        before.take(Self.entry(3, .runEnd, ["outcome": "returned"]))
        #expect(before.results(for: follow) == 0)
    }

    @Test func aRunWhoseProcessIsGoneIsNotCalledUnderWay() {
        let book = Self.book([nil])
        #expect(!FlowsView(book, underWay: []).html.source.contains("under way"))
        #expect(FlowsView(book, underWay: ["r-0"]).html.source.contains("under way"))
        let now = NowView(
            questions: [], more: 0, book: book, underWay: [], now: LedgerTime(milliseconds: 11_000),
            waitingForDevice: [])
        #expect(now.html.source.contains("Nothing is under way."))
        #expect(!now.html.source.contains("still being read"))
    }
}
